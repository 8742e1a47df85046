#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Tests and measures cullet on a machine with a CUDA device, in less than nine minutes: basic costs, named worlds beside
# the CPU, the tests on the device, small tests at the same time under compute-sanitizer's tools, `cullet stress`,
# tables of times and, in the remaining time, the papers' tables with the device beside the CPU.
#
#     tests/gpu.sh <folder for the results> [<build folder>]
#
# Without a build folder it builds build/gpu, unless it is part of a packed build. A packed build needs a driver, bash
# and the basic tools of Debian; no compiler, CMake, Bullet, GoogleTest or C++ library: its lib/ holds all libraries
# beyond libc. Packing needs no device. It builds first if no build folder is given:
#
#     tests/gpu.sh pack [<build folder>] <new folder>
#
# The results are report.md, and results.tar.gz with the output of each step. Both are up to date after every step,
# however the run ends. A step has passed or failed, is incomplete if time ran out, or is not available if a tool or the
# device's support for it is missing.
#
# Exit codes: 0 all steps passed; 1 a step failed, or a prerequisite is missing; 2 wrong arguments; 3 no step failed,
# but one is incomplete or not available; 77 there is no CUDA device, and nothing was run.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
readonly root
PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin" # usual folder of nvcc and compute-sanitizer
readonly seconds_in_all="${CULLET_GPU_SECONDS:-505}" # does not count building; killing a step may take 10 s more
readonly sizes="${CULLET_GPU_BODIES:-10000,100000,1000000}"
readonly scenes=(brownian mixed clustered)
readonly large="${CULLET_GPU_LARGE:-100000}"
readonly answer_seconds="${CULLET_GPU_ANSWER_SECONDS:-60}" # limit for the driver to report a device
readonly programs=(cullet cullet-papers cullet_device_{kernels,worlds}
    cullet_test_{cuda,backends_cuda,meshes_cuda,bridge})
readonly crossing_sizes="${CULLET_GPU_CROSSING_BODIES:-300,1000,3000,10000,30000,100000,300000,1000000}"

# The tests that run under the slow sanitizers: small scenes with many unusual boxes. GoogleTest's patterns have no sets
# of characters, so each initial has a pattern of its own.
readonly small_tests='Worlds.*cuda_*float*:Filters.E*cuda_*float*:Filters.R*cuda_*float*:Filters.S*cuda_*float*'\
':Moves.ReportExactChanges*cuda_lbvh_float*'

# Divides GoogleTest's tests among processes: bash -c "$divide" <processes> <program> <arguments>...
readonly divide='seq 0 $(($0 - 1)) | GTEST_TOTAL_SHARDS="$0" xargs -P "$0" -I% env GTEST_SHARD_INDEX=% "$@"'

failed=()     # steps
unfinished=() # steps that are incomplete or not available
step=""       # process of the current step
sanitizers=() # processes beside it

leave() {
    printf 'tests/gpu.sh: %s\n' "$2" >&2
    exit "$1"
}

# ------------------------------------------------------------------------------------------------- building and packing

# Programs find their libraries in ../lib. RPATH, unlike RUNPATH, also applies to the libraries that libraries need.
build() {
    # shellcheck disable=SC2016 # for the loader, not the shell
    cmake -S "$root" -B "$root/build/gpu" -DCMAKE_BUILD_TYPE=Release -DCULLET_CUDA=ON \
        -DCMAKE_BUILD_RPATH='$ORIGIN/../lib' -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags >&2
    cmake --build "$root/build/gpu" --parallel "$(nproc)" --target cullet_command cullet_papers \
        "${programs[@]:2}" >&2
}

# pack <build folder> <new folder>
pack() {
    local program library
    mkdir -p "$2/bin" "$2/lib" "$2/tests"
    for program in "${programs[@]}"; do
        # shellcheck disable=SC2016 # $ORIGIN is for the loader
        readelf -d "$1/bin/$program" | grep -q '(RPATH).*\$ORIGIN/\.\./lib' ||
            leave 1 "$1/bin/$program is missing, or not built to be carried; tests/gpu.sh pack <new folder> builds it"
        strip -o "$2/bin/$program" "$1/bin/$program"
    done
    # copies all libraries but the loader, libc and the driver, which every machine with a device has
    ldd "$2"/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
        grep -Ev '/(ld-linux.*|libc|libm|libdl|librt|libpthread|libcuda)\.so' |
        while read -r library; do cp "$library" "$2/lib/"; done
    cp "$root/tests/gpu.sh" "$2/tests/"
}

# ----------------------------------------------------------------------------------------------------------- the device

# Reports missing libraries in one line, before anything is run.
require_libraries() {
    local program missing=""
    for program in "$build_folder"/bin/*; do
        missing+="$({ LD_TRACE_LOADED_OBJECTS=1 "$program" 2>&1 || true; } |
            sed -n "/not found/s|^|${program##*/}: |p" | sort -u | tr '\n' ';')"
    done
    [ -z "$missing" ] || leave 1 "missing here: $missing"
}

# A failure does not prove that there is no device: containers may have the driver without its tools.
nvidia_smi_lists_a_device() {
    timeout -k 5 "$answer_seconds" nvidia-smi -L >/dev/null 2>&1
}

# Called before building: without libcuda there is no device. The loader prints an error if it cannot preload it.
require_driver() {
    nvidia_smi_lists_a_device || [ -z "$(LD_PRELOAD=libcuda.so.1 env true 2>&1)" ] ||
        leave 77 "no CUDA device here: nvidia-smi lists none, and there is no libcuda.so.1"
}

# Exits unless the built program can use a device. Keeps the output of `cullet info` in `info`.
require_device() {
    local says code=0
    info="$(timeout -k 5 "$answer_seconds" "$cullet" info)" || code="$?"
    [ "$code" -ne 124 ] || leave 1 "cullet info: no answer in $answer_seconds s"
    ! grep -q '^cuda  *usable' <<<"$info" || return 0
    says="$(grep '^cuda' <<<"$info" | grep -v 'no CUDA backend')" || leave 1 "built without CUDA, or broken: $cullet"
    nvidia_smi_lists_a_device || leave 77 "no CUDA device here: nvidia-smi lists none, and cullet says: $says"
    leave 1 "a device is there, but cullet cannot use it: $says"
}

# ------------------------------------------------------------------------------------------------------------ the steps

# publish: replaces the report and the archive of all output atomically
publish() {
    tar -C "$work" -czf "$out/.results" . && mv "$out/.results" "$out/results.tar.gz"
    cp "$work/report.md" "$out/.report" && mv "$out/.report" "$out/report.md"
}

# explain <file> <most seconds> <exit code>: prints the problem of a step, if there is one
explain() {
    # messages of compute-sanitizer on unsupported machines; 127: there is no such tool
    if [ "$3" -eq 127 ] ||
        grep -qsE 'Device not supported|Unable to find injection library' "$work/${1%.*}".{log,err}; then
        echo "not available: the tool cannot be used here"
    # if the device fails, the CPU takes over; here that is an error (`cullet stress` prints "logged", tables count it)
    elif grep -qx logged "$work/$1" || ! awk -F, '
        NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "device_failures") column = i }
        NR > 1 && column && $column != "0" { failed = 1 }
        END { exit failed }' "$work/$1"; then
        echo "failed: the device failed"
    elif [ "$3" -eq 124 ] || [ "$3" -eq 137 ]; then # 137: it had to be killed
        echo "incomplete: not done after $2 s"
    elif [ "$3" -ne 0 ]; then
        echo "failed: exit code $3"
    elif grep -q '^\[  PASSED  \]' "$work/$1" && ! grep -q '^\[  PASSED  \] [1-9]' "$work/$1"; then
        echo "failed: there is no such test"
    fi
}

# conclude <file> <most seconds> <exit code> <outcome of success>: writes the outcome of a step to the report
conclude() {
    local outcome
    outcome="$(explain "$@")"
    case "$outcome" in
    "") outcome="$4" ;;
    failed*) failed+=("${1%.*}") ;;
    *) unfinished+=("${1%.*}") ;;
    esac
    printf '| %s | %s |\n' "${1%.*}" "$outcome" >>"$work/report.md"
    tail -n 1 "$work/report.md" >&2
    publish
}

# attempt <file> <most seconds> <command>...: one step, with stdout in the file
attempt() {
    local file="$1" most="$2" left=$((seconds_in_all - SECONDS)) begin="$SECONDS" code=0
    shift 2
    printf '\n==> [%s s] %s\n' "$begin" "$file" >&2
    [ "$most" -lt "$left" ] || most="$left"
    [ "$most" -gt 0 ] || most=0.01 # no time is left
    timeout -k 10 "$most" "$@" >"$work/$file" 2>"$work/${file%.*}.err" &
    step="$!" # a signal interrupts the wait
    wait "$step" || code="$?"
    step=""
    conclude "$file" "$most" "$code" "passed in $((SECONDS - begin)) s"
}

# processes <most>: prints the number of processors, or <most> if that is smaller
processes() {
    local count
    count="$(nproc)"
    echo "$((count < $1 ? count : $1))"
}

# gtest <name> <most seconds> <program> <filter>
gtest() {
    attempt "$1.log" "$2" bash -c "$divide" "$(processes 8)" "$build_folder/bin/$3" --gtest_brief=1 \
        --gtest_filter="$4"
}

# measure <name> <most seconds> <sizes> <arguments>...: writes <name>.csv. One process per size, so that finished sizes
# are kept if time runs out. The processes share the seconds.
measure() {
    # shellcheck disable=SC2016 # for the inner shell
    attempt "$1.csv" "$2" bash -o pipefail -c 'first=1
        for bodies in ${0//,/ }; do
            "$@" --bodies "$bodies" --no-memory --format csv | tail -n "+$first" || code="$?"
            first=2 # without the header
        done
        exit "${code-0}"' "$3" "$cullet" compare "${@:4}"
}

readonly sanitizer_tools=(memcheck racecheck initcheck synccheck)
readonly sanitizer_seconds=160

# Starts all tools at once, beside the tests: each uses little of the device. They check all kernels, for float boxes.
start_sanitizers() {
    local tool
    for tool in "${sanitizer_tools[@]}"; do
        timeout -k 10 "$sanitizer_seconds" bash -c "$divide" "$(processes 4)" \
            compute-sanitizer --tool "$tool" --error-exitcode 9 "$build_folder/bin/cullet_test_backends_cuda" \
            --gtest_brief=1 --gtest_filter="$small_tests" >"$work/$tool.log" 2>&1 &
        sanitizers+=("$!")
    done
}

await_sanitizers() {
    local i code
    for i in "${!sanitizer_tools[@]}"; do
        code=0
        wait "${sanitizers[i]}" || code="$?"
        command -v compute-sanitizer >/dev/null || code=127
        conclude "${sanitizer_tools[i]}.log" "$sanitizer_seconds" "$code" passed
    done
}

run_tests() {
    local algorithm
    start_sanitizers
    attempt worlds.log 30 "$build_folder/bin/cullet_device_worlds" # named worlds, device against CPU
    gtest cuda 35 cullet_test_cuda '*' # the same bytes as on the CPU, stage by stage
    CULLET_TEST_CLIMB="${CULLET_GPU_CLIMB:-1000000 300}" gtest climb 35 cullet_test_cuda '*.Climb*'
    gtest backends 45 cullet_test_backends_cuda '*'
    gtest meshes 20 cullet_test_meshes_cuda '*MeshPairs*:MeshDoubles.*:MeshSet.*' # pairs of triangles
    gtest bridge 30 cullet_test_bridge '*cuda_*'
    # the tests' scenes are small; races between many blocks need large ones
    attempt large.csv 30 "$cullet" compare --device cuda --check --engines core-lbvh,core-grid,core-full,cullet-grid \
        --scene brownian,clustered --bodies "$large" --steps 3 --no-memory --format csv
    await_sanitizers # before anything is measured
    for algorithm in lbvh grid; do
        attempt "stress-$algorithm.log" 25 "$cullet" stress --device cuda --algorithm "$algorithm" --bodies 2000 \
            --minutes 0.15
    done
}

measure_all() {
    # turns of 20 steps, because a device lowers its clock when idle
    local times=(--device cuda --engines "core-lbvh,core-grid,core-full" --turn 20 --steps 20 --warmup 3 --seconds 4)
    # three scenes: bodies of equal size, of many sizes, and in clusters
    local crossing=(--scene "brownian,mixed,clustered" --moving "100,10,1" --engines core --turn 20 --steps 20
        --warmup 3 --seconds 0.5)
    local name
    attempt kernels.log 40 "$build_folder/bin/cullet_device_kernels" "$sizes"
    for name in "${scenes[@]}"; do
        measure "times-$name" 28 "$sizes" --scene "$name" "${times[@]}"
    done
    measure crossing-cuda 38 "$crossing_sizes" --device cuda "${crossing[@]}"
    measure crossing-cpu 38 "$crossing_sizes" --device cpu "${crossing[@]}"
    # the papers' tables that have rows from kernels, the quickest first, because each is written when it is done
    attempt papers.txt 330 "$cullet" papers avril-fig4 avril-5 avril-7 avril-others thesis-4.6 avril-2 karras-build \
        avril-6 thesis-4.2 --device cuda
}

# ----------------------------------------------------------------------------------------------------------- the report

# columns <csv> <names>: prints these columns as a table. Fails if there are no rows.
columns() {
    awk -F, -v names="$2" '
        NR == 1 { count = split(names, name, " "); for (i = 1; i <= NF; ++i) column[$i] = i }
        {
            for (i = 1; i <= count; ++i) {
                value = $column[name[i]]
                printf "| %s ", value ~ /[.]/ ? value + 0 : value # six digits
            }
            print "|"
        }
        NR == 1 { gsub(/[a-z_]+/, "---", names); gsub(/ /, "|", names); print "|" names "|" }
        END { exit NR < 2 }' "$1"
}

# speedups <csv on the CPU> <csv on a device>: prints a row for each case that is in both files. Fails without rows.
speedups() {
    printf '| scene | bodies | moving %% | CPU ms | device ms | CPU over device |\n|---|---:|---:|---:|---:|---:|\n'
    awk -F, '
        FNR == 1 { ++file; for (i = 1; i <= NF; ++i) column[file, $i] = i; next }
        {
            row = $column[file, "scene"] " | " $column[file, "bodies"] " | " $column[file, "moving"] + 0
            ms = $column[file, "total_ms"]
            if (file == 1) cpu[row] = ms
            else if (ms > 0 && cpu[row] > 0 && $column[file, "device"] != "cpu") {
                printf "| %s | %.3g | %.3g | %.3g |\n", row, cpu[row], ms, cpu[row] / ms
                ++rows
            }
        }
        END { exit rows == 0 }' "$1" "$2"
}

write_tables() {
    local name incomplete=0
    printf '\nkernels:\n\n'
    cat "$work/kernels.log" || incomplete=1
    for name in "${scenes[@]}"; do
        printf '\ntimes-%s:\n\n' "$name"
        columns "$work/times-$name.csv" "scene bodies engine algorithm device device_failures kernel_ms update_ms \
total_ms pairs began ended" || incomplete=1
    done
    printf '\nFrom how many bodies on the device is faster than the CPU, end to end, the C API:\n\n'
    speedups "$work/crossing-cpu.csv" "$work/crossing-cuda.csv" || incomplete=1
    printf '\nThe papers, their figures beside ours:\n\n'
    sed 's/^/    /' "$work/papers.txt"
    return "$incomplete"
}

heading() {
    printf '# cullet on a device\n\n'
    ! nvidia_smi_lists_a_device || timeout -k 5 "$answer_seconds" nvidia-smi --format=csv,noheader \
        --query-gpu=name,driver_version,memory.total | sed -n '1s/^/Device, driver, memory: /p'
    printf '\n%s, ' "$(date -u +%Y-%m-%d)"
    sed -n 's/^cullet  *[^ ]* (\(.*\))$/commit \1/p' <<<"$info"
    printf '\n    %s\n\n| step | outcome |\n|---|---|\n' "${info//$'\n'/$'\n    '}"
}

# On any exit: ends started processes and publishes the output.
end() {
    local process
    for process in $step ${sanitizers[@]+"${sanitizers[@]}"}; do
        kill "$process" 2>/dev/null || true
    done
    publish
    rm -rf -- "$work"
}

main() {
    SECONDS=0 # without the time of building
    require_device
    work="$(mktemp -d)"
    readonly work
    mkdir -p "$out"
    heading >"$work/report.md"
    trap end EXIT
    trap 'leave 3 "ended from outside"' HUP INT TERM
    publish
    run_tests
    measure_all
    write_tables >>"$work/report.md" || unfinished+=(tables)
    publish
    cat "$out/report.md"
    printf '\nWritten: %s/report.md, results.tar.gz\n' "$out" >&2
    [ "${#failed[@]}" -eq 0 ] || leave 1 "failed: ${failed[*]}"
    [ "${#unfinished[@]}" -eq 0 ] || leave 3 "incomplete or not available: ${unfinished[*]}"
}

if [ "${1-}" = pack ] && { [ "$#" -eq 2 ] || [ "$#" -eq 3 ]; }; then
    [ "$#" -eq 3 ] || build
    [ "$#" -eq 3 ] || set -- pack "$root/build/gpu" "$2"
    pack "$2" "$3"
    exit
fi
[ "$#" -eq 1 ] || [ "$#" -eq 2 ] || leave 2 "usage: tests/gpu.sh <folder for the results> [<build folder>]"
if [ "$#" -eq 1 ] && [ -x "$root/bin/cullet" ]; then
    set -- "$1" "$root"
elif [ "$#" -eq 1 ]; then
    require_driver
    build
fi
build_folder="$(realpath "${2:-$root/build/gpu}")"
out="$(realpath -m "$1")"
cullet="$build_folder/bin/cullet"
readonly build_folder out cullet
[ -x "$cullet" ] || leave 1 "no $cullet: building it needs what demos/run.sh installs"
require_libraries
main
