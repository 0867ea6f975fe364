#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: foreign.sh (under test/isolate, with TN_PREFIX set)
#
# Types that the program was not built with: from the interface files of a workspace, shown, published and echoed.
set -u
tendon=${TN_PREFIX:?the build tree}/bin/tendon
work=$(mktemp -d "${TMPDIR:-/tmp}/foreign.XXXXXX") || exit 1
pid=
export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST TENDON_GID_SIZE=16
trap '[ -z "$pid" ] || kill "$pid"; wait; rm -rf "$work"' EXIT

fail() {
    echo "foreign: $*" >&2
    cat "$work/out" "$work/err" >&2
    exit 1
}

expect() { # TEXT
    [ "$(cat "$work/out")" = "$1" ] || fail "expected
$1"
}

package=$work/ws/share/foreign_msgs
mkdir -p "$package/msg" "$package/srv"
printf '# a comment\nstd_msgs/Header header\nPart[] parts\nstring name "x"\n' >"$package/msg/Thing.msg"
printf 'float32 value 1.5\nint8[2] pair\n' >"$package/msg/Part.msg"
printf 'int8 a\n---\nbool b\n' >"$package/srv/Do.srv"
printf 'int8 high 300\n' >"$package/msg/Bad.msg"

# without the workspace nobody knows it
"$tendon" interface show foreign_msgs/msg/Thing >"$work/out" 2>"$work/err" && fail "a type out of nowhere"
export AMENT_PREFIX_PATH=/nowhere:$work/ws

"$tendon" interface show foreign_msgs/msg/Thing >"$work/out" 2>"$work/err" || fail "interface show"
expect "std_msgs/Header header
	builtin_interfaces/Time stamp
		int32 sec
		uint32 nanosec
	string frame_id
foreign_msgs/Part[] parts
	float32 value 1.5
	int8[2] pair
string name \"x\""
"$tendon" interface show foreign_msgs/srv/Do >"$work/out" 2>"$work/err" || fail "interface show, a service"
expect "int8 a
---
bool b"
"$tendon" interface show foreign_msgs/msg/Bad >"$work/out" 2>"$work/err" && fail "a bad file"
grep -q "Bad.msg:1:11" "$work/err" || fail "the place of the mistake is not told"

timeout 60 "$tendon" topic pub /thing foreign_msgs/msg/Thing '{parts: [{pair: [1, -2]}, {value: 2}]}' -r 20 \
    >"$work/pub" 2>&1 &
pid=$!
timeout 60 "$tendon" topic echo /thing --once >"$work/out" 2>"$work/err" || fail "topic echo"
expect "header:
  stamp:
    sec: 0
    nanosec: 0
  frame_id: ''
parts:
- value: 1.5
  pair:
  - 1
  - -2
- value: 2.0
  pair:
  - 0
  - 0
name: x
---"
echo "foreign: done"
