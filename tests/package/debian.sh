#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Builds the Debian packages on Debian 12, checks them with lintian and installs them into a bare Debian 12. Runs the
# command there, builds demos/hello.c with pkg-config and demos/drop_in.cpp with CMake, removes the packages, and
# expects no file to be left. Takes eight minutes; needs root, the network, debootstrap and lintian.
#
#     tests/package/debian.sh <folder to work in>
set -euo pipefail

source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
readonly source work root="$work/root" programs=/home/programs

# expect <what> <actual> <expected>
expect() {
    [ "$2" = "$3" ] || { printf "debian.sh: %s: '%s' instead of '%s'\n" "$@" >&2; exit 1; }
}

# Runs a command within the bare Debian. /proc is mounted for that command alone.
# shellcheck disable=SC2016 # sh expands it
in_root() {
    unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -ec "$1"
}

cmake -S "$source" --preset deb -B "$work/build"
rm -f "$work"/build/*.deb
cmake --build "$work/build" --target package -j "$(nproc)"
lintian --fail-on error,warning "$work"/build/*.deb

rm -rf --one-file-system "$root"
debootstrap --variant=minbase bookworm "$root"
mkdir "$root/home/packages" "$root$programs"
cp /etc/resolv.conf "$root/etc/"
cp "$work"/build/*.deb "$root/home/packages/"
cp "$source"/demos/hello.c "$source"/demos/drop_in.cpp "$root$programs/"
cat >"$root$programs/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(drop_in LANGUAGES C CXX)
find_package(cullet REQUIRED)
find_package(Bullet REQUIRED)
add_executable(drop_in drop_in.cpp)
target_include_directories(drop_in PRIVATE ${BULLET_INCLUDE_DIRS})
target_link_libraries(drop_in PRIVATE cullet::plugin ${BULLET_LIBRARIES})
END

in_root "apt-get update -q && apt-get install -q -y --no-install-recommends /home/packages/*.deb"
expect "the command" "$(in_root "cullet --version")" "cullet $(in_root "dpkg-query -W -f '\${Version}' cullet-tools")"
in_root "cullet info && cullet stress --precision double --bodies 50 --steps 5"
in_root "apt-get install -q -y --no-install-recommends gcc g++ pkg-config cmake make libbullet-dev"
in_root "cd $programs && cc hello.c -o hello \$(pkg-config --cflags --libs cullet)"
expect "hello.c" "$(in_root "$programs/hello")" $'0 meets 1\n1 meets 2'
in_root "cmake -S $programs -B $programs/build && cmake --build $programs/build"
expect "drop_in.cpp" "$(in_root "$programs/build/drop_in")" \
    $'box 1 rests at height 0.50\nbox 2 rests at height 1.50\nbox 3 rests at height 2.50'

packages="$(in_root "dpkg-query -W -f '\${Package} ' '*cullet*'")"
expect "installed" "$(wc -w <<<"$packages")" 3
in_root "apt-get remove -q -y $packages"
left="$(find "$root" -xdev \( -path "$root/home" -o -path "$root/proc" \) -prune -o -iname '*cullet*' -print)"
expect "files left" "$left" ""
rm -rf --one-file-system "$root"
echo "debian.sh: all well"
