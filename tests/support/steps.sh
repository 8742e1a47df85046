# shellcheck shell=bash
# SPDX-License-Identifier: Zlib
# Sourced by tests/run.sh and tests/targets.sh, which define
#   packages  an array of the Debian packages that they need
#   steps     an array of the steps' names
#   do_step   a function that performs the step with a number
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
jobs="$(nproc)"
readonly root jobs

failed=()
verdicts=()

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
        echo "No apt-get here; going on in the hope that these are installed: ${packages[*]}"
        return
    fi
    local missing=() package
    for package in "${packages[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
    if [ "${#missing[@]}" -gt 0 ]; then
        as_root apt-get update -q
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
    fi
}

# Runs a command without address space randomization, if that is allowed: wide randomization breaks ThreadSanitizer.
without_randomization() {
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        setarch "$(uname -m)" -R "$@"
    else
        "$@"
    fi
}

# run_tests <folder> <ctest options>...: keeps ctest's verdict, and the step's name if a test failed
run_tests() {
    local name="$1" log="$root/build/$1/ctest.log"
    shift
    without_randomization ctest --test-dir "$root/build/$name" --output-on-failure --no-tests=error -j "$jobs" "$@" \
        2>&1 | tee "$log" || failed+=("${steps[step]}")
    verdicts[step]="$(grep -E '^[0-9]+% tests passed' "$log" || echo "no test was run")"
}

# run_steps <step>: performs all steps and prints their verdicts, that of <step> last. Fails if a test failed.
run_steps() {
    for step in "${!steps[@]}"; do
        printf '\n==> [%s s] step %s of %s: %s\n' "$SECONDS" "$((step + 1))" "${#steps[@]}" "${steps[step]}"
        do_step "$step"
    done

    printf '\n==> [%s s] done\n' "$SECONDS"
    [ "${#failed[@]}" -eq 0 ] || printf 'Failed: %s\n' "${failed[@]}"
    for step in "${!verdicts[@]}"; do
        printf '%s: %s\n' "${steps[step]}" "${verdicts[step]}"
    done
    printf '%s\n' "${verdicts[$1]}"
    [ "${#failed[@]}" -eq 0 ]
}
