#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: verbs.sh FIBONACCI_SERVER (under test/isolate, with TN_PREFIX set)
#
# node, topic, service, param, action and interface of `tendon`: what they print and how they exit. The texts are those
# of ros2cli.
set -u
prefix=${TN_PREFIX:?the build tree}
tendon=$prefix/bin/tendon
work=$(mktemp -d "${TMPDIR:-/tmp}/cli.XXXXXX") || exit 1
pids=()
n_checks=0

# the graph is known at once on one machine; nobody here has gids of another size
export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST TENDON_GID_SIZE=16

finish() {
    kill -KILL "${pids[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT

fail() {
    echo "verbs: $*" >&2
    echo "--- stdout" >&2
    cat "$work/out" >&2
    echo "--- stderr" >&2
    cat "$work/err" >&2
    exit 1
}

# run CODE ARGUMENTS…: the program must end with this exit code
run() {
    local code=$1 got spin=()
    shift
    # one machine: a look of half a second finds everybody
    case "$1 ${2-} $*" in
    "node "*--spin-time* | "topic "*--spin-time*) ;;
    "node list "* | "node info "* | "topic list "* | "topic info "* | "topic type "* | "topic echo "*) spin=(--spin-time 0.5) ;;
    "service list "* | "service type "* | "action list "* | "action info "*) spin=(--spin-time 0.5) ;;
    esac
    last="tendon $*"
    timeout 60 "$tendon" "${@:1:2}" "${spin[@]}" "${@:3}" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    n_checks=$((n_checks + 1))
    [ "$got" -eq "$code" ] || fail "$last: exit $got, expected $code"
}

out_is() {
    n_checks=$((n_checks + 1))
    [ "$(cat "$work/out")" = "$1" ] || fail "$last: expected
$1"
}

out_has() {
    n_checks=$((n_checks + 1))
    grep -qF -- "$1" "$work/out" || fail "$last: no '$1'"
}

out_has_not() {
    n_checks=$((n_checks + 1))
    ! grep -qF -- "$1" "$work/out" || fail "$last: must not print '$1'"
}

err_has() {
    n_checks=$((n_checks + 1))
    grep -qF -- "$1" "$work/err" || fail "$last: no '$1' on stderr"
}

# ---- without anybody ----

run 0 --version
out_has "tendon 0."
run 2 topic
run 0 topic --help
out_has "echo"
run 0 topic echo --help
out_has "--no-arr"
run 2 topic ecko /x
err_has 'no verb "ecko"'
run 2 topic echo
err_has "an argument is missing"
run 2 topic list --shw-types
err_has 'no option "--shw-types"'
run 2 topic echo /x --truncate-length
err_has "needs a value"
run 2 topic echo /x std_msgs/msg/String --truncate-length many
err_has "expected a whole number"
# values that an option cannot have are errors of the command line, wherever they are found
for wrong in "--qos-depth -1" "--qos-depth 0" "--qos-reliability sometimes" "--spin-time nan" "--spin-time -1" "--timeout 0"; do
    # shellcheck disable=SC2086 # an option and its value
    run 2 topic echo /x std_msgs/msg/String ${wrong/#--spin-time*/--spin-time 0.1} $wrong
    err_has "${wrong% *} is \"${wrong#* }\""
done
run 2 node list --spin-time inf
err_has '--spin-time is "inf"'
# no message will have it: nobody has to wait for one
run 2 topic echo /x std_msgs/msg/Header --field stamp.secs --spin-time 0.1
err_has 'builtin_interfaces/msg/Time has no member "secs"'
run 2 topic echo /x std_msgs/msg/Header --field 'stamp[0]' --spin-time 0.1
err_has '"stamp" is no array'

# what the caller has closed must not be taken by sockets of ours
(exec <&- >&- 2>&-; exec "$tendon" topic echo /x std_msgs/msg/String) & pids+=($!)
(exec <&- >&- 2>&-; exec "$prefix/lib/tendon/hand_model_adapter" --ros-args -r __node:=closed) & pids+=($!)
for pid in "${pids[@]: -2}"; do
    last="standard streams of $pid"
    until [ "$(readlink "/proc/$pid/fd/2")" = /dev/null ]; do kill -0 "$pid" || fail "$last: it ended"; done
    [ "$(readlink "/proc/$pid/fd/0")" = /dev/null ] && [ "$(readlink "/proc/$pid/fd/1")" = /dev/null ] || fail "$last"
    kill -INT "$pid"
done

run 0 interface show std_msgs/msg/Header
out_is "$(printf 'builtin_interfaces/Time stamp\n\tint32 sec\n\tuint32 nanosec\nstring frame_id')"
run 0 interface show std_srvs/srv/SetBool
out_is "$(printf 'bool data\n---\nbool success\nstring message')"
run 0 interface show example_interfaces/action/Fibonacci
out_is "$(printf 'int32 order\n---\nint32[] sequence\n---\nint32[] sequence')"
run 1 interface show std_msgs/msg/Heade
err_has "unknown interface"
run 0 interface list --only-actions
out_is "$(printf 'Actions:\n    example_interfaces/action/Fibonacci')"
run 0 interface list
out_has "    tendon_msgs/msg/HandFrame"
out_has_not "SendGoal"

# what could not be written was not done
"$tendon" interface list >/dev/full 2>"$work/err" && fail "interface list on a full disk: exit 0"
last="interface list on a full disk"
err_has "No space left on device"

run 1 topic echo /nobody --spin-time 0.2
err_has "its type is not known"
run 1 topic echo /nobody std_msgs/msg/Strin --spin-time 0.2
err_has 'no message type "std_msgs/msg/Strin"'
run 1 topic pub /x std_msgs/msg/String '{dat: 1}'
err_has 'VALUES: line 1, column 2: std_msgs/msg/String has no member "dat"'
run 1 topic pub /x std_msgs/msg/UInt8 '{data: 256}'
err_has '"256" is no whole number from 0 to 255'
run 1 topic pub 'no name' std_msgs/msg/String --once
run 1 service call /nobody std_srvs/srv/Trigger --timeout 0.3
err_has "nobody serves /nobody"
run 1 param get /nobody x
err_has "was not found"
run 1 node info /nobody --spin-time 0.2
err_has "unable to find node"
ROS_DOMAIN_ID=x run 1 node list
err_has "ROS_DOMAIN_ID"

# ---- a node with an action ----

"$1" --ros-args -r __ns:=/math >"$work/server" 2>&1 &
pids+=($!)
for _ in $(seq 100); do
    timeout 60 "$tendon" action list --spin-time 0.3 2>/dev/null | grep -q fibonacci && break
done
run 0 action list -t
out_has "fibonacci [example_interfaces/action/Fibonacci]"
action=$(cut -d' ' -f1 "$work/out")
run 0 node list
server=$(cat "$work/out")
run 0 node list --count-nodes
out_is 1
run 0 node info "$server"
out_has "  Action Servers:"
out_has "    $action: example_interfaces/action/Fibonacci"
out_has "/get_parameters: rcl_interfaces/srv/GetParameters"
out_has_not "_action"
run 0 node info "$server" --include-hidden
out_has "$action/_action/status: action_msgs/msg/GoalStatusArray"
run 0 action info "$action"
out_is "$(printf 'Action: %s\nAction clients: 0\nAction servers: 1\n    %s' "$action" "$server")"
run 0 topic list
out_has_not "_action"
run 0 topic info -v "$action/_action/status"
out_has "  Durability: TRANSIENT_LOCAL"
out_has "Topic type hash: RIHS01_6c1684b00f177d37438febe6e709fc4e2b0d4248dca4854946f9ed8b30cda83e"

run 0 action send_goal "$action" example_interfaces/action/Fibonacci '{order: 5}' --feedback
out_has "Goal accepted with ID: "
out_has "Feedback:"
out_has "$(printf 'sequence:\n- 0\n- 1\n- 1\n- 2\n- 3\n- 5\n')"
out_has "Goal finished with status: SUCCEEDED"
run 1 action send_goal "$action" example_interfaces/action/Fibonacci '{order: -1}'
out_has "Goal was rejected"
run 1 action send_goal "$action" example_interfaces/action/Fibonacci '{order: 99}'
out_has "Goal finished with status: ABORTED"
run 1 action send_goal "$action" example_interfaces/action/Fibonacci '{ordr: 5}'
err_has "GOAL: line 1"

# Ctrl-C takes the goal back
timeout 60 "$tendon" action send_goal "$action" example_interfaces/action/Fibonacci '{order: 45}' >"$work/out" 2>"$work/err" &
goal=$!
for _ in $(seq 200); do
    grep -q accepted "$work/out" && break
    read -rt 0.05 _ <> <(:)
done
last="send_goal with Ctrl-C"
pkill -INT -P "$goal" 2>/dev/null || kill -INT "$goal"
wait "$goal"
out_has "Canceling goal..."
out_has "Goal finished with status: CANCELED"

# ---- parameters of it ----

run 0 param list "$server"
out_has "  use_sim_time"
run 0 param list "$server" --param-type
out_has "  use_sim_time (type: bool"
run 0 param get "$server" use_sim_time
out_is "Boolean value is: False"
run 0 param get "$server" use_sim_time --hide-type
out_is "False"
run 1 param get "$server" use_sim_tim
err_has "has no parameter use_sim_tim"
run 1 param set "$server" use_sim_time 3
err_has "Setting parameter failed"
run 0 param set "$server" use_sim_time true
out_has "Set parameter successful"
run 0 param dump "$server"
out_has "    use_sim_time: true"
cp "$work/out" "$work/params.yaml"
run 0 param set "$server" use_sim_time false
run 0 param describe "$server" use_sim_time
out_has "  Type: bool"
# read-only ones are refused by name, the others taken
run 1 param load "$server" "$work/params.yaml"
out_has "Set parameter use_sim_time successful"
run 0 param get "$server" use_sim_time
out_is "Boolean value is: True"
run 0 param set "$server" use_sim_time false
run 0 service list -t
out_has "$server/get_type_description [type_description_interfaces/srv/GetTypeDescription]"
run 0 service call "$server/get_parameters" rcl_interfaces/srv/GetParameters '{names: [use_sim_time]}'
out_has "requester: making request: rcl_interfaces.srv.GetParameters_Request(names=['use_sim_time'])"
out_has "rcl_interfaces.srv.GetParameters_Response(values=[rcl_interfaces.msg.ParameterValue(type=1, bool_value=False"
run 0 service type "$server/get_parameters"
out_is "rcl_interfaces/srv/GetParameters"

# ---- topics between two of us ----

timeout 60 "$tendon" topic pub /talk sensor_msgs/msg/JointState \
    '{header: {stamp: now, frame_id: "a: b"}, name: [x, "2"], position: [0.1, 1e20]}' -r 50 >"$work/pub" 2>&1 &
pids+=($!)
run 0 topic echo /talk --once --field name
out_is "['x', '2']
---"
run 0 topic echo /talk --once --field header.frame_id
out_is "a: b
---"
run 0 topic echo /talk --once --csv
out_has ",a: b,x,2,0.1,1e+20"
run 0 topic echo /talk --once
out_has "$(printf "  frame_id: 'a: b'\nname:\n- x\n- '2'\nposition:\n- 0.1\n- 1.0e+20\nvelocity: []\neffort: []\n---")"
run 0 topic echo /talk --once --flow-style --no-arr
out_has "position: '<sequence type: double, length: 2>'"
run 2 topic echo /talk --once --field nam
err_has 'has no member "nam"'
run 1 topic echo /talk std_msgs/msg/String --once --timeout 0.5
run 0 topic type /talk
out_is "sensor_msgs/msg/JointState"
timeout -s INT 4 "$tendon" topic hz /talk >"$work/out" 2>"$work/err"
last="topic hz"
out_has "average rate: "
out_has "std dev: "

echo "verbs: $n_checks checks"
