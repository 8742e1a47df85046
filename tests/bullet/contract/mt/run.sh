#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# CT-50: Bullet's multithreaded world under ThreadSanitizer.
#
#     tests/bullet/contract/mt/run.sh FOLDER float|double      (ctest -L mt runs it for both)
#
# Downloads the source of Bullet into FOLDER, builds it with BT_THREADSAFE=1 and runs the tests. Exits with 77, ctest's
# code for "skipped", if the download fails.
set -euo pipefail

if [ "$#" -ne 2 ] || [[ ! "$2" =~ ^(float|double)$ ]]; then
    echo "usage: run.sh FOLDER float|double" >&2
    exit 2
fi
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
mkdir -p "$1"
folder="$(cd "$1" && pwd)"
readonly here folder precision="$2"

# ThreadSanitizer fails on kernels that randomize addresses widely, so this turns randomization off.
without_randomization() {
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        setarch "$(uname -m)" -R "$@"
    else
        "$@"
    fi
}

"$here/../../../support/fetch_source.sh" "$folder" bullet
cmake -S "$here" -B "$folder/$precision" -D BULLET_SOURCE="$folder/bullet" -D PRECISION="$precision" >/dev/null
without_randomization cmake --build "$folder/$precision" -j "$(nproc)"
log="$folder/$precision/test_mt.log"
code=0
TSAN_OPTIONS="halt_on_error=0 exitcode=0" without_randomization "$folder/$precision/test_mt" \
    --gtest_filter='*/cullet_*:*/btDbvt' >"$log" 2>&1 || code=$?
grep -E '^\[|Failure|Expected|actual' "$log" || code=1
if ! awk -f "$here/races.awk" "$log"; then
    echo "These are races in cullet; $log has the whole reports" >&2
    code=1
fi
exit "$code"
