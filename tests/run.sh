#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Builds and tests a checkout on a bare Debian 12:
#
#     tests/run.sh        every behaviour, with Bullet in single precision; the tests in tests/unit and of the backends
#                         also under Address- and UndefinedBehaviorSanitizer, there with every instruction set
#     tests/run.sh all    everything: also the command, double precision, the contract without vector instructions,
#                         ThreadSanitizer, and half a minute of each fuzz target
#
# Installs missing packages (as root, or with sudo), builds below build/, and fails if any test failed. Works from any
# directory. The last line is ctest's verdict on the Release build.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=support/steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/support/steps.sh"
packages=(cmake ninja-build gcc g++ pkg-config libgtest-dev libbullet-dev libbullet-extras-dev libzstd-dev
    libxxhash-dev libgmp-dev python3-venv)

# build <folder> <targets> <cmake options>...
build() {
    local folder="$root/build/$1" targets="$2"
    shift 2
    # One architecture: no test here runs on a device.
    cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_CUDA_ARCHITECTURES=80 "$@"
    # shellcheck disable=SC2086 # a list
    without_randomization cmake --build "$folder" -j "$jobs" --target $targets
}

# build_released <ON or OFF: whether to build the command, and tests in double precision>
build_released() {
    build test all -DCMAKE_BUILD_TYPE=Release -DCULLET_WERROR=ON -DCULLET_DEMOS="$1" -DCULLET_TEST_DOUBLE="$1"
}

# build_sanitized <folder> <targets> <sanitizers> <ON or OFF: tests in double precision>: with little optimisation and
# only line numbers, because compiling instrumented code takes most of the time.
build_sanitized() {
    build "$1" "$2" -DCULLET_SANITIZE="$3" -DCULLET_TEST_DOUBLE="$4" -DCULLET_DEMOS=OFF -DCULLET_CUDA=OFF \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1" \
        "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1"
}

# The Python package in an environment of its own, installed as a user would.
test_python() {
    local folder="$root/build/python"
    local log="$folder/tests.log" pip=("$folder/venv/bin/pip" --disable-pip-version-check install -q)
    python3 -m venv "$folder/venv"
    if ! "${pip[@]}" 'scikit-build-core>=1.0' numpy; then
        verdicts[step]="no test was run: pip could not get scikit-build-core and numpy; is PyPI reachable?"
        failed+=("${steps[step]}")
        return
    fi
    {
        "${pip[@]}" --no-build-isolation --no-deps --force-reinstall --config-settings=build-dir="$folder/objects" \
            "$root/bridge/python" && "$folder/venv/bin/python" -X dev -W error -m unittest discover "$root/tests/python"
    } 2>&1 | tee "$log" || failed+=("${steps[step]}")
    verdicts[step]="$(grep -E '^Ran [0-9]+ tests' "$log" || echo "no test was run"), $(tail -n 1 "$log")"
}

# Each fuzz target for half a minute.
test_fuzz() {
    local table="$root/build/fuzz.table"
    "$root/tests/fuzz/run.sh" 0.5 | tee "$table" || failed+=("${steps[step]}")
    verdicts[step]="$(grep -Ec '^[|] [a-z_]+ [|] [0-9]+' "$table" || true) targets ran"
}

if [ $# -eq 0 ]; then
    steps=("install what is missing" "Release: build" "Release: tests"
        "Address- and UndefinedBehaviorSanitizer: build" "Address- and UndefinedBehaviorSanitizer: tests"
        "Python: build and tests")
    export CULLET_TEST_CONFIGS=few
    do_step() {
        case "$1" in
            0) install_missing ;;
            1) build_released OFF ;;
            2) run_tests test -LE 'slow|mt|again|debian|minutes' ;;
            3) build_sanitized test-asan 'cullet_test_core cullet_test_host cullet_test_backends' \
                address,undefined OFF ;;
            4) run_tests test-asan -L 'core|host|backends' -LE 'slow|again|alike' ;;
            5) test_python ;;
        esac
    }
elif [ "$*" = all ]; then
    packages+=(clang gcc-aarch64-linux-gnu libc6-dev-arm64-cross libcli11-dev nlohmann-json3-dev libfmt-dev libpng-dev
        libelf-dev gnuplot-nox dpkg-dev file lintian abigail-tools libode-dev libfcl-dev libepoxy-dev libglfw3-dev
        libimgui-dev libegl1 libgl1-mesa-dri xvfb xdotool doxygen)
    steps=("install what is missing" "Release: build" "Release: tests"
        "Release: Bullet's contract without vector instructions"
        "Address- and UndefinedBehaviorSanitizer: build" "Address- and UndefinedBehaviorSanitizer: tests"
        "ThreadSanitizer: build" "ThreadSanitizer: tests" "Python: build and tests" "Fuzzing")
    do_step() {
        case "$1" in
            0) install_missing ;;
            1) build_released ON ;;
            # Not here: "mt" builds a Bullet of its own, "debian" installs packages in a Debian of its own. To run them:
            # ctest --test-dir build/test -L 'mt|debian'
            2) run_tests test -LE 'mt|debian|minutes' ;;
            # The backends' tests cover every instruction set. Other tests run with
            # the one that CULLET_TEST_SIMD names. Stats.InstructionSet… fails if the library takes another one.
            3) CULLET_TEST_SIMD=plain run_tests test -R 'Stats.Instruction|^CT-' -LE 'slow|mt|unforced|double' ;;
            4) build_sanitized test-asan all address,undefined OFF ;;
            # The parallelFor hook, with threads of the caller, is tested by ThreadSanitizer alone.
            5) run_tests test-asan -LE 'slow|again|alike|minutes|mt|rules|package' -E '^bridge[.]ParallelFor[.]' ;;
            # Bullet is not built with ThreadSanitizer, so of the plugin only the queries are tested: they need no part
            # of Bullet that has threads. Boxes of double precision are tested by the backends and the bridge.
            6) build_sanitized test-tsan 'cullet_test_core cullet_test_host cullet_test_backends cullet_test_bridge
                cullet_test_meshes cullet_test_contract_float' thread OFF ;;
            # Leaves out tests of meshes on a single thread, of memory, and of results that Determinism compares too.
            7) run_tests test-tsan -L 'core|host|backends|bridge|contract|meshes' -LE 'slow|minutes' -E \
                '^meshes[.].*(Alloc|TriangleOracle|Soak)|^bridge[.](Allocation[.]Each|Memory)|[.](Machines|Roots)[.]' ;;
            8)
                test_python
                "$root/tests/python/wheel.sh" || failed+=("${steps[step]}: the wheel")
                ;;
            9) test_fuzz ;;
        esac
    }
else
    echo "usage: tests/run.sh [all]" >&2
    exit 2
fi

run_steps 2
