#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a launch does when things go wrong, and what it says to a wrong command line.
. "$(dirname "$0")/lib.sh"

# --- ends: exit codes are told, and do not make the launch fail
cat >"$scratch/ends.launch.xml" <<'END'
<launch>
  <executable cmd="sh -c 'echo fine'" output="screen"/>
  <executable cmd="sh -c 'exit 7'" output="screen"/>
  <executable cmd="sh -c 'kill -SEGV $$'" output="screen"/>
</launch>
END
started "$scratch/ends.launch.xml"
ended 0
for line in '^\[INFO\] \[launch\]: All log files can be found below /' '^\[INFO\] \[sh-1\]: process started with pid' '^\[sh-1\] fine$' \
    '^\[INFO\] \[sh-1\]: process has finished cleanly \[pid [0-9]+\]$' \
    "^\[ERROR\] \[sh-2\]: process has died \[pid [0-9]+, exit code 7, cmd '[^ ]*sh -c exit 7'\]\.$" \
    '^\[ERROR\] \[sh-3\]: process has died \[pid [0-9]+, exit code -11, cmd'; do
    shown "$line" || fail "does not say $line"
done
! grep -q $'\033' "$out" || fail "colours, and no terminal"

# --- one that all need
cat >"$scratch/needed.launch.xml" <<'END'
<launch>
  <executable cmd="sleep 1000" output="screen"/>
  <executable cmd="sh -c 'read line &lt;fifo'" cwd="$(dirname)" on_exit="shutdown" output="screen"/>
</launch>
END
mkfifo "$scratch/fifo"
started "$scratch/needed.launch.xml"
say 'sh-2\]: process started'
echo >"$scratch/fifo"
ended 0
shown "sending signal 'SIGINT' to process\[sleep-1\]" || fail "the others went on"
nothing_left

# --- killed: nothing is left, not even a grandchild
cat >"$scratch/deep.launch.xml" <<END
<launch>
  <executable cmd="sh -c 'sleep 1000 &amp; sleep 1000 &amp; echo deep; wait'" output="screen"/>
  <node pkg="tendon" exec="end_effector_node" launch-prefix="sh -c '&quot;\$0&quot; &quot;\$@&quot; &amp; wait'" output="screen"/>
</launch>
END
started "$scratch/deep.launch.xml"
say '^\[sh-1\] deep$'
say 'the device answers'
kill -KILL "$launch"
ended 137
nothing_left

# --- a hang is ended
cat >"$scratch/deaf.launch.xml" <<'END'
<launch>
  <executable cmd="sh -c 'trap &quot;&quot; INT TERM; echo deaf; while :; do sleep 0.1; done'" output="screen"
              sigterm_timeout="0.1" sigkill_timeout="0.2"/>
</launch>
END
started "$scratch/deaf.launch.xml"
say '^\[sh-1\] deaf$'
stop INT 0
shown "failed to terminate '0\.1' seconds after receiving 'SIGINT', escalating to 'SIGTERM'" || fail "no SIGTERM"
shown "failed to terminate '0\.2' seconds after receiving 'SIGTERM', escalating to 'SIGKILL'" || fail "no SIGKILL"

# --- a terminal that closes is an end; nohup makes it none
started "$scratch/needed.launch.xml"
say 'sh-2\]: process started'
stop HUP 1
: >"$out"
env --default-signal=INT,QUIT nohup tendon launch "$scratch/needed.launch.xml" >"$out" 2>&1 </dev/null &
launch=$!
say 'sh-2\]: process started'
kill -HUP "$launch"
kill -USR1 "$(pgrep -f "sleep 1000$")"
say 'sleep-1\]: process has died \[pid [0-9]+, exit code -10'
stop INT 0

# --- rviz2 that is not there
cat >"$scratch/rviz.launch.xml" <<'END'
<launch>
  <node pkg="rviz2" exec="rviz2" name="rviz2"/>
  <executable cmd="sh -c 'echo on'" output="screen"/>
</launch>
END
started "$scratch/rviz.launch.xml"
ended 0
shown '^\[sh-2\] on$' || fail "no launch without rviz2"
[ "$(grep -c 'rviz2 is not installed' "$out")" = 1 ] || fail "not one warning"
refused 1 "rviz\.launch\.xml:2: package 'rviz2' not found; source its workspace" --strict "$scratch/rviz.launch.xml"

# --- what is missing, with a way out; nothing starts
cat >"$scratch/missing.launch.xml" <<'END'
<launch>
  <executable cmd="sh -c 'echo started'" output="screen"/>
  <node pkg="tendon" exec="end_effector"/>
</launch>
END
refused 1 "missing\.launch\.xml:3: package 'tendon' has no program 'end_effector'; it has: .*end_effector_node" \
    "$scratch/missing.launch.xml"
! shown started || fail "something was started"
sed -i 's/pkg="tendon"/pkg="tendons"/' "$scratch/missing.launch.xml"
refused 1 "package 'tendons' not found; source its workspace \(AMENT_PREFIX_PATH\).*searched: $PREFIX" \
    "$scratch/missing.launch.xml"
refused 1 "no file 'hands.launch.xml' below this folder; launch files there: .*hands_sim.launch.xml" tendon hands.launch.xml
refused 1 "package 'tendons' not found" tendons hands_sim.launch.xml
refused 1 "no such launch file" ./none.launch.xml
refused 1 "launch files there: contact_glove.launch.xml" contact_glove
echo 'import launch' >"$scratch/a.launch.py"
refused 1 "none in Python or YAML: use ros2 launch" "$scratch/a.launch.py"
refused 2 "a package and a launch file are missing"
refused 2 '"seed" is no launch argument' tendon hands_sim.launch.xml seed
refused 2 "unrecognized option '--sped'" --sped tendon hands_sim.launch.xml
refused 2 "exclude each other" -p -s tendon hands_sim.launch.xml

# --- logs that cannot be written are a warning
ROS_LOG_DIR=/dev/null/logs started contact_glove contact_glove.launch.xml
nodes /contact_glove/contact_glove_node
stop INT 0
shown 'set ROS_LOG_DIR' || fail "nothing said of the logs"
[ -z "$(ls -d "${TMPDIR:-/tmp}"/tendon-launch-* 2>/dev/null)" ] || fail "parameters left behind"

# --- nobody listens, and nothing is open: it runs all the same
(exec <&- >&- 2>&-; tendon launch "$scratch/ends.launch.xml")
status=$?
[ $status = 0 ] || fail "without standard streams it ended with $status"
grep -q '\[sh-1\]: process has finished cleanly' "$ROS_LOG_DIR/latest/launch.log" || fail "without standard streams: no log"

# --- an argument that no file has
started tendon hands_sim.launch.xml sede:=3
say '^\[WARNING\] \[launch\]: no launch file has the argument sede'
stop INT 0

# --- tendon run is the program itself
env --default-signal=INT,QUIT tendon run contact_glove contact_glove_node --ros-args -r __ns:=/alone >"$out" 2>&1 &
launch=$!
nodes /alone/contact_glove_node
stop INT 0
tendon run --prefix "sh -c 'exit 9'" contact_glove contact_glove_node
[ $? = 9 ] || fail "--prefix of tendon run"
