#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Shows cullet on a bare Debian 12 in less than three minutes on two cores:
#
#     demos/run.sh
#
# Installs missing packages (as root, or with sudo), builds the cullet command in build/demo, runs a Bullet world, the
# viewer and a comparison with Bullet's broadphases, and writes pictures and tables to out/. Works from any directory.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
readonly root
readonly build="$root/build/demo"
readonly out="$root/out"
readonly packages=(
    cmake g++ ninja-build pkg-config libbullet-dev libcli11-dev nlohmann-json3-dev libfmt-dev libpng-dev libzstd-dev
    libxxhash-dev libelf-dev libgmp-dev gnuplot-nox libepoxy-dev libglfw3-dev libimgui-dev libegl1 libgl1-mesa-dri
)

# say <seconds that the rest of the script takes on two cores> <name of the next step>
say() {
    printf '\n==> [%s s] %s (about %s s left)\n' "$SECONDS" "$2" "$1"
}

# Runs a command and shows its output only if it fails.
quietly() {
    if ! "$@" >"$build/log" 2>&1; then
        cat "$build/log" >&2
        printf 'demos/run.sh: failed: %s\n' "$*" >&2
        exit 1
    fi
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        quietly "$@"
    else
        quietly sudo "$@"
    fi
}

install_missing() {
    if dpkg -s "${packages[@]}" >/dev/null 2>&1; then
        return
    fi
    if ! command -v apt-get >/dev/null; then
        say 90 "No apt-get; continuing without installing: ${packages[*]}"
        return
    fi
    say 150 "Installing what is missing of ${packages[*]}"
    as_root apt-get update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"
}

# Builds only the command, without tests and CUDA. -O2 compiles faster than -O3 and is as fast here.
build_command() {
    say 90 "Building cullet"
    quietly cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCULLET_TESTS=OFF -DCULLET_CUDA=OFF \
        -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG"
    ninja -C "$build" cullet_command
}

mkdir -p "$build" "$out"
install_missing
build_command
touch "$build/started" # to list only the files of this run at the end

say 25 "cullet info"
"$build/bin/cullet" info

say 25 "cullet demo: a Bullet world, rendered"
"$build/bin/cullet" demo --bodies 2000 --steps 240 --out "$out"

say 20 "cullet view: what a broadphase does, as a picture. Without --screenshot it opens a window"
"$build/bin/cullet" view --bodies 1000 --frames 120 --broadphase dbvt,cullet --screenshot "$out/view.png"

say 10 "cullet compare: the same boxes through three broadphases, every step checked"
"$build/bin/cullet" compare --engines dbvt,sap,cullet --bodies 1000,2000,5000,10000 --check \
    --plot "$out/compare.png" | tee "$out/compare.txt"

printf '\n==> [%s s] Written to %s:\n' "$SECONDS" "$out"
find "$out" -maxdepth 1 -type f -newer "$build/started" -printf '    %f\n' | sort
