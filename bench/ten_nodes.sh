#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: ten_nodes.sh PREFIX
# What bench/ten_nodes.launch.xml starts, by hand; a background job of a script ignores INT unless told not to.
set -m
for i in 0 1 2 3 4 5 6 7 8 9; do
    "$1/lib/tendon/end_effector_node" --ros-args -r "__node:=hand_$i" &
done
trap 'kill -INT $(jobs -p)' INT
wait
wait
