#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Downloads one of Debian's source packages and unpacks it into FOLDER/PACKAGE, unless it is there.
#
#     tests/support/fetch_source.sh FOLDER PACKAGE
#
# Uses an apt configuration of its own and leaves the machine's unchanged. Exits with 77, ctest's code for "skipped", if
# the download fails. Several may run at the same time; one downloads, and the others wait.
set -euo pipefail
shopt -s extglob

if [ "$#" -ne 2 ]; then
    echo "usage: fetch_source.sh FOLDER PACKAGE" >&2
    exit 2
fi
mkdir -p "$1"
folder="$(cd "$1" && pwd)"
readonly folder package="$2" keyring=/usr/share/keyrings/debian-archive-keyring.gpg

skip() {
    echo "SKIPPED: the source of $package cannot be downloaded: $*"
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
    if [ ! -e "$apt/is_updated" ]; then
        apt-get "${options[@]}" update || skip "apt-get update failed"
        touch "$apt/is_updated"
    fi
    (cd "$folder" && apt-get "${options[@]}" source --download-only "$package") || skip "apt-get source failed"
    mkdir "$folder/$package.new"
    tar -x -C "$folder/$package.new" --strip-components 1 -f "$folder/$package"_*.orig.tar.[bgx]z*([^.])
    mv "$folder/$package.new" "$folder/$package"
}

exec 9>"$folder/lock"
flock 9
rm -rf "$folder/$package.new"
[ -d "$folder/$package" ] || fetch
