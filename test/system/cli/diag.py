#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: diag.py PEER (under test/isolate, with TN_PREFIX set)

`tendon diag` as a user meets it: nobody there, one that speaks, falls silent and comes back, the nodes of the demo with
all their keys, and beside them a publisher that means harm. PEER is peer.diag_cyclone.
"""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

PREFIX = os.environ["TN_PREFIX"]
TENDON = os.path.join(PREFIX, "bin", "tendon")
PEER = sys.argv[1]
# only a failing test waits this long
DEADLINE_S = 90
ENV = dict(os.environ, TENDON_GID_SIZE="16", TERM="xterm")
ENV.pop("NO_COLOR", None)

STREAM = ["Actual frequency (Hz)", "distinct_hz", "interval_p50_ms", "interval_p95_ms", "interval_p99_ms",
          "interval_max_ms", "longest_gap_ms", "stamp_kind", "negative_ages", "received", "reconnects"]
NUMBERED = ["distinct", "missing", "missing_run_now", "missing_run_max", "repeated", "reordered"]
GLOVE = STREAM + ["ergonomics_hz", "joint_states_glove", "haptics_dropped"]
HAND = STREAM + NUMBERED + [
    "Target frequency (Hz)", "stream_id", "streams", "rejected_late", "rejected_not_tracked", "rejected_side",
    "rejected_not_finite", "rejected_range", "rejected_id", "rejected_other_device", "rejected_disconnected",
    "rejected_other_writer", "age_unknown", "age_stale", "rejected_no_clock", "unsent"]
DEVICE = ["state", "device", "poll_rate_hz", "command_age_p50_s", "command_age_p99_s", "executed", "coalesced",
          "expired", "writes", "failed_writes", "polls", "failed_polls", "holds", "poses", "resumes", "rate_timeouts",
          "losses", "writer_changes", "clock_steps", "undecodable", "accepted", "length", "count", "unknown_name",
          "wrong_side", "duplicate_name", "unknown_mode", "unsupported_mode", "not_finite", "range", "other_writer",
          "no_stamp", "age_unknown", "stale", "future", "repeated", "reordered", "not_ready", "stopped", "lost",
          "closed"]
SESSION = ["state", "arming", "reason", "moving", "resuming", "frames", "accepted", "rejected_stale",
           "rejected_repeated", "rejected_reordered", "rejected_side", "rejected_device", "rejected_implausible",
           "rejected_not_active", "rejected_other_writer", "clock_jumps", "transitions", "arms", "reconnects",
           "approaches"]
DEMO = {"contact_glove_node: DivingStation": [
    "protocol", "divingstation", "receive_port", "source_port", "datagrams", "connects", "reconnects", "send_errors",
    "gloves_refused", "haptics_sent", "haptics_merged"]}
for side in ("left", "right"):
    DEMO["contact_glove_node: " + side] = GLOVE
    DEMO["hand_model_adapter: %s hand" % side] = HAND
    DEMO["robot_retargeter: %s session" % side] = SESSION
    DEMO["robot_retargeter: %s hand frames" % side] = STREAM + NUMBERED
    DEMO["robot_retargeter: %s robot feedback" % side] = STREAM
    DEMO["%s_hand: %s hand" % (side, side)] = DEVICE
    DEMO["%s_hand: %s hand commands" % (side, side)] = STREAM
    DEMO["%s_hand: %s hand polls" % (side, side)] = STREAM

children = []


def check(condition, text):
    if not condition:
        raise AssertionError(text)


class Child:
    """A program whose lines are read while it runs."""

    def __init__(self, *argv):
        self.argv = argv
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENV)
        self.rest = b""
        children.append(self.process)

    def wait_for(self, condition, what):
        """The first line that the condition likes."""
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            if select.select([self.process.stdout], [], [], 1.0)[0]:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
                check(data, "%s ended before %s" % (" ".join(self.argv), what))
                *lines, self.rest = (self.rest + data).split(b"\n")
                for line in lines:
                    if condition(line.decode("utf-8", "strict")):
                        return line.decode()
        raise AssertionError("%s never told %s" % (" ".join(self.argv), what))

    def signal(self, number):
        self.process.send_signal(number)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        while os.read(self.process.stdout.fileno(), 1 << 16):
            pass
        return self.process.wait(DEADLINE_S)

    def kill(self):
        self.process.kill()
        self.process.wait()
        children.remove(self.process)


def diag(code, *argv):
    done = subprocess.run((TENDON, "diag") + argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV,
                          timeout=DEADLINE_S, check=False)
    check(done.returncode in code, "diag %s: exit %d\n%s\n%s" % (argv, done.returncode, done.stdout, done.stderr))
    return done.stdout.decode("utf-8", "strict"), done.stderr.decode()


def look_until(condition, *argv):
    """Looks longer and longer until what is printed, and how it ended, is as it must be."""
    spin_s = 1.0
    while True:
        done = subprocess.run((TENDON, "diag", "--once", "--spin-time", str(spin_s)) + argv, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=ENV, timeout=DEADLINE_S, check=False)
        out = done.stdout.decode("utf-8", "strict")
        if condition(done.returncode, out):
            return out
        check(spin_s < 40, "diag %s: exit %d\n%s" % (argv, done.returncode, out))
        spin_s *= 2


def nobody_is_a_failure():
    out, err = diag([1], "--once", "--spin-time", "0.3")
    check(out == "" and "nobody said anything on /diagnostics" in err, out + err)
    out, err = diag([1], "--once", "--json", "--agg", "--spin-time", "0.1")
    check(json.loads(out)["statuses"] == [] and "/diagnostics_agg" in err, out + err)
    for wrong in (["--bogus"], ["name"], ["--timeout", "0"], ["--spin-time", "x"], ["--watch"]):
        diag([2], *wrong)
    check("exit code" in diag([0], "--help")[0].lower(), "--help tells of exit codes")


def one_speaks_falls_silent_and_comes_back():
    talker = Child(PEER, "0", "talk")
    out, _ = diag([0], "--once", "--watch", "talker: voice", "--spin-time", str(DEADLINE_S))
    check(out.startswith("OK    talker: voice\n  message:     well\n  hardware id: none\n"), out)
    live = Child(TENDON, "diag", "--timeout", "1")
    live.wait_for(lambda line: line.endswith("OK    talker: voice: well"), "what the talker says")
    talker.signal(signal.SIGSTOP)
    live.wait_for(lambda line: "STALE talker: voice: silent for" in line, "that the talker is silent")
    talker.signal(signal.SIGCONT)
    live.wait_for(lambda line: line.endswith("OK    talker: voice: well"), "that it is back")
    check(live.interrupt() == 0, "Ctrl-C is no failure")
    talker.kill()


def has_all(statuses):
    """Whether all of the demo is there with all of its keys."""
    for name, keys in DEMO.items():
        if name not in statuses:
            return False
        if not set(keys) <= {value["key"] for value in statuses[name]["values"]}:
            return False
    return True


def by_name(line):
    return {status["name"]: status for status in json.loads(line)["statuses"]}


def the_demo_tells_all_its_keys():
    live = Child(TENDON, "diag", "--json")
    try:
        line = live.wait_for(lambda line: has_all(by_name(line)), "all keys of the demo")
    finally:
        live.process.kill()
    statuses = by_name(line)
    check(statuses["left_hand: left hand"]["group"] == "left_hand", "groups are nodes")
    check(all(status["hardware_id"] != "" or "session" in name or "hand" in name
              for name, status in statuses.items()), "hardware ids")
    groups = ("contact_glove_node", "hand_model_adapter", "left_hand", "right_hand", "robot_retargeter")
    look_until(lambda code, out: code in (0, 11, 12) and
               all(re.search("^(OK   |WARN |ERROR) %s$" % group, out, re.M) for group in groups) and
               re.search("^  (OK   |WARN |ERROR) left session {25}", out, re.M))


def a_terminal_gets_colours():
    master, slave = pty.openpty()
    process = subprocess.Popen((TENDON, "diag"), stdin=slave, stdout=slave, stderr=slave, env=ENV)
    children.append(process)
    os.close(slave)
    seen, end = b"", time.monotonic() + DEADLINE_S
    while time.monotonic() < end and not (b"\033[H" in seen and re.search(rb"\033\[3[1235]m(OK|WARN|ERR|STA)", seen)
                                          and b"robot_retargeter" in seen):
        if select.select([master], [], [], 1.0)[0]:
            seen += os.read(master, 1 << 16)
    check(b"robot_retargeter" in seen, seen.decode(errors="replace"))
    process.send_signal(signal.SIGINT)
    # what it still draws must find a reader; a terminal without a program reads as an error
    try:
        while os.read(master, 1 << 16):
            pass
    except OSError:
        pass
    process.wait(DEADLINE_S)
    os.close(master)
    check(process.returncode == 0, "exit %d" % process.returncode)


def peak_mib(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)) // 1024


def harm_is_bounded_and_hides_nobody():
    hostile = Child(PEER, "0", "hostile")
    live = Child(TENDON, "diag", "--json")

    def is_flooded(line):
        table = json.loads(line)
        names = by_name(line)
        return (table["left_out"] > 5000 and table["undecodable"] > 1 and len(table["statuses"]) > 400 and
                has_all(names) and all(names[name]["age_s"] < 60 for name in DEMO))

    line = live.wait_for(is_flooded, "the demo beside a flood")
    check(len(by_name(line)) <= 512, "more than there are places for")
    check(peak_mib(live.process.pid) < 500, "%d MiB" % peak_mib(live.process.pid))
    live.process.kill()
    # what found no room may be worse than what is shown
    look_until(lambda code, out: code in (11, 12) and "found no room" in out)
    # a level that is none is an error; what steers terminals is not passed on
    out = look_until(lambda code, out: code == 12 and "level 200: no level" in out and "keys more" in out and
                     "hostile: ?[2J?[Hsteers" in out, "--watch", "hostile")
    check(not re.search("[\x00-\x09\x0b-\x1f\x7f\x80-\x9f]", out), repr(out))
    hostile.kill()


def main():
    try:
        nobody_is_a_failure()
        one_speaks_falls_silent_and_comes_back()
        demo = Child(TENDON, "demo", "--plain")
        # its lines are nobody's business here, but must go somewhere
        drain = subprocess.Popen(["cat"], stdin=demo.process.stdout, stdout=subprocess.DEVNULL)
        children.append(drain)
        the_demo_tells_all_its_keys()
        a_terminal_gets_colours()
        harm_is_bounded_and_hides_nobody()
        demo.signal(signal.SIGINT)
        demo.process.wait(DEADLINE_S)
    finally:
        for process in children:
            process.kill()


main()
