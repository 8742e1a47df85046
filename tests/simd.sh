#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Runs the tests of a build once for each instruction set of this processor, in place of the best one:
#
#     tests/simd.sh build -LE mt              # every test but those that build their own Bullet
#     tests/simd.sh build -L contract         # arguments after the folder are ctest's
#     CULLET_SIMDS="plain" tests/simd.sh build -L contract   # with this one only
#
# Fails if a test failed, or if there was none. Ends with ctest's verdicts, a line for each instruction set. It does not
# change tests that run the command `cullet` (tests/support/forced_simd.c).
set -euo pipefail

if [ $# -eq 0 ] || [ ! -f "$1/CTestTestfile.cmake" ]; then
    echo "tests/simd.sh: name the folder of a build with tests, for example build" >&2
    exit 2
fi
if [ ! -x "$1/bin/cullet_test_bridge" ]; then
    echo "tests/simd.sh: $1/bin/cullet_test_bridge is not built" >&2
    exit 2
fi
readonly folder="$1"
shift
read -ra simds <<<"${CULLET_SIMDS:-plain sse2 avx2 avx512 neon}"
readonly simds

failed=0
verdicts=()

# Runs the test that fails if the library does not take the forced instruction set.
has() {
    local status=0 output
    output="$(CULLET_TEST_SIMD="$1" "$folder/bin/cullet_test_bridge" \
        --gtest_filter=Stats.AutoTakesTheBestOrForcedInstructionSet 2>&1)" || status=$?
    if [ "$status" -eq 77 ]; then
        return 1
    fi
    if [ "$status" -ne 0 ] || ! grep -q 'PASSED.* 1 test' <<<"$output"; then
        echo "tests/simd.sh: $1 could not be forced" >&2
        failed=1
    fi
}

for simd in "${simds[@]}"; do
    if ! has "$simd"; then
        verdicts+=("not here")
        continue
    fi
    printf '\n==> [%s s] %s\n' "$SECONDS" "$simd"
    log="$folder/ctest_$simd.log"
    CULLET_TEST_SIMD="$simd" ctest --test-dir "$folder" -j "$(nproc)" --output-on-failure "$@" 2>&1 | tee "$log" ||
        failed=1
    verdicts+=("$(grep -E '^[0-9]+% tests passed' "$log" || echo "no test was run")")
    [ "${verdicts[-1]}" != "no test was run" ] || failed=1
done

printf '\n'
for i in "${!simds[@]}"; do
    printf '%-7s %s\n' "${simds[i]}" "${verdicts[i]}"
done
exit "$failed"
