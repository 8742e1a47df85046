#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Measures what the README's tables and pictures show, and writes both with machine, date and commit:
#
#     demos/bench/run.sh <cullet> <folder> <sizes>
#     demos/bench/run.sh build/bin/cullet build/bench 1000,10000
#
# `cmake --build --preset bench` calls it. Up to 10,000 bodies it takes a minute, with 1,000,000 half an hour, mostly
# for btDbvt. Each measurement is one `cullet compare`, with its command line above the table.
set -euo pipefail

if [ "$#" -ne 3 ]; then
    printf 'usage: %s <cullet> <folder> <sizes>\n' "$0" >&2
    exit 2
fi
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cullet="$(realpath "$1")"
readonly here cullet out="$2" sizes="$3"

# At most 16 steps, because scene `column` comes to rest after about forty, and its rows are about falling. A large
# scene ends after 40 seconds, but makes at least two timed steps. The cap stops engines that cannot finish a step.
readonly steps=(--steps 16 --seconds 40 --cap 900)
readonly pace=("${steps[@]}" --warmup 2)
readonly bullet=(--engines "dbvt,dbvt-deferred,cullet")
# In slow motion the first steps stay within btDbvt's fat boxes, which is not typical, so the warmup is longer.
readonly slow=("${steps[@]}" --warmup 16 --speed 0.1)

# measure_at <sizes> <name> <description> <arguments>...: writes a JSON file, and its command line to another file
measure_at() {
    local at="$1" name="$2" what="$3"
    shift 3
    printf '\n==> [%s s] %s\n' "$SECONDS" "$what" >&2
    printf 'cullet compare --bodies %s %s\n' "$at" "$*" >"$name.command"
    "$cullet" compare --bodies "$at" "$@" --format json >"$name.json.part"
    mv "$name.json.part" "$name.json"
}

measure() {
    measure_at "$sizes" "$@"
}

# Each engine makes eight steps in a row. At most 100,000 bodies: with more, btDbvt takes minutes, and its data fits no
# cache.
measure_turns() {
    local some
    some="$(tr , '\n' <<<"$sizes" | awk '$1 <= 100000' | paste -sd ,)"
    if [ -n "$some" ]; then
        measure_at "$some" "$@" --turn 8
    fi
}

# Measures a scene at its own size, or at the largest requested size if that is smaller. Includes the broadphases of
# other projects that this build has.
# measure_program <size> <name> <arguments>...
measure_program() {
    local largest peers
    largest="$(tr , '\n' <<<"$sizes" | sort -n | tail -1)"
    peers="$("$cullet" compare --help | awk '$1 ~ /^(embree|embree-refit|fcl)$/ { printf ",%s", $1 }')"
    measure_at "$(($1 < largest ? $1 : largest))" "$2" \
        "scenes of real programs: $2" --scene "$2" "${@:3}" \
        --engines "dbvt,cullet,core,core-full$peers" "${pace[@]}" --no-memory
}

mkdir -p "$out"
cd "$out" # so that command lines contain no folder of this machine
rm -f -- *.json *.json.part *.command *.svg tables.md

measure motion "through Bullet: brownian, from all moving to nothing moving" \
    "${bullet[@]}" "${pace[@]}" --no-memory --moving 100,10,1,0 --plot motion.svg
measure slow "through Bullet: brownian, slow" "${bullet[@]}" "${slow[@]}" --no-memory
measure_turns turns "through Bullet: brownian, eight steps in a row" \
    "${bullet[@]}" "${pace[@]}" --no-memory --moving 100,10,1
measure_turns slow-turns "through Bullet: brownian, slow, eight steps in a row" \
    "${bullet[@]}" "${slow[@]}" --no-memory
measure scenes "through Bullet: the other scenes" \
    "${bullet[@]}" "${pace[@]}" --no-memory --scene clustered,column,mixed,tremble --plot scenes.svg
measure_program 234000 cloth --speed 1,100
measure_program 234000 teams --speed 1,100
measure_program 5000 level
measure_program 4000 debris
measure_program 100000 tremble
measure core "the C API" \
    --engines core,core-full --threads 1,2 "${pace[@]}" --no-memory --scene brownian,clustered
measure jumping "jumps" --engines cullet,core "${pace[@]}" --no-memory --moving 100,10 --jumping 0,1
measure memory "peak memory" --engines dbvt,cullet,core --steps 1 --warmup 0 --speed 0.1 --cap 900

python3 "$here/tables.py" . >tables.md
printf '\n==> [%s s] written to %s: tables.md and the pictures\n' "$SECONDS" "$out" >&2
cat tables.md
