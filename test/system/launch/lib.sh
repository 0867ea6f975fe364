# SPDX-License-Identifier: Apache-2.0
# for the scripts beside: a launch in the background, what it says, and what is left of it
set -u
PREFIX=${TN_PREFIX:?the build tree}
PATH=$PREFIX/bin:$PATH
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
export ROS_LOG_DIR=$scratch/log
export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
unset AMENT_PREFIX_PATH OVERRIDE_LAUNCH_PROCESS_OUTPUT
out=$scratch/out
launch=
trap '[ -z "$launch" ] || kill -KILL "$launch" 2>/dev/null; rm -rf "$scratch"' EXIT
# a machine under load takes long; a hang takes longer
deadline=60

fail() {
    echo "$(basename "$0"): $*" >&2
    [ ! -s "$out" ] || sed 's/^/    /' "$out" >&2
    exit 1
}

# until WHAT COMMAND…: tries until the command succeeds
until_true() {
    local what=$1 end=$((SECONDS + deadline))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || fail "not within $deadline s: $what"
        sleep 0.05
    done
}

shown() {
    grep -qE -- "$1" "$out"
}

# started ARGS…: `tendon launch ARGS…` in the background
started() {
    : >"$out"
    env --default-signal=INT,QUIT tendon launch "$@" >"$out" 2>&1 </dev/null &
    launch=$!
}

say() {
    until_true "line '$1'" shown "$1"
}

in_graph() {
    local list name
    list=$(tendon node list --spin-time 1 2>/dev/null)
    for name in "$@"; do
        grep -qxF -- "$name" <<<"$list" || return 1
    done
}

# nodes NAME…: all of them
nodes() {
    until_true "nodes $* in the graph" in_graph "$@"
}

# ended STATUS: the launch has ended so
ended() {
    local status
    wait "$launch" 2>/dev/null
    status=$?
    launch=
    [ "$status" = "$1" ] || fail "the launch ended with $status, expected $1"
}

# stop SIGNAL STATUS
stop() {
    kill "-$1" "$launch"
    ended "$2"
    nothing_left
}

programs() {
    pgrep -f "^$PREFIX/lib/" || pgrep -f "sleep 1000$"
}

nothing_runs() {
    ! programs
}

nothing_left() {
    until_true "nothing of it runs" nothing_runs
}

# refused STATUS PATTERN ARGS…: ends at once with the status and one line that says what
refused() {
    local status=$1 pattern=$2
    shift 2
    tendon launch "$@" >"$out" 2>&1 </dev/null
    local got=$?
    [ "$got" = "$status" ] || fail "launch $*: ended with $got, expected $status"
    shown "$pattern" || fail "launch $*: does not say '$pattern'"
}
