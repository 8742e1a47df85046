#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# From a bare Debian 12 with a checkout to pictures and numbers, in less than three minutes on two cores:
#
#     demos/run.sh
#
# Installs what is missing (as root, or with sudo), builds the cullet command into build/demo, runs a Bullet world and a
# comparison with Bullet's broadphases, and writes pictures and tables to out/. Works from any directory.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
readonly root
readonly build="$root/build/demo"
readonly out="$root/out"
readonly packages=(
    cmake g++ ninja-build pkg-config libbullet-dev libcli11-dev nlohmann-json3-dev libfmt-dev libpng-dev libzstd-dev
    libxxhash-dev libelf-dev gnuplot-nox
)

# say <seconds that this and what follows take on two cores> <what begins>
say() {
    printf '\n==> [%s s] %s (about %s s left)\n' "$SECONDS" "$2" "$1"
}

# Silent when all goes well; shows everything a command said when it fails.
quietly() {
    local log
    log="$(mktemp)"
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        printf 'demos/run.sh: failed: %s\n' "$*" >&2
        exit 1
    fi
    rm -f "$log"
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
        say 90 "No apt-get here; going on in the hope that these are installed: ${packages[*]}"
        return
    fi
    local missing=() package
    for package in "${packages[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
    if [ "${#missing[@]}" -eq 0 ]; then
        return
    fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        printf 'demos/run.sh: run as root, or install: %s\n' "${missing[*]}" >&2
        exit 1
    fi
    say 150 "Installing ${missing[*]}"
    quietly as_root apt-get update
    quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# A line for every fifth of the way; everything that was said, when it fails.
compile() {
    local log="$build/compile.log"
    if ! NINJA_STATUS='%p ' ninja -C "$build" cullet_command 2>&1 | tee "$log" |
        awk '$1 ~ /%$/ && int($1 / 20) > shown { shown = int($1 / 20); print "    " 20 * shown " %"; fflush() }'; then
        cat "$log" >&2
        printf 'demos/run.sh: building failed\n' >&2
        exit 1
    fi
}

# Nothing but the command, for this machine's CPU: no tests, no CUDA, and -O2, which compiles faster than -O3 and
# makes no difference here.
build_command() {
    say 90 "Building cullet"
    quietly cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCULLET_TESTS=OFF -DCULLET_CUDA=OFF \
        -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG"
    compile
}

main() {
    install_missing
    build_command
    mkdir -p "$out"

    say 25 "cullet info"
    "$build/bin/cullet" info

    say 25 "cullet demo: a Bullet world, rendered"
    "$build/bin/cullet" demo --bodies 2000 --steps 240 --out "$out"

    say 10 "cullet compare: the same boxes through three broadphases, every step checked"
    "$build/bin/cullet" compare --engines dbvt,sap,cullet --bodies 1000,2000,5000,10000 --check \
        --plot "$out/compare.png" | tee "$out/compare.txt"

    printf '\n==> [%s s] Written to %s:\n' "$SECONDS" "$out"
    find "$out" -maxdepth 1 -type f -newer "$build/started" -printf '    %f\n' | sort
}

mkdir -p "$build"
touch "$build/started" # so that only what this run wrote is named at the end
main
