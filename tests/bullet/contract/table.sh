#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Runs all items of the contract on all contestants and writes TABLE.md:
#
#     tests/bullet/contract/table.sh [BUILD]      BUILD: a build of the tests, by default build/test of tests/run.sh
#
# Fails if a result contradicts expectations.h. Each item runs in a process of its own for each contestant, because
# Bullet's own broadphases may crash or hang.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
readonly root
readonly build="${1:-$root/build/test}"
readonly table="$root/tests/bullet/contract/TABLE.md"
readonly seconds=300 # for one item
readonly patience=20 # for the items from CT-56 on, which are quick or hang
readonly contestants=(btDbvt bt32BitAxisSweep3 btSimple 'cullet_*') # in the order of the columns

if ! compgen -G "$build/bin/cullet_test_contract_*" >/dev/null; then
    echo "There are no contract tests in $build/bin; tests/run.sh builds some" >&2
    exit 2
fi

# run_item <program> <item> <contestant>: prints pass, fail, crash or n/a
run_item() {
    local code=0 limit="$seconds"
    [[ "$2" < CT-56 ]] || limit="$patience"
    timeout "$limit" "$1" "$2" "$2-large" "$3" >/dev/null 2>&1 || code=$?
    case "$code" in
    0) echo pass ;;
    1) echo fail ;;
    2 | 77) echo n/a ;;
    *) echo crash ;; # or it hung
    esac
}

# cell <item> <contestant>: the results of all precisions, one word if they agree
cell() {
    local program result words=()
    for program in "$build"/bin/cullet_test_contract_*; do
        result="$(run_item "$program" "$1" "$2")"
        words+=("${program##*_}: $result")
    done
    if [ "$(printf '%s\n' "${words[@]##*: }" | sort -u | wc -l)" -eq 1 ]; then
        echo "$result"
    else
        printf '%s' "${words[0]}" && printf ', %s' "${words[@]:1}" && echo
    fi
}

exceptions="$("$(compgen -G "$build/bin/cullet_test_contract_*" | head -n 1)" --exceptions)"
readonly exceptions

# is_exception <item> <contestant>: whether expectations.h says that the contestant fails the item
is_exception() {
    cut -f 1,2 <<<"$exceptions" | grep -qE "^${1/-/}.*[[:space:]]($2|${2:0:2}\*)\$"
}

# CT12_HitsAreExact as "CT12 hits are exact", a line for each test
subjects="$("$(compgen -G "$build/bin/cullet_test_contract_*" | head -n 1)" --gtest_list_tests |
    sed -nE 's/^  (CT[0-9]+)(Large)?_([A-Za-z0-9]+)\/.*/\1_\3/p' | sort -u |
    sed -E 's/([A-Z])([A-Z][a-z])/\1 \2/g; s/([a-z])([A-Z0-9])/\1 \2/g; s/([0-9])([A-Z])/\1 \2/g; s/_(.*)/ \L\1/')"
readonly subjects

# subject <item>: what its tests say
subject() {
    sed -n "s/^${1/-/} //p" <<<"$subjects" | paste -sd ';' | sed 's/;/; /g'
}

surprises=()

# row <item>
row() {
    local contestant result text
    text="| $1 | $(subject "$1") |"
    for contestant in "${contestants[@]}"; do
        result="$(cell "$1" "$contestant")"
        text+=" $result |"
        if is_exception "$1" "$contestant"; then
            [ "$result" != pass ] || surprises+=("$1: $contestant passes, but expectations.h expects a failure")
        else
            case "$result" in
            pass | n/a) ;;
            *) surprises+=("$1: $contestant: $result, which expectations.h does not expect") ;;
            esac
        fi
    done
    echo "$text"
    echo "$text" >&3
}

write_table() {
    echo "# Which broadphase keeps the contract with Bullet's users"
    echo
    echo "Written by table.sh from runs on Bullet $(pkg-config --modversion bullet)." \
        "The column cullet: each algorithm, with its own and with"
    echo "a given pair cache. pass: all tests of the item passed, in single and double precision." \
        "crash: it crashed or hung."
    echo "n/a: not in this table; CT-50, a world with many threads, and CT-55, compilation with other options, are"
    echo "builds of their own, which ctest runs."
    echo
    echo "| item | its tests | btDbvt | 3D SAP | btSimple | cullet |"
    echo "|---|---|---|---|---|---|"
    local item
    for item in $(seq -f 'CT-%02g' 1 59); do
        row "$item"
    done
    echo
    echo "[expectations.h](expectations.h) has the reason for each failure."
}

exec 3>&1 # shows each row as soon as it is known
write_table >"$table.new"
mv "$table.new" "$table"
if [ "${#surprises[@]}" -gt 0 ]; then
    printf '%s\n' "${surprises[@]}" >&2
    exit 1
fi
