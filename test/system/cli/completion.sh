#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: completion.sh (with TN_PREFIX set)
# The completion script of bash, loaded and asked as bash asks it.
set -u
PATH=${TN_PREFIX:?the build tree}/bin:$PATH
# shellcheck disable=SC1090
source <(tendon completion bash) || exit 1

# ask WORDS…: COMPREPLY for the last word
ask() {
    COMP_WORDS=("$@")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _tendon 2>/dev/null
}

expect() {
    [ "${COMPREPLY[*]}" = "$1" ] && return
    echo "completion of '${COMP_WORDS[*]}': got '${COMPREPLY[*]}', expected '$1'" >&2
    exit 1
}

ask tendon to
expect topic
ask tendon topic e
expect echo
ask tendon topic echo --trunc
expect --truncate-length
ask tendon interface show std_srvs/srv/
expect "std_srvs/srv/Empty std_srvs/srv/SetBool std_srvs/srv/Trigger"
ask tendon topic pub /x std_msgs/msg/Hea
expect std_msgs/msg/Header
ask tendon action send_goal /f example_interfaces/action/
expect example_interfaces/action/Fibonacci
ask tendon param load /node ""
expect ""
ask tendon topic list --spin-time ""
expect ""
ask tendon launch tendon hands_s
expect hands_sim.launch.xml
ask tendon launch --stri
expect --strict
ask tendon run contact_glove contact_glove_n
expect contact_glove_node
ask tendon run --prefix "gdb --args" contact_g
expect "contact_glove contact_glove_msgs"
ask tendon run contact_glove contact_glove_node ""
expect ""
ask tendon diag --o
expect --once
ask tendon diag --watch ""
expect ""
ask tendon diag ""
expect ""
ask tendon pkg executables contact_glove_
expect contact_glove_msgs
tendon completion zsh | grep -q '^#compdef tendon' || exit 1
