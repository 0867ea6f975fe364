#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: idlc_types.sh COMPILER DIRECTORY PACKAGES ROOT… (packages separated by commas)
# Writes DIRECTORY/peer_types.idl with every message and part of services and actions that idlc can do (it has no
# wstring), and DIRECTORY/peer_pairs.h with their names for the test.
set -eu
compiler=$1 out=$2 packages=$(echo "$3" | tr , ' ')
shift 3
roots=
for root in "$@"; do
    roots="$roots --root $root"
done
# shellcheck disable=SC2086
types=$("$compiler" list $roots $packages |
    grep -E '/msg/|_(Request|Response|Event|Goal|Result|Feedback|FeedbackMessage)$' |
    grep -Ev '^grammar_msgs/.*/(Wide|Defaults)$')
# shellcheck disable=SC2086
"$compiler" idl $roots $types >"$out/peer_types.idl"
{
    for package in $packages; do
        echo "#include \"tn_msgs/$package.h\""
    done
    echo "static const struct pair pairs[] = {"
    echo "$types" | sed -E 's|(.*)/(.*)/(.*)|    PAIR(\1, \2, \3),|'
    echo "};"
} >"$out/peer_pairs.h"
