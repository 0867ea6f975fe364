# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by each rule. A rule is called as `test/lint/<rule> ROOT [BUILD_TREE]`, prints one line
# `file:line: what is wrong; the way out` per finding and fails when there is one.
set -u
export LC_ALL=C
root=${1:-.}
build=${2:-}
cd "$root" || exit 2

# files of the tree (tracked or new, never ignored ones) whose path matches the extended regex
files() {
    {
        if [ -e .git ]; then git ls-files --cached --others --exclude-standard; else find . -type f | sed 's|^\./||'; fi
    } | grep -E -- "$1" | while read -r f; do [ ! -f "$f" ] || echo "$f"; done | sort -u
}

# `file:line:text` of C sources without comments and without the inside of strings
code() {
    [ $# -gt 0 ] || return 0
    awk '
    FNR == 1 { in_comment = 0 }
    {
        line = $0; out = ""
        while (line != "") {
            if (in_comment) {
                i = index(line, "*/")
                if (!i) { line = ""; break }
                line = substr(line, i + 2); in_comment = 0
            } else if (match(line, /"|\047|\/\/|\/\*/)) {
                out = out substr(line, 1, RSTART - 1)
                token = substr(line, RSTART, RLENGTH)
                rest = substr(line, RSTART + RLENGTH)
                if (token == "//") line = ""
                else if (token == "/*") { in_comment = 1; line = rest; out = out " " }
                else if (line ~ /^[ \t]*#[ \t]*include/) { out = out token rest; line = "" }
                else {
                    n = 1
                    while (n <= length(rest) && substr(rest, n, 1) != token)
                        n += substr(rest, n, 1) == "\\" ? 2 : 1
                    out = out token token; line = substr(rest, n + 1)
                }
            } else { out = out line; line = "" }
        }
        if (out !~ /^[ \t]*$/) print FILENAME ":" FNR ":" out
    }' "$@"
}

# reads `file:line:code`; each hit of the extended regex is a finding: `file:line: message: the hit`
report() { # regex message
    awk -v regex="$1" -v message="$2" '{
        text = $0; sub(/^[^:]*:[0-9]*:/, "", text)
        if (match(" " text " ", regex)) {
            hit = substr(" " text " ", RSTART, RLENGTH); gsub(/^[^A-Za-z_<"#]+|[ (\t]+$/, "", hit)
            split($0, at, ":"); print at[1] ":" at[2] ": " message ": " hit
            bad = 1
        }
    } END { exit bad }'
}
