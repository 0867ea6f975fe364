#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: prefix.sh BUILD_TREE
# The build tree and an install of it as ROS tools see them: sourced in three shells, walked with ament's own index, and
# put into a prefix that has setup files of ament's already.
set -u
build=${1:?the build tree}
here=$(cd "$(dirname "$0")" && pwd)
unset AMENT_PREFIX_PATH AMENT_CURRENT_PREFIX COLCON_CURRENT_PREFIX
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "prefix.sh: $*" >&2
    exit 1
}

# what a shell has after sourcing: its variables, and the program that it finds
after=' && printf "%s\n%s\n%s\n" "$AMENT_PREFIX_PATH" "$(command -v tendon)" "${AMENT_CURRENT_PREFIX-none}"'

# sourced SHELL FILE PREFIX: twice, from elsewhere, with and without strictness, behind another prefix
sourced() {
    local got expected
    expected=$(printf '%s\n%s\n%s' "$3:/opt/other" "$3/bin/tendon" none)
    for options in "" "-eu"; do
        got=$(cd / && AMENT_PREFIX_PATH=/opt/other "$1" $options -c '. "$0" && . "$0"'"$after" "$2") ||
            fail "$1 $options cannot source $2"
        [ "$got" = "$expected" ] || fail "$1 $options, after $2: got '$got', expected '$expected'"
    done
    got=$(cd / && "$1" -c '. "$0"'"$after" "$2" | head -1)
    [ "$got" = "$3" ] || fail "$1, alone: AMENT_PREFIX_PATH is '$got'"
}

all_shells() {
    local prefix=$1 name
    for name in setup local_setup; do
        sourced bash "$prefix/$name.bash" "$prefix"
        sourced zsh "$prefix/$name.zsh" "$prefix"
        sourced dash "$prefix/$name.sh" "$prefix"
        sourced bash "$prefix/$name.sh" "$prefix"
    done
}

walk() {
    (. "$1/setup.bash" && /usr/bin/python3 "$here/walk.py" "$1") || fail "ament's index does not find its way in $1"
}

# --- the build tree is a prefix
all_shells "$build"
walk "$build" >"$scratch/built" || exit 1

# --- the install, at an awkward place
prefix="$scratch/it's \$HOME \"here\""
cmake --install "$build" --prefix "$prefix" >"$scratch/log" 2>&1 || fail "no install: $(tail -3 "$scratch/log")"
all_shells "$prefix"
walk "$prefix" >"$scratch/installed" || exit 1
diff "$scratch/built" "$scratch/installed" >"$scratch/diff" ||
    fail "the build tree (<) and the install (>) differ: $(cat "$scratch/diff")"
grep -q '^package contact_glove$' "$scratch/installed" && grep -q '^program tendon robot_retargeter$' "$scratch/installed" &&
    grep -q '^interface tendon_msgs msg/HandFrame.msg$' "$scratch/installed" ||
    fail "something is missing: $(cat "$scratch/installed")"
[ "$(env TN_PREFIX= "$prefix/bin/tendon" run tendon divingstation --help | head -1)" = "usage: divingstation [OPTION…]" ] ||
    fail "the installed tendon does not run its own programs"

# --- moved: bash and zsh know where they are, sh has to be told
mv "$prefix" "$scratch/moved"
sourced bash "$scratch/moved/setup.bash" "$scratch/moved"
sourced zsh "$scratch/moved/setup.zsh" "$scratch/moved"
dash -c '. "$0"' "$scratch/moved/local_setup.sh" 2>"$scratch/log" && fail "a wrong prefix was taken"
grep -q AMENT_CURRENT_PREFIX "$scratch/log" || fail "no way out is told: $(cat "$scratch/log")"
got=$(AMENT_CURRENT_PREFIX=$scratch/moved dash -c '. "$0" && echo "$AMENT_PREFIX_PATH"' "$scratch/moved/setup.sh")
[ "$got" = "$scratch/moved" ] || fail "sh, told where it is: '$got'"

# --- into a prefix of ament's: its files stay, and find the packages
ament=$scratch/ament
mkdir -p "$ament"
templates=$(/usr/bin/python3 -c 'import ament_package, os; print(os.path.dirname(ament_package.__file__))')/template
cp "$templates"/prefix_level/{local_setup.bash,setup.bash,_local_setup_util.py} "$ament"
for name in setup local_setup; do
    sed -e "s|@CMAKE_INSTALL_PREFIX@|$ament|; s|@ament_package_PYTHON_EXECUTABLE@|/usr/bin/python3|" \
        -e 's|@SKIP_PARENT_PREFIX_PATH@||' "$templates/prefix_level/$name.sh.in" >"$ament/$name.sh"
done
cp -r "$ament" "$scratch/before"
cmake --install "$build" --prefix "$ament" >"$scratch/log" 2>&1 || fail "no install: $(tail -3 "$scratch/log")"
for name in local_setup.bash setup.bash local_setup.sh setup.sh; do
    cmp "$scratch/before/$name" "$ament/$name" || fail "$name of a foreign prefix was overwritten"
done
got=$(bash -c '. "$0" && echo "$AMENT_PREFIX_PATH" && command -v tendon' "$ament/setup.bash")
[ "$got" = "$(printf '%s\n%s' "$ament" "$ament/bin/tendon")" ] || fail "ament's own setup does not find tendon: '$got'"

# --- and ours beside it leaves both
got=$(bash -c '. "$0" && . "$1" && echo "$AMENT_PREFIX_PATH"' "$ament/setup.bash" "$scratch/moved/setup.bash")
[ "$got" = "$scratch/moved:$ament" ] || fail "an overlay: '$got'"
