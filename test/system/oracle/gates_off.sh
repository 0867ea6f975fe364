#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: gates_off.sh (under test/isolate, with TN_PREFIX set)
#
# Is the oracle able to see what it is there to see? The whole path runs twice and its driver is stopped for half a
# second again and again, so that frames queue up and come out late, all with their true old stamps. With the gates of
# retargeter and robot hand at their values the oracle must find nothing; with all of them out of the way it must find
# stale commands.
set -u
prefix=${TN_PREFIX:?the build tree}
work=$(mktemp -d "${TMPDIR:-/tmp}/gates_off.XXXXXX") || exit 1
pids=()

finish() {
    kill -CONT "${pids[@]}" 2>/dev/null
    kill -KILL "${pids[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT

fail() {
    echo "gates_off: $*" >&2
    for log in "$dir"/*.out; do
        echo "--- ${log##*/}" >&2
        tail -n 15 "$log" >&2
    done
    exit 1
}

# start NAME PROGRAM ARG…
start() {
    local name=$1
    shift
    "$prefix/lib/$1" "${@:2}" >"$dir/$name.out" 2>&1 &
    pids+=($!)
    pid_of[$name]=$!
}

# wait_for SECONDS TEXT COMMAND…: until the command succeeds
wait_for() {
    local deadline=$((SECONDS + $1)) what=$2
    shift 2
    until "$@"; do
        [ $SECONDS -lt $deadline ] || fail "$what: not within the deadline"
        sleep 0.05
    done
}

executed() {
    grep -c "^$1," "$dir/$1.log" 2>/dev/null || true
}

has_executed() {
    [ "$(executed left)" -ge "$1" ] && [ "$(executed right)" -ge "$2" ]
}

arm() {
    "$prefix/bin/tendon" arm both >"$dir/arm.out" 2>&1
}

# N more commands of both hands than there are now; on a slow machine the stop was long enough to latch: arm again
wait_for_more() {
    local left=$(($(executed left) + $1)) right=$(($(executed right) + $1)) i=0 deadline=$((SECONDS + 60))
    until has_executed "$left" "$right"; do
        [ $SECONDS -lt $deadline ] || fail "no more commands executed: not within the deadline"
        i=$((i + 1))
        [ $((i % 60)) != 0 ] || arm
        sleep 0.05
    done
}

freeze_driver() {
    kill -STOP "${pid_of[driver]}"
    sleep 0.5
    kill -CONT "${pid_of[driver]}"
}

# the sum over both hands
count() {
    grep -o "^{[^{]*\"$1\": [0-9]*" "$dir/verdict" | grep -o '[0-9]*$'
}

judge() {
    "$prefix/lib/tendon/tendon_oracle" "$dir/send.log" "$dir/left.log" "$dir/right.log" >"$dir/verdict" 2>"$dir/oracle.out"
    local status=$?
    [ $status = 0 ] || [ $status = 4 ] || fail "the oracle failed with status $status"
}

# start_path HAND_PARAMS… -- RETARGETER_PARAMS…
start_path() {
    local hand=() side
    while [ "$1" != -- ]; do
        hand+=("$1")
        shift
    done
    shift
    declare -gA pid_of=()
    for side in left right; do
        start "$side" tendon/end_effector_node --ros-args -r "__node:=${side}_hand" -p "side:=$side" -p device:=sim \
            -p sim:=true -p "execution_log:=$dir/$side.log" "${hand[@]}"
    done
    start retargeter tendon/robot_retargeter --ros-args -p sim:=true "$@"
    start adapter tendon/hand_model_adapter --ros-args -p publish_node_tf:=false "${adapter[@]}"
    start driver contact_glove/contact_glove_node --ros-args -r __ns:=/contact_glove -p protocol:=v1
    start glove tendon/divingstation --send-log "$dir/send.log"
    wait_for 60 "both hands armed" arm
    wait_for 60 "first commands" has_executed 60 60
}

stop_path() {
    kill -INT "${pids[@]}" 2>/dev/null
    wait "${pids[@]}" 2>/dev/null
    pids=()
}

# gates in place: frames that waited never move the hand
dir=$work/on
mkdir "$dir"
adapter=()
start_path -p max_command_age_s:=0.15 -p position_watchdog_s:=0.2 --
for _ in 1 2 3; do
    freeze_driver
    wait_for_more 60
done
stop_path
judge
for key in stale repeated unmatched; do
    [ "$(count $key)" = 0 ] || fail "gates on: $(count $key) $key commands: $(cat "$dir/verdict")"
done
echo "gates on: $(count executed) commands, none stale"

# gates out of the way: now they do, and the oracle says so
dir=$work/off
mkdir "$dir"
adapter=(-p stale_timeout:=50.0 -p disconnect_timeout:=60.0)
start_path -- -p stale_timeout:=1e6 -p disconnect_timeout:=2e6 -p max_sample_age:=1e6 -p reject_speed:=0.0
for _ in 1 2 3 4 5 6 7 8 9 10; do
    freeze_driver
    wait_for_more 30
    judge
    [ "$(count stale)" = 0 ] || break
done
stop_path
judge
[ "$(count stale)" -gt 0 ] || fail "gates off: the oracle saw no stale command: $(cat "$dir/verdict")"
echo "gates off: $(count stale) of $(count executed) commands stale"
