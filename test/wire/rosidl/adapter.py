#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# usage: adapter.py ROOT…
# ROS's own parser (Debian's rosidl_adapter) must read every interface file and convert it to IDL.
import pathlib
import sys
import tempfile

from rosidl_adapter import convert_to_idl

count = 0
wrong = 0
with tempfile.TemporaryDirectory() as output:
    for root in sys.argv[1:]:
        for file in sorted(pathlib.Path(root).resolve().glob("*/*/*.*")):
            if file.suffix not in (".msg", ".srv", ".action"):
                continue
            package = file.parents[1]
            count += 1
            try:
                convert_to_idl(package, package.name, file.relative_to(package), pathlib.Path(output))
            except Exception as error:  # each of its errors has a class of its own
                wrong += 1
                print(f"{file}: {error!r}", file=sys.stderr)
print(f"{count} files, {wrong} wrong")
sys.exit(1 if wrong or count < 150 else 0)
