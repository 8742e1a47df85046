#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# From a bare Debian 12 with a checkout to tested, in less than half an hour on two cores:
#
#     tests/run.sh
#
# Installs what is missing (as root, or with sudo) and builds and tests three times below build/: as released, with
# AddressSanitizer and UndefinedBehaviorSanitizer, and with ThreadSanitizer. Fails if any test failed. Works from any
# directory. The last line is ctest's verdict on the first, complete run.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
readonly root
readonly packages=(cmake ninja-build gcc g++ pkg-config libgtest-dev libbullet-dev libbullet-extras-dev libzstd-dev
    libxxhash-dev clang gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
jobs="$(nproc)"
readonly jobs

failed=()
verdict="no test was run"

say() {
    printf '\n==> [%s s] %s\n' "$SECONDS" "$*"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

install_missing() {
    if ! command -v apt-get >/dev/null; then
        say "No apt-get here; going on in the hope that these are installed: ${packages[*]}"
        return
    fi
    local missing=() package
    for package in "${packages[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
    if [ "${#missing[@]}" -gt 0 ]; then
        say "Installing ${missing[*]}"
        as_root apt-get update -q
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
    fi
}

# ThreadSanitizer's memory map and a kernel that spreads programs widely do not go together: no spreading, where we may.
without_spreading() {
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        setarch "$(uname -m)" -R "$@"
    else
        "$@"
    fi
}

# build <folder> <targets> <cmake options>...
build() {
    local folder="$root/build/$1" targets="$2"
    shift 2
    cmake -S "$root" -B "$folder" -G Ninja "$@"
    # shellcheck disable=SC2086 # a list
    without_spreading cmake --build "$folder" -j "$jobs" --target $targets
}

# run_tests <folder> <ctest options>...: remembers whether one failed, and ctest's verdict in `result`
run_tests() {
    local name="$1" log="$root/build/$1/ctest.log"
    shift
    without_spreading ctest --test-dir "$root/build/$name" --output-on-failure -j "$jobs" "$@" 2>&1 | tee "$log" ||
        failed+=("$name")
    result="$(grep -E '^[0-9]+% tests passed' "$log" || echo "no test was run in $name")"
}

install_missing

say "Release: build"
build test all -DCMAKE_BUILD_TYPE=Release -DCULLET_WERROR=ON -DCULLET_DEMOS=OFF
say "Release: all tests"
# "mt" builds a Bullet of its own: ctest --test-dir build/test -L mt. Seventeen million pairs for each contestant take
# minutes, and in double precision show what they show in single.
run_tests test -LE mt -E '^CT-43-large.double$'
verdict="$result"

say "Release: Bullet's contract with each instruction set"
# All of it, with every other test: tests/simd.sh build/test -LE mt
"$root/tests/simd.sh" "$root/build/test" -L contract -LE 'slow|mt' -R float -E 'CT-(43|47|49|53|55)' ||
    failed+=("test, with an instruction set forced")

# Optimised little, and with line numbers only: compiling instrumented code takes most of the time here.
readonly sanitized=(-DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1"
    "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DCULLET_DEMOS=OFF -DCULLET_CUDA=OFF)

say "AddressSanitizer and UndefinedBehaviorSanitizer: build"
build test-asan all -DCULLET_SANITIZE=address,undefined -DCULLET_TEST_DOUBLE=OFF "${sanitized[@]}"
say "AddressSanitizer and UndefinedBehaviorSanitizer: all but the slow tests, those of the sources, and those alike"
# Another number of threads shows nothing here, but each instruction set does (theirs have two threads and end on a name).
# CT-55 and the package only compile, CT-32 casts 100,000 rays, and CT-35 is ThreadSanitizer's. The emulated device's tests
# take seconds each: of those that the released build runs alike, these are enough to reach every line.
run_tests test-asan -LE 'slow|rules|package' -E '^CT-(32|35|55)|_[238]threads$|cuda_bruteForce_|^cuda_api\.|^cuda\.(MovingShares|Determinism|Roots|ParallelFor|Scenes|Rooms|Sequences.One|Bits.Same|Failures.Every[A-Za-z]*.(bruteForce|grid))'
asan="$result"

say "ThreadSanitizer: build"
# Bullet is not built with it: of the plugin only the queries are tested, which need nothing of Bullet's that has threads.
build test-tsan 'cullet_test_core cullet_test_host cullet_test_backends cullet_test_bridge
    cullet_test_contract_float cullet_test_contract_double' -DCULLET_SANITIZE=thread "${sanitized[@]}"
say "ThreadSanitizer: all but the slow tests, and those with one thread"
# Who shares what with whom is the same with three threads as with two and eight, and with every instruction set.
run_tests test-tsan -L 'core|host|backends|bridge|contract' -LE slow -E '_[13]threads|_2threads_'

say "Verdict"
printf 'ThreadSanitizer: %s\n' "$result"
printf 'AddressSanitizer and UndefinedBehaviorSanitizer: %s\n' "$asan"
if [ "${#failed[@]}" -gt 0 ]; then
    printf 'Tests failed in: %s\n' "${failed[*]}"
fi
printf '%s\n' "$verdict"
[ "${#failed[@]}" -eq 0 ]
