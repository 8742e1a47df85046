#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Which broadphase keeps which point of the contract, found out by running them all:
#
#     tests/bullet/contract/table.sh [BUILD]      BUILD: a build of the tests, by default build/test of tests/run.sh
#
# Writes TABLE.md beside itself. Fails if a result is not what expectations.h says. Each point of each contestant
# runs in a process of its own, because Bullet's own may crash or never come back.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
readonly root
readonly build="${1:-$root/build/test}"
readonly table="$root/tests/bullet/contract/TABLE.md"
readonly seconds=300 # for one point
readonly patience=20 # for one from CT-56 on, which take no time, or hang
readonly contestants=(btDbvt bt32BitAxisSweep3 btSimple 'cullet_*') # in the order of the columns

if ! compgen -G "$build/bin/cullet_test_contract_*" >/dev/null; then
    echo "There are no contract tests in $build/bin; tests/run.sh builds some" >&2
    exit 2
fi

# run_point <program> <point> <contestant>: prints pass, fail, crash or n/a
run_point() {
    local code=0 limit="$seconds"
    [[ "$2" < CT-56 ]] || limit="$patience"
    timeout "$limit" "$1" "$2" "$2-large" "$3" >/dev/null 2>&1 || code=$?
    case "$code" in
    0) echo pass ;;
    1) echo fail ;;
    2 | 77) echo n/a ;;
    *) echo crash ;; # or it never came back
    esac
}

# cell <point> <contestant>: what all precisions say, in one word if they agree
cell() {
    local program result words=()
    for program in "$build"/bin/cullet_test_contract_*; do
        result="$(run_point "$program" "$1" "$2")"
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

# is_exception <point> <contestant>
is_exception() {
    cut -f 1,2 <<<"$exceptions" | grep -q "^${1/-/}.*[[:space:]]$2\$"
}

surprises=()

# row <point>
row() {
    local contestant result text="| $1 |"
    for contestant in "${contestants[@]}"; do
        result="$(cell "$1" "$contestant")"
        text+=" $result |"
        if is_exception "$1" "$contestant"; then
            [ "$result" != pass ] || surprises+=("$1: $contestant keeps it, against expectations.h")
        else
            case "$result" in
            pass | n/a) ;;
            *) surprises+=("$1: $contestant: $result, which expectations.h does not say") ;;
            esac
        fi
    done
    echo "$text"
    echo "$text" >&3
}

write_table() {
    echo "# Who keeps what Bullet's users rely on"
    echo
    echo "Written by table.sh from runs on Bullet $(pkg-config --modversion bullet)." \
        "cullet: each algorithm, with its own and with"
    echo "a given pair cache. pass: all tests of that point, in single and double precision." \
        "n/a: it has no such test here;"
    echo "CT-50 and CT-55 are builds of their own, which only ctest runs. crash: or it never comes back."
    echo
    echo "| | btDbvt | 3D SAP | btSimple | cullet |"
    echo "|---|---|---|---|---|"
    local point
    for point in $(seq -f 'CT-%02g' 1 59); do
        row "$point"
    done
    echo
    echo "[expectations.h](expectations.h) has the reason for each failure."
}

exec 3>&1 # the rows are shown as they come
write_table >"$table.new"
mv "$table.new" "$table"
if [ "${#surprises[@]}" -gt 0 ]; then
    printf '%s\n' "${surprises[@]}" >&2
    exit 1
fi
