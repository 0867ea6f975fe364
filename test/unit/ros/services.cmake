# SPDX-License-Identifier: Apache-2.0
tn_test(unit.ros.match SOURCES match.c DEPENDS ros base)
tn_test(unit.ros.sertype SOURCES sertype.c DEPENDS ros base)
# Cyclone's inline functions use the keyword that -std=c17 takes away
set_source_files_properties(sertype.c PROPERTIES COMPILE_DEFINITIONS "asm=__asm__")
