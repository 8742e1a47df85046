#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# On a machine with a CUDA device, in one call of at most ten minutes: the tests on the device, the small ones again
# under compute-sanitizer, `cullet stress`, and the tables of times that only a device can tell.
#
#     tests/gpu.sh <folder for the results> [<build folder>]
#
# Without a build folder it builds build/gpu. One that was carried here needs no compiler and none of Bullet's headers;
# what its programs load beyond libc is looked for in its lib/, where this puts it on the machine that built it:
#
#     tests/gpu.sh pack <build folder> <new folder>
#
# The results: report.md, and what each step wrote. Exit codes: 0 all went well; 1 something did not, though the rest
# was run; 2 wrong arguments; 77 there is no CUDA device here, and nothing was run.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
readonly root
PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin" # where nvcc and compute-sanitizer mostly are
readonly seconds_in_all=590 # what the steps below may take at the most comes to less; building comes on top
readonly sizes="${CULLET_GPU_BODIES:-10000,100000,1000000}"
readonly scenes=(brownian mixed clustered)
readonly large="${CULLET_GPU_LARGE:-100000}"
readonly crossing_sizes="${CULLET_GPU_CROSSING_BODIES:-300,1000,3000,10000,30000,100000,300000,1000000}"

# Small boxes and many odd ones: everything that kernels read and write wrongly shows there, and a sanitizer takes long.
readonly small_tests='Worlds.*cuda_*:Filters.*cuda_*:Moves.Hidden*cuda_*'

failed=()  # steps
problem="" # of the step that was attempted last
begin=0    # of it
info=""    # what `cullet info` says

say() {
    printf '\n==> [%s s] %s\n' "$SECONDS" "$*" >&2
}

leave() {
    printf 'tests/gpu.sh: %s\n' "$2" >&2
    exit "$1"
}

# ------------------------------------------------------------------------------------------------------------- carrying

pack() {
    local from="$1" to="$2" program library
    mkdir -p "$to/bin" "$to/lib"
    for program in "$from"/bin/cullet "$from"/bin/cullet_test_{cuda,backends_cuda,bridge}; do
        if [ -x "$program" ]; then
            cp "$program" "$to/bin/"
            strip "$to/bin/$(basename "$program")"
        fi
    done
    # not what belongs to the system's loader, nor the driver, which is the other machine's
    ldd "$to"/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
        grep -Ev '/(ld-linux.*|libc|libm|libdl|librt|libpthread|libcuda)\.so' |
        while read -r library; do
            cp "$library" "$to/lib/"
        done
}

# ----------------------------------------------------------------------------------------------------------- the device

# That it does not is no proof that there is none: containers may have the driver's library without its tools.
nvidia_smi_lists_one() {
    nvidia-smi -L >/dev/null 2>&1
}

# Before anything is built: where the loader finds no libcuda, no program finds a device. It complains about what it was
# to preload and cannot find.
require_driver() {
    nvidia_smi_lists_one || [ -z "$(LD_PRELOAD=libcuda.so.1 env true 2>&1)" ] ||
        leave 77 "no CUDA device here: nvidia-smi lists none, and there is no libcuda.so.1"
}

# Once there is a program to ask.
require_device() {
    local says
    info="$("$cullet" info)" || leave 1 "$cullet does not start"
    ! grep -q '^cuda  *usable' <<<"$info" || return 0
    says="$(grep '^cuda' <<<"$info" || true)"
    nvidia_smi_lists_one || leave 77 "no CUDA device here: nvidia-smi lists none, and cullet says: $says"
    leave 1 "a device is there, but cullet cannot use it: $says"
}

build() {
    local targets
    say "Building build/gpu"
    cmake -S "$root" -B "$root/build/gpu" -DCMAKE_BUILD_TYPE=Release -DCULLET_CUDA=ON >&2
    # What of it there is without Bullet.
    targets="$(cmake --build "$root/build/gpu" --target help |
        grep -owE 'cullet_command|cullet_test_(cuda|backends_cuda|bridge)' | sort -u)"
    # shellcheck disable=SC2086 # a list
    cmake --build "$root/build/gpu" --parallel "$(nproc)" --target $targets >&2
}

# ------------------------------------------------------------------------------------------------------------ the steps

# attempt <file> <most seconds> <command>...: stdout into the file, and what went wrong, if anything, into `problem`
attempt() {
    local file="$1" most="$2" left=$((seconds_in_all - SECONDS)) code=0
    shift 2
    say "$file"
    [ "$most" -lt "$left" ] || most="$left"
    begin="$SECONDS"
    problem=""
    if [ "$most" -le 0 ]; then
        problem="not run: no time was left"
        return
    fi
    timeout -k 10 "$most" "$@" >"$out/$file" 2>"$out/${file%.*}.err" || code="$?"
    case "$code" in
    0) ;;
    124 | 137) problem="not done after $most s" ;; # 137: it had to be killed
    *) problem="exit code $code" ;;
    esac
}

# check_device <file>: when the device failed in a row of that CSV, as the CPU takes its place then, which is no error
# to those who use it, but it is one here
check_device() {
    local file="$out/$1"
    if [ -s "$file" ] && ! awk -F, '
        NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "device_failures") column = i; next }
        column == 0 || $column != "0" { failed = 1 }
        END { exit failed }' "$file"; then
        problem="${problem:+$problem, and }the device failed"
    fi
}

# conclude <file>: the outcome of what was attempted, into the report
conclude() {
    local verdict="passed in $((SECONDS - begin)) s"
    if [ -n "$problem" ]; then
        failed+=("${1%.*}")
        verdict="**failed**: $problem, see $1"
    fi
    printf '    %s\n' "$verdict" >&2
    printf '| %s | %s |\n' "${1%.*}" "$verdict" >>"$report"
}

# gtest <name> <most seconds> <program> <filter> [<command that runs it>...]
gtest() {
    local file="$1.log" most="$2" program="$build_folder/bin/$3" filter="$4"
    shift 4
    attempt "$file" "$most" "$@" "$program" --gtest_brief=1 --gtest_filter="$filter"
    if [ -z "$problem" ] && ! grep -qE '^\[  PASSED  \] [1-9]' "$out/$file"; then
        problem="there is no such test" # which GoogleTest lets pass
    fi
    conclude "$file"
}

run_tests() {
    gtest cuda 40 cullet_test_cuda '*' # the same bytes as on the CPU, stage by stage
    gtest backends 80 cullet_test_backends_cuda '*'
    gtest bridge 40 cullet_test_bridge '*cuda_*'
    # the tests' worlds are small; what many blocks at once do wrong shows in large ones
    attempt large.csv 40 "$cullet" compare --device cuda --check --engines core,core-full,cullet-lbvh,cullet-grid \
        --scene brownian,clustered --bodies "$large" --steps 3 --no-memory --format csv
    check_device large.csv
    conclude large.csv
}

run_sanitizer() {
    local tool
    if ! command -v compute-sanitizer >/dev/null; then
        problem="compute-sanitizer was not found"
        conclude sanitizer.log
        return
    fi
    for tool in memcheck racecheck initcheck; do
        gtest "$tool" 45 cullet_test_backends_cuda "$small_tests" compute-sanitizer --tool "$tool" --error-exitcode 9
    done
}

run_stress() {
    local algorithm file
    for algorithm in lbvh grid; do
        file="stress-$algorithm.log"
        attempt "$file" 25 "$cullet" stress --device cuda --algorithm "$algorithm" --bodies 2000 --minutes 0.15
        if grep -q '^logged$' "$out/$file"; then
            problem="the device failed"
        fi
        conclude "$file"
    done
}

# --------------------------------------------------------------------------------------------------------------- times

# compare_sizes <program> <sizes> <arguments>...: one CSV, from one process for each size, which writes when it is done:
# so what is done is there should the time run out. The exit code is the last that was not 0.
compare_sizes() {
    local program="$1" list="$2" first=1 code=0 bodies rows
    shift 2
    for bodies in ${list//,/ }; do
        rows="$("$program" compare --bodies "$bodies" "$@" --no-memory --format csv)" || code="$?"
        if [ -n "$rows" ]; then
            tail -n "+$first" <<<"$rows"
            first=2 # without the header
        fi
    done
    return "$code"
}

# measure <name> <most seconds> <sizes> <arguments>...: <name>.csv, and the command line beside it. The sizes share the
# time, from the first to the last.
measure() {
    local name="$1" most="$2" list="$3"
    shift 3
    printf 'cullet compare --bodies %s %s\n' "$list" "$*" >"$out/$name.command"
    attempt "$name.csv" "$most" bash -c "$(declare -f compare_sizes); compare_sizes \"\$@\"" bash "$cullet" "$list" "$@"
    check_device "$name.csv"
    conclude "$name.csv"
}

measure_all() {
    local times=(--device cuda --engines "core,core-full,cullet-lbvh,cullet-grid" --steps 20 --warmup 3 --seconds 4)
    local crossing=(--moving "100,10,1" --engines core --steps 20 --warmup 3 --seconds 1)
    local scene
    for scene in "${scenes[@]}"; do
        measure "times-$scene" 35 "$sizes" --scene "$scene" "${times[@]}"
    done
    measure crossing-cuda 45 "$crossing_sizes" --device cuda "${crossing[@]}"
    measure crossing-cpu 45 "$crossing_sizes" --device cpu "${crossing[@]}"
}

write_tables() {
    local scene incomplete=0
    for scene in "${scenes[@]}"; do
        printf '\n    %s\n\n' "$(cat "$out/times-$scene.command")"
        awk -f "$root/tests/gpu_times.awk" "$out/times-$scene.csv" || incomplete=1
    done
    printf '\nFrom how many bodies on the device is faster than the CPU, end to end, brownian, the C API:\n\n'
    awk -f "$root/tests/gpu_crossing.awk" "$out/crossing-cpu.csv" "$out/crossing-cuda.csv" || incomplete=1
    return "$incomplete"
}

# ---------------------------------------------------------------------------------------------------------------- main

heading() {
    printf '# cullet on a device\n\n'
    if nvidia_smi_lists_one; then
        { nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || true; } |
            sed -n '1s/^/Device, driver, memory: /p'
    fi
    printf '\n%s, ' "$(date -u +%Y-%m-%d)"
    sed -n 's/^cullet  *[^ ]* (\(.*\))$/commit \1/p' <<<"$info"
    printf '\n'
    printf '    %s\n' "${info//$'\n'/$'\n    '}"
    printf '\n| step | outcome |\n|---|---|\n'
}

main() {
    SECONDS=0 # what building took comes on top of the steps' time
    require_device
    mkdir -p "$out"
    rm -f -- "$out"/*.log "$out"/*.err "$out"/*.csv "$out"/*.command
    heading >"$report"
    run_tests
    run_sanitizer
    run_stress
    measure_all
    write_tables >>"$report" || failed+=(tables)
    say "Written: $report"
    cat "$report"
    [ "${#failed[@]}" -eq 0 ] || leave 1 "failed: ${failed[*]}"
}

if [ "$#" -eq 3 ] && [ "$1" = pack ]; then
    pack "$2" "$3"
    exit
fi
[ "$#" -eq 1 ] || [ "$#" -eq 2 ] || leave 2 "usage: tests/gpu.sh <folder for the results> [<build folder>]"
if [ "$#" -eq 1 ]; then
    require_driver
    build
fi
build_folder="$(realpath "${2:-$root/build/gpu}")"
out="$(realpath -m "$1")"
report="$out/report.md"
cullet="$build_folder/bin/cullet"
readonly build_folder out report cullet
export LD_LIBRARY_PATH="$build_folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -x "$cullet" ] || leave 1 "no $cullet: building it needs what demos/run.sh installs"
main
