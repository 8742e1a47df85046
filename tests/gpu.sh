#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Tests and measures cullet on a machine with a CUDA device, in less than nine minutes: basic costs, the tests on the
# device, small tests at the same time under compute-sanitizer's tools, `cullet stress`, tables of times and, in the
# remaining time, the papers' tables with the device beside the CPU.
#
#     tests/gpu.sh <folder for the results> [<build folder>]
#
# Without a build folder it builds build/gpu, unless it is part of a packed build. A packed build needs a driver, bash
# and the basic tools of Debian; no compiler, CMake, Bullet, GoogleTest or C++ library: its lib/ holds all libraries
# beyond libc. Packing needs no device and builds first without a build folder:
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
readonly seconds_in_all="${CULLET_GPU_SECONDS:-505}" # killing a step may take 10 s more; without building
readonly sizes="${CULLET_GPU_BODIES:-10000,100000,1000000}"
readonly scenes=(brownian mixed clustered)
readonly large="${CULLET_GPU_LARGE:-100000}"
readonly answer_seconds="${CULLET_GPU_ANSWER_SECONDS:-60}" # limit for the driver to report a device
readonly programs=(cullet cullet-papers cullet_device_{costs,kernels,kernels_64,kernels_256}
    cullet_test_{cuda,backends_cuda,meshes_cuda,bridge})
readonly crossing_sizes="${CULLET_GPU_CROSSING_BODIES:-300,1000,3000,10000,30000,100000,300000,1000000}"

# Small scenes with many unusual boxes, because sanitizers are slow. The last test is the smallest scene with more
# leaves than a tile of the sort.
readonly small_tests='Worlds.*cuda_*:Filters.*cuda_*:Moves.Hidden*cuda_*:Moves.FewAfterAll*cuda_lbvh_float*'

failed=()  # steps
lacking=() # steps that are incomplete or not available
problem="" # of the step that was attempted last
kind=""    # of that problem: failed, incomplete or not available
begin=0    # of it
step=""    # its process
info=""    # output of `cullet info`

say() {
    printf '\n==> [%s s] %s\n' "$SECONDS" "$*" >&2
}

leave() {
    printf 'tests/gpu.sh: %s\n' "$2" >&2
    exit "$1"
}

# ------------------------------------------------------------------------------------------------------------- carrying

# RPATH instead of RUNPATH: it also applies to the libraries of libraries.
readonly beside="-Wl,--disable-new-dtags"

require_beside() {
    # shellcheck disable=SC2016 # for the loader, not the shell
    readelf -d "$1" | grep -q '(RPATH).*\$ORIGIN/\.\./lib' || leave 1 "$1 was not built to be carried: configure with \
-DCMAKE_BUILD_RPATH='\$ORIGIN/../lib' -DCMAKE_EXE_LINKER_FLAGS=$beside"
}

pack() {
    local from="$1" to="$2" program library missing=()
    for program in "${programs[@]}"; do
        [ -x "$from/bin/$program" ] || missing+=("$program")
    done
    [ "${#missing[@]}" -eq 0 ] || leave 1 "not in $from/bin: ${missing[*]}. With CUDA, GoogleTest and what \
demos/run.sh installs, tests/gpu.sh pack <new folder> builds them"
    for program in "${programs[@]}"; do
        require_beside "$from/bin/$program"
    done
    mkdir -p "$to/bin" "$to/lib" "$to/tests"
    for program in "${programs[@]}"; do
        cp "$from/bin/$program" "$to/bin/"
        strip "$to/bin/$program"
    done
    # without the loader, libc and the driver of the other machine
    ldd "$to"/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
        grep -Ev '/(ld-linux.*|libc|libm|libdl|librt|libpthread|libcuda)\.so' |
        while read -r library; do
            cp "$library" "$to/lib/"
        done
    cp "$root"/tests/gpu.sh "$root"/tests/gpu_*.awk "$to/tests/"
}

# ----------------------------------------------------------------------------------------------------------- the device

# Reports missing tools and libraries in one line, before anything is run.
require_parts() {
    local tool program line missing=()
    [ -e /proc/self/exe ] || leave 1 "missing here: /proc, without which no program finds what lies beside it"
    for tool in awk cp date grep gzip mkdir mktemp mv sed sort tail tar timeout; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    for program in "$build_folder"/bin/*; do
        while read -r line; do
            [ -z "$line" ] || missing+=("$(basename "$program"): $line")
        done <<<"$({ LD_TRACE_LOADED_OBJECTS=1 "$program" 2>&1 || true; } | grep -F 'not found' | sort -u)"
    done
    [ "${#missing[@]}" -eq 0 ] || leave 1 "missing here: $(printf '%s; ' "${missing[@]}")"
}

# A failure does not prove that there is no device: containers may have the driver without its tools.
nvidia_smi_lists_one() {
    timeout -k 5 "$answer_seconds" nvidia-smi -L >/dev/null 2>&1
}

# Before building: without libcuda there is no device. The loader reports a library that it cannot preload.
require_driver() {
    nvidia_smi_lists_one || [ -z "$(LD_PRELOAD=libcuda.so.1 env true 2>&1)" ] ||
        leave 77 "no CUDA device here: nvidia-smi lists none, and there is no libcuda.so.1"
}

# Writes a report before the first step, if there may be a device.
report_no_answer() {
    mkdir -p "$out"
    rm -f -- "$out/results.tar.gz"
    printf '# cullet on a device\n\n%s: no answer in %s s. Nothing was run.\n' "$1" "$answer_seconds" >"$out/report.md"
    leave 1 "$1: no answer in $answer_seconds s"
}

# Asks the built program.
require_device() {
    local says code=0
    info="$(timeout -k 5 "$answer_seconds" "$cullet" info)" || code="$?"
    case "$code" in
    0) ;;
    124 | 137) report_no_answer "cullet info" ;;
    *) leave 1 "$cullet does not start" ;;
    esac
    ! grep -q '^cuda  *usable' <<<"$info" || return 0
    says="$(grep '^cuda' <<<"$info")" || leave 1 "$cullet says nothing of CUDA"
    ! grep -q 'no CUDA backend' <<<"$says" || leave 1 "$cullet was built without CUDA"
    nvidia_smi_lists_one || leave 77 "no CUDA device here: nvidia-smi lists none, and cullet says: $says"
    leave 1 "a device is there, but cullet cannot use it: $says"
}

build() {
    local targets
    say "Building build/gpu"
    # shellcheck disable=SC2016 # as above
    cmake -S "$root" -B "$root/build/gpu" -DCMAKE_BUILD_TYPE=Release -DCULLET_CUDA=ON \
        -DCMAKE_BUILD_RPATH='$ORIGIN/../lib' -DCMAKE_EXE_LINKER_FLAGS="$beside" >&2
    # The targets that exist; without Bullet some do not.
    targets="$(cmake --build "$root/build/gpu" --target help |
        grep -owE 'cullet_(command|papers|device_(costs|kernels(_64|_256)?)|test_((backends_|meshes_)?cuda|bridge))' |
        sort -u)"
    # shellcheck disable=SC2086 # a list
    cmake --build "$root/build/gpu" --parallel "$(nproc)" --target $targets >&2
}

# ------------------------------------------------------------------------------------------------------------ the steps

# publish: replaces the report and the archive of all output atomically
publish() {
    tar -C "$work" -czf "$out/.results" . && mv "$out/.results" "$out/results.tar.gz"
    cp "$work/report.md" "$out/.report" && mv "$out/.report" "$out/report.md"
}

# object <kind> <problem>: records a problem of the current step
object() {
    problem="${problem:+$problem, and }$2"
    kind="${kind:-$1}"
}

# explain <exit code> <most seconds> <file>
explain() {
    # messages of compute-sanitizer on unsupported machines
    if grep -qsE 'Device not supported|Unable to find injection library' "$work/$3"; then
        object "not available" "the tool cannot be used here"
        return
    fi
    case "$1" in
    0) ;;
    124 | 137) object incomplete "not done after $2 s" ;; # 137: it had to be killed
    *) object failed "exit code $1" ;;
    esac
}

# attempt <file> <most seconds> <command>...: stdout to the file, and a failure, if any, to `problem`
attempt() {
    local file="$1" most="$2" left=$((seconds_in_all - SECONDS)) code=0
    shift 2
    say "$file"
    [ "$most" -lt "$left" ] || most="$left"
    begin="$SECONDS"
    problem=""
    kind=""
    if [ "$most" -le 0 ]; then
        object incomplete "not run: no time was left"
        return
    fi
    timeout -k 10 "$most" "$@" >"$work/$file" 2>"$work/${file%.*}.err" &
    step="$!" # a signal interrupts the wait
    wait "$step" || code="$?"
    step=""
    explain "$code" "$most" "${file%.*}.err"
}

# check_device <file>: fails the step if the device failed in a row of that CSV: the CPU took over, which is an error
# here
check_device() {
    local file="$work/$1"
    if [ -s "$file" ] && ! awk -F, '
        NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "device_failures") column = i; next }
        column == 0 || $column != "0" { failed = 1 }
        END { exit failed }' "$file"; then
        kind=failed
        object failed "the device failed"
    fi
}

# conclude <file>: writes the outcome of the step to the report
conclude() {
    local verdict="passed in $((SECONDS - begin)) s"
    if [ -n "$problem" ]; then
        [ "$kind" = failed ] && failed+=("${1%.*}") || lacking+=("${1%.*}")
        verdict="**$kind**: $problem, see $1"
    fi
    printf '    %s\n' "$verdict" >&2
    printf '| %s | %s |\n' "${1%.*}" "$verdict" >>"$work/report.md"
    publish
}

# check_gtest <file>: fails the step if no test ran, which GoogleTest accepts
check_gtest() {
    if [ -z "$problem" ] && ! grep -qE '^\[  PASSED  \] [1-9]' "$work/$1"; then
        object failed "there is no such test"
    fi
}

# gtest <name> <most seconds> <program> <filter>
gtest() {
    local file="$1.log"
    attempt "$file" "$2" "$build_folder/bin/$3" --gtest_brief=1 --gtest_filter="$4"
    check_gtest "$file"
    conclude "$file"
}

# Launches, graphs, copies and waits: lower bounds of all times below. Alone on the device.
run_costs() {
    attempt costs.log 15 "$build_folder/bin/cullet_device_costs"
    conclude costs.log
}

# Every kernel of an update, also with other block sizes.
run_kernels() {
    local file="$1.log" most="$2" program="$build_folder/bin/cullet_device_$1"
    shift 2
    attempt "$file" "$most" "$program" "$@"
    conclude "$file"
}

run_all_kernels() {
    run_kernels kernels 25 "$sizes"
    run_kernels kernels_64 10 "${sizes##*,}" lbvh,lbvh-anew,grid
    run_kernels kernels_256 10 "${sizes##*,}" lbvh,lbvh-anew,grid
}

run_tests() {
    gtest cuda 35 cullet_test_cuda '*' # the same bytes as on the CPU, stage by stage
    CULLET_TEST_CLIMB="${CULLET_GPU_CLIMB:-1000000 1000}" gtest climb 35 cullet_test_cuda 'Climb.*'
    gtest backends 45 cullet_test_backends_cuda '*'
    CULLET_CUDA_GRAPH=1 gtest backends-graph 20 cullet_test_backends_cuda '*lbvh*:*grid*'
    gtest meshes 20 cullet_test_meshes_cuda '*MeshPairs*:MeshDoubles.*:MeshSet.*' # triangles, each with every other
    gtest bridge 30 cullet_test_bridge '*cuda_*'
    # the tests' scenes are small; races between many blocks need large ones
    attempt large.csv 30 "$cullet" compare --device cuda --check --engines core-lbvh,core-grid,core-full,cullet-grid \
        --scene brownian,clustered --bodies "$large" --steps 3 --no-memory --format csv
    check_device large.csv
    conclude large.csv
}

readonly sanitizer_tools=(memcheck racecheck initcheck synccheck)
readonly sanitizer_seconds=160
sanitizers=() # their processes

# All tools at once, beside the tests: each uses little of the device and one core. No kernel is left out.
start_sanitizers() {
    local tool
    command -v compute-sanitizer >/dev/null || return 0
    for tool in "${sanitizer_tools[@]}"; do
        timeout -k 10 "$sanitizer_seconds" compute-sanitizer --tool "$tool" --error-exitcode 9 \
            "$build_folder/bin/cullet_test_backends_cuda" --gtest_brief=1 --gtest_filter="$small_tests" \
            >"$work/$tool.log" 2>"$work/$tool.err" &
        sanitizers+=("$!")
    done
}

# Before anything is measured.
await_sanitizers() {
    local i tool code
    for i in "${!sanitizer_tools[@]}"; do
        tool="${sanitizer_tools[i]}"
        problem=""
        kind=""
        begin=0
        if [ "${#sanitizers[@]}" -eq 0 ]; then
            object "not available" "compute-sanitizer was not found"
        else
            code=0
            wait "${sanitizers[i]}" || code="$?"
            cat "$work/$tool.log" >>"$work/$tool.err" # it reports on either stream
            explain "$code" "$sanitizer_seconds" "$tool.err"
            [ "$kind" != "not available" ] && check_gtest "$tool.log"
        fi
        conclude "$tool.log"
    done
}

run_stress() {
    local algorithm file
    for algorithm in lbvh grid; do
        file="stress-$algorithm.log"
        attempt "$file" 25 "$cullet" stress --device cuda --algorithm "$algorithm" --bodies 2000 --minutes 0.15
        if grep -q '^logged$' "$work/$file"; then
            kind=failed
            object failed "the device failed"
        fi
        conclude "$file"
    done
}

# --------------------------------------------------------------------------------------------------------------- times

# compare_sizes <program> <sizes> <arguments>...: one CSV from one process per size, so that finished sizes are kept if
# time runs out. Returns the last exit code that is not 0.
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

# measure <name> <most seconds> <sizes> <arguments>...: writes <name>.csv and its command line. The sizes share the
# time.
measure() {
    local name="$1" most="$2" list="$3"
    shift 3
    printf '%scullet compare --bodies %s %s\n' "${CULLET_CUDA_GRAPH:+CULLET_CUDA_GRAPH=1 }" "$list" "$*" \
        >"$work/$name.command"
    attempt "$name.csv" "$most" bash -c "$(declare -f compare_sizes); compare_sizes \"\$@\"" bash "$cullet" "$list" "$@"
    check_device "$name.csv"
    conclude "$name.csv"
}

measure_all() {
    # turns of 20 steps, because a device lowers its clock when idle
    local times=(--device cuda --engines "core-lbvh,core-grid,core-full" --turn 20 --steps 20 --warmup 3 --seconds 4)
    # scenes of similar sizes, of many sizes and with clusters
    local crossing=(--scene brownian,mixed,clustered --moving "100,10,1" --engines core --turn 20 --steps 20 --warmup 3
        --seconds 0.5)
    local scene
    run_all_kernels
    for scene in "${scenes[@]}"; do
        measure "times-$scene" 28 "$sizes" --scene "$scene" "${times[@]}"
    done
    # the same, launched as a graph
    CULLET_CUDA_GRAPH=1 measure times-graph 22 "$sizes" --scene brownian "${times[@]/,core-full/}"
    measure crossing-cuda 38 "$crossing_sizes" --device cuda "${crossing[@]}"
    measure crossing-cpu 38 "$crossing_sizes" --device cpu "${crossing[@]}"
}

# The tables with rows from the library's kernels, the fastest first: each is written when it is done.
measure_papers() {
    attempt papers.txt 120 "$cullet" papers avril-fig4 avril-5 avril-7 avril-others thesis-4.6 avril-2 karras-build \
        avril-6 thesis-4.2 --device cuda
    conclude papers.txt
}

write_tables() {
    local scene incomplete=0
    printf '\nWhat anything costs:\n\n'
    cat "$work/costs.log"
    printf '\nThe kernels of an update in which all move, and the bytes that they have to move:\n\n'
    cat "$work/kernels.log" || incomplete=1
    printf '\nThe same in blocks of 64 threads, and of 256, where they are 128:\n\n'
    cat "$work/kernels_64.log" || incomplete=1
    printf '\n'
    cat "$work/kernels_256.log" || incomplete=1
    for scene in "${scenes[@]}" graph; do
        printf '\n    %s\n\n' "$(cat "$work/times-$scene.command")"
        awk -f "$root/tests/gpu_times.awk" "$work/times-$scene.csv" || incomplete=1
    done
    printf '\nFrom how many bodies on the device is faster than the CPU, end to end, the C API:\n\n'
    awk -f "$root/tests/gpu_crossing.awk" "$work/crossing-cpu.csv" "$work/crossing-cuda.csv" || incomplete=1
    printf '\nThe papers, their figures beside ours:\n\n'
    sed 's/^/    /' "$work/papers.txt"
    return "$incomplete"
}

# ---------------------------------------------------------------------------------------------------------------- main

heading() {
    printf '# cullet on a device\n\n'
    if nvidia_smi_lists_one; then
        { timeout -k 5 "$answer_seconds" nvidia-smi --query-gpu=name,driver_version,memory.total \
            --format=csv,noheader || true; } |
            sed -n '1s/^/Device, driver, memory: /p'
    fi
    printf '\n%s, ' "$(date -u +%Y-%m-%d)"
    sed -n 's/^cullet  *[^ ]* (\(.*\))$/commit \1/p' <<<"$info"
    printf '\n'
    printf '    %s\n' "${info//$'\n'/$'\n    '}"
    printf '\n| step | outcome |\n|---|---|\n'
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
    rm -f -- "$out"/report.md "$out"/results.tar.gz
    heading >"$work/report.md"
    trap end EXIT
    trap 'leave 3 "ended from outside"' HUP INT TERM
    publish
    run_costs
    start_sanitizers
    run_tests
    await_sanitizers
    run_stress
    measure_all
    measure_papers
    write_tables >>"$work/report.md" || lacking+=(tables)
    publish
    say "Written: $out/report.md, results.tar.gz"
    cat "$out/report.md"
    [ "${#failed[@]}" -eq 0 ] || leave 1 "failed: ${failed[*]}"
    [ "${#lacking[@]}" -eq 0 ] || leave 3 "incomplete or not available: ${lacking[*]}"
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
require_parts
main
