#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# No circles between files of bridge/, gpu/ and plugin/, neither of #include nor of calls; X.c and X.h count as one
# file. No circles of #include between their folders either. Calls through pointers are ignored: they cut such circles.
#
#     tests/rules/circles.sh . $(find build -name '*.o')
#
# The first argument is the root of the sources. The others are objects; their symbols tell which file calls which.
# Objects of other or deleted sources are skipped, so a whole build may be named. Objects of a unity build show no
# calls.
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

# Prints "from to" for each #include of the files that match the given --include options of grep.
includes() {
    grep -RoE '^ *# *include +"[^"]+"' "$@" bridge gpu plugin |
        while IFS=: read -r file line; do
            line="${line#*\"}"
            line="${line%\"}"
            for place in "$(dirname "$file")/" "" bridge/ bridge/mesh/ plugin/; do
                if [ -e "$place$line" ]; then
                    echo "$file $place$line"
                    break
                fi
            done
        done
}

# Turns lines "from to" of files into lines "from to what" of folders. Public headers count for themselves: rooms below
# include them too. Public headers of the plugin belong to the folder that implements them; a .c that only puts the
# parts of its folder together, as host_backend.c does, belongs to no folder.
folders() {
    awk '
        function folder(file) {
            if (file ~ /^bridge\/(mesh\/)?cullet[a-z_]*\.h$/ || file == "gpu/host/host_backend.c") return file
            if (file == "plugin/CulletBroadphase.h") return "plugin/broadphase"
            if (file == "plugin/CulletGImpactAlgorithm.h") return "plugin/gimpact"
            if (file == "plugin/CulletSoftBodySolver.h") return "plugin/soft_bodies"
            sub("/[^/]*$", "", file)
            return file
        }
        folder($1) != folder($2) { print folder($1), folder($2), $1 }'
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
includes --include='*.h' --include='*.cuh' | sort | sed 's|$| #include|' | circles "#include" || status=1
includes --include='*.h' --include='*.cuh' --include='*.c' --include='*.cpp' --include='*.cu' | sort | folders |
    circles folders || status=1
calls "${objects[@]}" | c++filt -p | circles calls || status=1
exit "$status"
