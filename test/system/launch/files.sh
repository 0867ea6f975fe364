#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: files.sh SOURCE_DIR
# Every launch file of ours, started as its user starts it: its nodes are in the graph, its arguments arrive, and
# nothing is left of it.
. "$(dirname "$0")/lib.sh"
source=${1:?the sources}
tested=

# parameter NODE NAME VALUE
has_parameter() {
    [ "$(tendon param get --hide-type "$1" "$2" 2>/dev/null)" = "$3" ]
}
parameter() {
    until_true "$1 $2 = $3" has_parameter "$@"
}

# --- the driver alone
tested+=" contact_glove/contact_glove.launch.xml"
started contact_glove contact_glove.launch.xml
nodes /contact_glove/contact_glove_node
parameter /contact_glove/contact_glove_node receive_port 25788
stop INT 0
[ -f "$ROS_LOG_DIR/latest/launch.log" ] || fail "no launch.log"

cat >"$scratch/more.yaml" <<'END'
/**:
  ros__parameters:
    send_port: 31002
    stale_timeout: 0.5
END
started contact_glove contact_glove.launch.xml namespace:=lab/gloves receive_port:=31001 send_port:=31000 \
    left_joint_state_glove_id:=123 params_file:="$scratch/more.yaml"
nodes /lab/gloves/contact_glove_node
parameter /lab/gloves/contact_glove_node receive_port 31001
parameter /lab/gloves/contact_glove_node left_joint_state_glove_id 123
# the file wins
parameter /lab/gloves/contact_glove_node send_port 31002
parameter /lab/gloves/contact_glove_node stale_timeout 0.5
stop INT 0

# --- two simulated hands follow two software gloves
tested+=" tendon/hands_sim.launch.xml"
started tendon hands_sim.launch.xml respawn:=true
nodes /left_hand /right_hand /robot_retargeter /hand_model_adapter /contact_glove/contact_glove_node
say 'data from DivingStation arrives'
armed() { tendon arm both; }
until_true "both hands armed" armed
say 'left hand: ACTIVE'
say 'right hand: ACTIVE'
# one that dies comes back
kill -KILL "$(pgrep -f "^$PREFIX/lib/tendon/hand_model_adapter")"
say '\[ERROR\] \[hand_model_adapter-4\]: process has died \[pid [0-9]+, exit code -9, cmd'
twice() { [ "$(grep -cE '\[hand_model_adapter-4\]: process started' "$out")" = 2 ]; }
until_true "the adapter again" twice
stop INT 0
[ "$(grep -oE "sending signal 'SIGINT' to process\[[a-z_]+" "$out" | sed 's/.*\[//' | tr '\n' ' ')" = \
    "divingstation contact_glove_node hand_model_adapter robot_retargeter end_effector_node end_effector_node " ] ||
    fail "not asked to end in the reverse order of their start"

started tendon hands_sim.launch.xml software_glove:=false
say '\[contact_glove_node-5\]: process started'
! shown divingstation || fail "a software glove that nobody wanted"
stop TERM 1

# --- none is forgotten
for file in "$source"/share/*/launch/*.launch.xml; do
    package=$(basename "$(dirname "$(dirname "$file")")")
    case " $tested " in
    *" $package/$(basename "$file") "*) ;;
    *) fail "$file is started by no test" ;;
    esac
done
