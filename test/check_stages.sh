# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by test/check and test/check_deep: stages that are counted, and the sum at the end.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
JOBS=${JOBS:-$(nproc)}
passed=0
failed=0
failures=()
logs=build/check
mkdir -p $logs

# sanitizers of gcc 12 and clang 14 need the fixed layout where the kernel randomises more than they know
fixed_layout=()
! setarch -R true 2>/dev/null || fixed_layout=(setarch -R)
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-suppressions=$PWD/test/tsan.supp:ignore_noninstrumented_modules=1}

count() { # name passed failed
    passed=$((passed + $2))
    failed=$((failed + $3))
    [ "$3" = 0 ] || failures+=("$1")
    printf -- '--- %s: %d passed, %d failed (%d s)\n' "$1" "$2" "$3" $((SECONDS - stage_start))
}

# a step that is one check
stage() { # name command…
    local name=$1
    shift
    stage_start=$SECONDS
    echo "--- $name"
    if "$@"; then count "$name" 1 0; else count "$name" 0 1; return 1; fi
}

build_preset() { # preset [cmake argument…]
    local preset=$1
    shift
    build_tree "build/$preset" --preset "$preset" "$@"
}

build_tree() { # tree cmake-argument…
    local tree=$1 name=${1##*/} launcher=()
    shift
    ! command -v ccache >/dev/null || launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    cmake "$@" -B "$tree" --log-level=WARNING "${launcher[@]}" >"$logs/$name.configure" 2>&1 ||
        { cat "$logs/$name.configure"; return 1; }
    cmake --build "$tree" -j "$JOBS" >"$logs/$name.build" 2>&1 ||
        { grep -E -A12 'FAILED|error|warning' "$logs/$name.build" | head -200; return 1; }
}

# runs the chosen tests of a build tree, each test counted
run_ctest() { # name tree ctest-argument…
    local name=$1 tree=$2 log total bad
    shift 2
    stage_start=$SECONDS
    log=$logs/${name//[^a-z0-9]/-}.ctest
    echo "--- $name"
    "${fixed_layout[@]}" ctest --test-dir "$tree" --output-on-failure --no-tests=error "$@" >"$log" 2>&1
    local status=$?
    total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$log")
    bad=$(sed -n 's/.* tests passed, \([0-9]*\) tests failed out of .*/\1/p' "$log")
    if [ -z "$total" ]; then
        tail -20 "$log"
        total=1 bad=1
    elif [ $status != 0 ]; then
        grep -v -E '^ *Start |   Passed  ' "$log"
        [ "$bad" -gt 0 ] || { bad=1; total=$((total + 1)); }
    fi
    count "$name" $((total - bad)) "$bad"
}

finish() {
    [ ${#failures[@]} = 0 ] || echo "failed: ${failures[*]}"
    echo "whole time: $SECONDS s"
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# npm peers are unpacked once, beside the build trees: build/npm/<peer>/node_modules
npm_peers() {
    local lock dir
    for lock in test/peers/*/package-lock.json; do
        [ -e "$lock" ] || continue
        dir=build/npm/$(basename "$(dirname "$lock")")
        cmp -s "$lock" "$dir/installed-lock.json" && continue
        mkdir -p "$dir" && cp "$(dirname "$lock")/package.json" "$lock" "$dir/" || return 1
        (cd "$dir" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) || return 1
        cp "$lock" "$dir/installed-lock.json"
    done
}
