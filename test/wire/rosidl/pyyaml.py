#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# usage: pyyaml.py SAMPLES
# PyYAML, which ros2cli prints with, must write each of our texts just so when it has read it.
import subprocess
import sys

import yaml

texts = subprocess.run([sys.argv[1]], capture_output=True, check=True).stdout.decode().split("\0")
count = 0
wrong = 0
for text in texts[:-1]:
    title, body = text.split("\n", 1)
    message = yaml.safe_load(body)
    again = yaml.dump(message, sort_keys=False, allow_unicode=True, width=sys.maxsize,
                      default_flow_style="flow" in title)
    count += 1
    # libyaml escapes characters beyond U+FFFF and the line breaks of Unicode (\\U, \\N); PyYAML writes them as they are,
    # and does not read the latter back
    if again != body and "\\U" not in body and "\\N" not in body:
        wrong += 1
        if wrong <= 5:
            print(f"{title}\nours:\n{body}\nPyYAML:\n{again}", file=sys.stderr)
print(f"{count} texts, {wrong} differ")
sys.exit(1 if wrong or count < 1000 else 0)
