#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Measures what the README's tables and pictures need and writes them, with machine, date and commit:
#
#     demos/bench/run.sh <cullet> <folder> <sizes>
#     demos/bench/run.sh build/bin/cullet build/bench 1000,10000
#
# `cmake --build --preset bench` calls it. A minute up to 10,000 bodies; with 1,000,000 half an hour, most of it spent
# waiting for btDbvt. Each measurement is one `cullet compare`, whose command line the tables name.
set -euo pipefail

if [ "$#" -ne 3 ]; then
    printf 'usage: %s <cullet> <folder> <sizes>\n' "$0" >&2
    exit 2
fi
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cullet="$(realpath "$1")"
readonly here cullet out="$2" sizes="$3"

# Small sizes make all the steps, large ones as many as fit into the time, two at least. No more steps than these: the
# column is at rest after some forty, and its rows are about falling. The cap is for engines that cannot finish a step.
readonly steps=(--steps 16 --seconds 40 --cap 900)
readonly pace=("${steps[@]}" --warmup 2)
readonly bullet=(--engines "dbvt,dbvt-deferred,cullet")
# In slow motion nothing leaves btDbvt's fat boxes at first, which is not how it goes on.
readonly slow=("${steps[@]}" --warmup 16 --speed 0.1)

# measure_at <sizes> <name> <what it is> <arguments>...: a JSON file, and the command line beside it
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

# Eight steps in a row of btDbvt with more bodies than that take minutes, and no cache holds their memory.
measure_turns() {
    local some
    some="$(tr , '\n' <<<"$sizes" | awk '$1 <= 100000' | paste -sd ,)"
    if [ -n "$some" ]; then
        measure_at "$some" "$@" --turn 8
    fi
}

# Scenes at the size that is theirs, or the largest that is asked for if that is less, beside broadphases of other
# projects as far as this build has them.
# measure_program <size> <name> <arguments>...
measure_program() {
    local largest peers
    largest="$(tr , '\n' <<<"$sizes" | sort -n | tail -1)"
    peers="$("$cullet" compare --help | awk '$1 ~ /^(embree|embree-refit|fcl)$/ { printf ",%s", $1 }')"
    measure_at "$(($1 < largest ? $1 : largest))" "$2" "as programs have them: $2" --scene "$2" "${@:3}" \
        --engines "dbvt,cullet,core,core-full$peers" "${pace[@]}" --no-memory
}

mkdir -p "$out"
cd "$out" # so that command lines name no folder of this machine
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
