#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# CT-50: Bullet's multithreaded world under ThreadSanitizer.
#
#     tests/bullet/contract/mt/run.sh FOLDER float|double      (ctest -L mt runs it for both)
#
# Downloads Debian's source package of Bullet into FOLDER, builds it with BT_THREADSAFE=1 and runs the tests. Uses an
# apt configuration of its own and leaves the machine's unchanged. Exits with 77, ctest's code for "skipped", if the
# download fails.
set -euo pipefail

if [ "$#" -ne 2 ] || [[ ! "$2" =~ ^(float|double)$ ]]; then
    echo "usage: run.sh FOLDER float|double" >&2
    exit 2
fi
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
mkdir -p "$1"
folder="$(cd "$1" && pwd)"
readonly here folder
readonly precision="$2" keyring=/usr/share/keyrings/debian-archive-keyring.gpg

skip() {
    echo "SKIPPED: the source of Bullet cannot be downloaded: $*"
    exit 77
}

fetch() {
    command -v apt-get >/dev/null || skip "there is no apt-get"
    [ -r "$keyring" ] || skip "there is no $keyring"
    local suite apt="$folder/apt"
    suite="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    echo "deb-src [signed-by=$keyring] http://deb.debian.org/debian $suite main" >"$apt/sources.list"
    local options=(-q -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=-
        -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache")
    apt-get "${options[@]}" update || skip "apt-get update failed"
    (cd "$folder" && apt-get "${options[@]}" source --download-only bullet) || skip "apt-get source failed"
    mkdir "$folder/bullet.new"
    tar -x -C "$folder/bullet.new" --strip-components 1 -f "$folder"/bullet_*.orig.tar.*
    mv "$folder/bullet.new" "$folder/bullet"
}

# ThreadSanitizer fails on kernels that randomize addresses widely, so this turns randomization off.
without_randomization() {
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        setarch "$(uname -m)" -R "$@"
    else
        "$@"
    fi
}

# Both precisions may run at the same time; the second one waits for the download.
exec 9>"$folder/lock"
flock 9
rm -rf "$folder/bullet.new"
[ -d "$folder/bullet" ] || fetch
flock -u 9

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
