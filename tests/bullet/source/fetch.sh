#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Downloads Debian's source package of Bullet and unpacks it into FOLDER/bullet, unless it is there.
#
#     tests/bullet/source/fetch.sh FOLDER
#
# Uses an apt configuration of its own and leaves the machine's unchanged. Exits with 77, ctest's code for "skipped", if
# the download fails. Several may run at the same time; one downloads, and the others wait.
set -euo pipefail

if [ "$#" -ne 1 ]; then
    echo "usage: fetch.sh FOLDER" >&2
    exit 2
fi
mkdir -p "$1"
folder="$(cd "$1" && pwd)"
readonly folder keyring=/usr/share/keyrings/debian-archive-keyring.gpg

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

exec 9>"$folder/lock"
flock 9
rm -rf "$folder/bullet.new"
[ -d "$folder/bullet" ] || fetch
