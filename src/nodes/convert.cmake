# SPDX-License-Identifier: Apache-2.0
# What the converters of several nodes share.
tn_module(nodes/convert/time SOURCES convert/time.c DEPENDS base rosidl msgs)
