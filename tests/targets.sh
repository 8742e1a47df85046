#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Builds and tests a checkout for another system, on a bare Debian 12:
#
#     tests/targets.sh windows    64-bit Windows, by mingw-w64; the tests run under wine
#     tests/targets.sh arm64      Linux on 64-bit ARM; the tests run under qemu
#     tests/targets.sh wasm       WebAssembly, by emscripten, with and without threads; the tests run under node
#     tests/targets.sh page       the viewer as a page, in build/web/page; the tests run in Chromium, and keep pictures
#                                 of it in build/web/pictures
#
# Installs missing packages (as root, or with sudo), compiles the libraries that Debian does not have for the target
# from Debian's sources, builds below build/, and fails if any test failed. The last line is ctest's verdict.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=support/steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/support/steps.sh"
packages=(cmake ninja-build gcc g++ pkg-config make m4 xz-utils googletest python3)
target="${1:-}"
toolchain="$target"
readonly target sources="$root/build/sources" prefix="$root/build/$target-root"

fetch() {
    "$root/tests/support/fetch_source.sh" "$sources" "$1"
}

# logged <name> <command>...: shows the output only if the command fails
logged() {
    local log="$root/build/$target-libraries/$1.log"
    shift
    mkdir -p "$(dirname "$log")"
    "$@" >"$log" 2>&1 || { tail -n 30 "$log" >&2; echo "the whole log: $log" >&2; return 1; }
}

# install_with_cmake <name> <source> <cmake options>...: compiles a library and installs it for the target
install_with_cmake() {
    local name="$1" folder="$root/build/$target-libraries/$1" source="$2"
    shift 2
    echo "$name"
    logged "$name-configure" cmake -S "$source" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_TOOLCHAIN_FILE="$root/gpu/platform/$toolchain.cmake" -DCMAKE_INSTALL_PREFIX="$prefix" \
        -DCMAKE_FIND_ROOT_PATH="$prefix" "$@"
    logged "$name" cmake --build "$folder" -j "$jobs" --target install
}

# install_bullet [-D<option>...] <precision>...: for the plugin
install_bullet() {
    fetch bullet
    local options=() argument
    for argument in "$@"; do
        case "$argument" in
            -D*) options+=("$argument") ;;
            *)
                install_with_cmake "bullet-$argument" "$root/tests/bullet/source" -DBULLET_SOURCE="$sources/bullet" \
                    -DPRECISION="$argument" ${options[@]+"${options[@]}"}
                ;;
        esac
    done
}

# install_gmp <machine> <C compiler> <C++ compiler>: big numbers, for the oracle of triangles
install_gmp() {
    fetch gmp
    local folder="$root/build/$target-libraries/gmp"
    mkdir -p "$folder" "$sources/gmp/doc"
    echo 'all install:' >"$sources/gmp/doc/Makefile.in" # Debian leaves out the manual, which is not free
    cd "$folder"
    echo gmp
    logged gmp-configure sh "$sources/gmp/configure" --host="$1" --prefix="$prefix" --disable-shared --enable-cxx \
        CC_FOR_BUILD=gcc CC="$2" CXX="$3"
    logged gmp make -j "$jobs" install
}

# What the page needs, and the command too.
install_text_libraries() {
    fetch cli11
    fetch fmtlib
    install_with_cmake cli11 "$sources/cli11" -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF
    install_with_cmake fmt "$sources/fmtlib" -DFMT_TEST=OFF -DFMT_DOC=OFF
}

install_libraries_of_page() {
    install_bullet float
    install_text_libraries
    fetch imgui
}

# What the command needs. zlib is Debian's.
install_libraries_of_command() {
    local package
    install_text_libraries
    for package in nlohmann-json3 libpng1.6 libzstd xxhash; do
        fetch "$package"
    done
    install_with_cmake json "$sources/nlohmann-json3" -DJSON_BuildTests=OFF
    install_with_cmake png "$sources/libpng1.6" -DPNG_SHARED=OFF -DPNG_TESTS=OFF -DPNG_EXECUTABLES=OFF
    install_with_cmake zstd "$sources/libzstd/build/cmake" -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF \
        -DZSTD_MULTITHREAD_SUPPORT=OFF
    install_with_cmake xxhash "$sources/xxhash/cmake_unofficial" -DBUILD_SHARED_LIBS=OFF -DXXHASH_BUILD_XXHSUM=OFF
}

# build_preset <name> <cmake options>...
build_preset() {
    local preset="$1"
    shift
    cd "$root"
    cmake --preset "$preset" -G Ninja -DCULLET_WERROR=ON "$@"
    cmake --build --preset "$preset" -j "$jobs"
}

# The page's tests are unittest's; the last line is theirs.
test_page() {
    local log="$root/build/web/tests.log"
    python3 "$root/tests/view/test_page.py" "$root/build/web/page" "$root/build/web/pictures" 2>&1 | tee "$log" ||
        failed+=("${steps[step]}")
    verdicts[step]="$(grep -E '^Ran [0-9]+ tests' "$log" || echo "no test was run"), $(tail -n 1 "$log")"
}

test_preset() {
    run_tests "$1" -LE 'slow|mt|again|minutes'
}

steps=("install what is missing" "libraries for $target" "build" "tests")
do_step() {
    case "$1" in
        0) install_missing ;;
        1) install_libraries ;;
        2) build_preset "$target" -DCMAKE_FIND_ROOT_PATH="$prefix" ;;
        3) test_preset "$target" ;;
    esac
}

case "$target" in
    windows)
        packages+=(gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix wine64 libz-mingw-w64-dev)
        export WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" WINEPREFIX="$root/build/wine"
        install_libraries() {
            install_bullet float double
            install_gmp x86_64-w64-mingw32 x86_64-w64-mingw32-gcc-posix x86_64-w64-mingw32-g++-posix
            install_libraries_of_command
            /usr/lib/wine/wine64 wineboot --init # else the first two tests would create wine's folder at the same time
        }
        ;;
    arm64)
        packages+=(gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user-static)
        install_libraries() {
            install_bullet -DBUILD_SHARED_LIBS=ON float double # cullet-preload is for dynamic libraries
            install_gmp aarch64-linux-gnu aarch64-linux-gnu-gcc aarch64-linux-gnu-g++
        }
        ;;
    wasm)
        packages+=(emscripten nodejs)
        steps=("install what is missing" "libraries for wasm" "build without threads" "tests without threads"
            "build with threads" "tests with threads")
        do_step() {
            case "$1" in
                0) install_missing ;;
                1) install_bullet float ;;
                2) build_preset wasm -DCMAKE_FIND_ROOT_PATH="$prefix" ;;
                3) test_preset wasm ;;
                4) build_preset wasm-threads ;;
                5) test_preset wasm-threads ;;
            esac
        }
        ;;
    page)
        packages+=(emscripten nodejs chromium)
        toolchain=wasm
        steps=("install what is missing" "libraries for WebAssembly" "build" "tests")
        do_step() {
            case "$1" in
                0) install_missing ;;
                1) install_libraries_of_page ;;
                2) build_preset web -DCMAKE_FIND_ROOT_PATH="$prefix" -DCULLET_IMGUI_SOURCE="$sources/imgui" ;;
                3) test_page ;;
            esac
        }
        ;;
    *)
        echo "usage: tests/targets.sh windows|arm64|wasm|page" >&2
        exit 2
        ;;
esac
run_steps $((${#steps[@]} - 1))
