#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: golden.sh SOURCE_DIR [write]
# What --show-args and --print tell of every launch file of ours, against test/system/launch/golden/; "write" keeps what
# they tell now.
. "$(dirname "$0")/lib.sh"
source=${1:?the sources}
status=0
for file in "$source"/share/*/launch/*.launch.xml; do
    package=$(basename "$(dirname "$(dirname "$file")")")
    name=$(basename "$file")
    for option in --show-args --print; do
        golden=$here/golden/$package.${name%.xml}$option.golden
        tendon launch "$package" "$name" $option >"$out" 2>&1 || fail "$option of $file"
        sed -i "s|$PREFIX|PREFIX|g" "$out"
        if [ "${2:-}" = write ]; then
            cp "$out" "$golden"
        elif ! diff "$golden" "$out"; then
            echo "golden.sh: $option of $file is not $golden" >&2
            status=1
        fi
    done
done
exit $status
