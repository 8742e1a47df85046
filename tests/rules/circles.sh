#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# No circles between files of bridge/, gpu/ and plugin/: not of #include, and not of calls, where X.c and X.h are one
# file. Calls through pointers are not looked at: that is how a file is told whom to call.
#
#     tests/rules/circles.sh . $(find build -name '*.o')
#
# The first argument is the root of the sources; the others are objects, which tell who calls whom. Those of other
# sources and of sources that are gone are left out, so a whole build may be named, but a unity build's objects tell
# nothing.
set -euo pipefail
root="$1"
shift

# Takes lines "from to what". Prints those that are part of a circle, and fails if there are any.
circles() {
    awk -v kind="$1" '
        { if (!(($1, $2) in what)) { what[$1, $2] = $3; to[$1] = to[$1] " " $2; edges[++count] = $1 " " $2 }
          else if (split(what[$1, $2], names, ",") < 3) what[$1, $2] = what[$1, $2] "," $3 }
        function visit(start, node,    next_ones, i, n) {
            n = split(to[node], next_ones, " ")
            for (i = 1; i <= n; ++i) if (!((start, next_ones[i]) in reached)) {
                reached[start, next_ones[i]] = 1
                visit(start, next_ones[i])
            }
        }
        END {
            for (node in to) visit(node, node)
            for (i = 1; i <= count; ++i) {
                split(edges[i], edge, " ")
                if ((edge[2], edge[1]) in reached) {
                    printf "circle of %s: %s -> %s (%s)\n", kind, edge[1], edge[2], what[edge[1], edge[2]]
                    ++bad
                }
            }
            exit bad > 0
        }'
}

includes() {
    grep -RoE '^ *# *include +"[^"]+"' --include='*.h' --include='*.cuh' bridge gpu plugin |
        while IFS=: read -r file line; do
            line="${line#*\"}"
            line="${line%\"}"
            for place in "$(dirname "$file")/" "" bridge/ bridge/mesh/ plugin/; do
                if [ -e "$place$line" ]; then
                    echo "$file $place$line #include"
                    break
                fi
            done
        done
}

# Lines "object symbol kind" of the given objects to lines "from to symbol".
calls() {
    local object source
    for object in "$@"; do
        source="$(sed 's|.*\.dir/||; s|__/||g; s|\.o$||' <<<"$object")"
        if [[ "$source" =~ ^(bridge|gpu|plugin)/ && -e "$source" ]]; then
            nm -P "$object" | sed "s|^|${source%.*} |"
        fi
    done | awk '
        $3 ~ /^[TDBRGS]$/ { defined[$2] = $1 }
        $3 == "U" { used[$1 " " $2] = 1 }
        END {
            for (use in used) {
                split(use, part, " ")
                if (part[2] in defined && defined[part[2]] != part[1]) print part[1], defined[part[2]], part[2]
            }
        }' | sort
}

objects=()
for object in "$@"; do
    objects+=("$(realpath "$object")")
done
cd "$root"
status=0
includes | sort | circles "#include" || status=1
calls "${objects[@]}" | c++filt -p | circles calls || status=1
exit "$status"
