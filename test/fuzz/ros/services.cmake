# SPDX-License-Identifier: Apache-2.0
tn_fuzz(ros.service SOURCES service.c DEPENDS ros base msgs RUNS 500000)
