# SPDX-License-Identifier: Apache-2.0
tn_fuzz(ros.service SOURCES service.c DEPENDS ros base msgs RUNS 500000)
tn_fuzz(ros.fragments SOURCES fragments.c DEPENDS ros base)
# Cyclone's inline functions use the keyword that -std=c17 takes away
set_source_files_properties(fragments.c PROPERTIES COMPILE_DEFINITIONS "asm=__asm__")
