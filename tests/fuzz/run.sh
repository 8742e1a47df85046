#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Fuzzes with clang's libFuzzer under Address- and UndefinedBehaviorSanitizer:
#
#     tests/fuzz/run.sh MINUTES [TARGET...]    each target (by default all) runs for that long; 0.5 is half a minute
#
# Installs missing packages (as root, or with sudo) and builds below build/fuzz. A target begins with seeds/ here, to
# which every finding is added once it is mended, and with build/fuzz/corpus/, the inputs of earlier runs that reached
# something new. It stops at its first finding, which build/fuzz/findings/ keeps. To see one again:
# build/fuzz/bin/cullet_fuzz_TARGET FILE. Prints a table, and fails if a target did.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=../support/steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/steps.sh"
packages=(cmake ninja-build clang libclang-rt-14-dev pkg-config libgtest-dev libzstd-dev libxxhash-dev libgmp-dev
    libelf-dev libfmt-dev libbullet-dev)
all=(broadphase ray recording mesh_file elf meshes plugin plugin_double)

if [[ ! "${1:-}" =~ ^[0-9]+([.][0-9]+)?$ ]]; then
    echo "usage: tests/fuzz/run.sh MINUTES [$(IFS='|' && echo "${all[*]}")]..." >&2
    exit 2
fi
seconds="$(awk -v minutes="$1" 'BEGIN { print int(minutes * 60 + 0.5) }')"
shift
targets=("$@")
[ $# -gt 0 ] || targets=("${all[@]}")
build="$root/build/fuzz"
export seconds build root

# A small library, from which inputs for doctor can grow.
make_library() {
    mkdir -p "$build/corpus/elf"
    echo 'struct btDbvtBroadphase { btDbvtBroadphase(); }; void* make() { return new btDbvtBroadphase; }' |
        clang++ -x c++ - -o "$build/corpus/elf/library.so" -shared -fPIC -nostdlib -fno-exceptions \
            -Wl,-z,noseparate-code,-z,max-page-size=64,-s,-rpath,"\$ORIGIN/.."
}

# fuzz <target>: runs it on its corpus and seeds
fuzz() {
    local target="$1" log="$build/$1.log" inputs=("$build/corpus/$1")
    [ ! -d "$root/tests/fuzz/seeds/$1" ] || inputs+=("$root/tests/fuzz/seeds/$1")
    mkdir -p "$build/corpus/$target" "$build/findings/$target"
    "$build/bin/cullet_fuzz_$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096 \
        -max_len=2048 -len_control=10 -print_final_stats=1 -artifact_prefix="$build/findings/$target/" \
        "${inputs[@]}" >"$log" 2>&1 || { tail -n 40 "$log"; return 1; }
}
export -f fuzz

# row <target>: its line of the table
row() {
    local log="$build/$1.log"
    printf '| %s | %s | %s | %s | %s |\n' "$1" \
        "$(awk '/stat::number_of_executed_units/ { print $2 }' "$log")" \
        "$(grep -Eo 'cov: [0-9]+' "$log" | tail -n 1 | cut -c 6-)" \
        "$(find "$build/corpus/$1" -type f | wc -l)" "$(find "$build/findings/$1" -type f | wc -l)"
}

install_missing
CC=clang CXX=clang++ cmake -S "$root" -B "$build" -G Ninja -DCULLET_SANITIZE=fuzzer-no-link,address,undefined \
    -DCULLET_CUDA=OFF -DCULLET_DEMOS=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1" "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1"
cmake --build "$build" -j "$jobs"
make_library
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I {} bash -c 'fuzz {}' && result=0 || result=1

printf '| target | inputs run | branches reached | inputs kept | findings |\n|---|---:|---:|---:|---:|\n'
for target in "${targets[@]}"; do
    row "$target"
done
[ "$result" -eq 0 ]
