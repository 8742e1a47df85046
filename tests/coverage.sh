#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Measures with clang which lines and branches of the library and of the plugin the quick tests run:
#
#     tests/coverage.sh
#
# Installs missing packages (as root, or with sudo) and builds below build/coverage. Prints a table by folder, and
# writes the lines and branches that no test runs to build/coverage/missed.txt.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=support/steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/support/steps.sh"
packages=(cmake ninja-build clang llvm python3 pkg-config libgtest-dev libgmp-dev libbullet-dev libbullet-extras-dev)
targets=(core host backends bridge switch meshes plugin_float plugin_double contract_float contract_double)
build="$root/build/coverage"
flags="-O1 -fprofile-instr-generate -fcoverage-mapping"

install_missing
CC=clang CXX=clang++ cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None "-DCMAKE_C_FLAGS=$flags" \
    "-DCMAKE_CXX_FLAGS=$flags" -DCULLET_CUDA=OFF -DCULLET_DEMOS=OFF -DCULLET_TEST_DOUBLE=ON
cmake --build "$build" -j "$jobs" --target "${targets[@]/#/cullet_test_}"
rm -rf "$build/profiles"
LLVM_PROFILE_FILE="$build/profiles/%4m.profraw" ctest --test-dir "$build" -j "$jobs" --output-on-failure \
    -L '^(core|host|backends|bridge|switch|contract|meshes|plugin)$' -LE '^(slow|again|minutes|mt)$' \
    -E 'compiles_|CT-55|CudaFailures|(To|From)Cuda'
llvm-profdata merge -sparse -o "$build/tests.profdata" "$build"/profiles/*.profraw
objects=("${targets[@]/#/-object=$build/bin/cullet_test_}")
for format in lcov text; do
    llvm-cov export "${objects[@]}" -instr-profile "$build/tests.profdata" -format="$format" -skip-functions \
        -ignore-filename-regex='^/usr/|/(tests|demos)/' >"$build/coverage.$format"
done

# llvm-cov lists a branch of a header once for each file that includes it. Here it is one branch.
python3 - "$root" "$build" <<'PYTHON'
import collections
import json
import os
import re
import sys

root, build = sys.argv[1:]
FOLDERS = {"bridge": "bridge/", "gpu/core": "gpu/core/", "gpu/host": "gpu/host/", "gpu/rest": "gpu/rest/",
           "gpu/mesh": "gpu/mesh/(core|host)/", "plugin": "plugin/(?!preload/|recorder/)"}
lines, branches = collections.Counter(), collections.Counter()
with open(build + "/coverage.lcov", encoding="utf-8") as lcov:
    for record in lcov:
        key, _, value = record.strip().partition(":")
        if key == "SF":
            file = os.path.relpath(value, root)
        elif key == "DA":
            line, count = value.split(",")[:2]
            lines[file, int(line)] += int(count)
with open(build + "/coverage.text", encoding="utf-8") as text:
    for entry in json.load(text)["data"][0]["files"]:
        for line, column, _, _, taken, skipped, *_ in entry["branches"]:
            place = os.path.relpath(entry["filename"], root), line, column
            branches[place + ("never true",)] += taken
            branches[place + ("never false",)] += skipped

print("| folder | lines | run | branches | taken |\n|---|---:|---:|---:|---:|")
for folder, pattern in FOLDERS.items():
    counts = [[count > 0 for place, count in of.items() if re.match(pattern, place[0])] for of in (lines, branches)]
    print(f"| `{folder}` | " + " | ".join(f"{len(of):,} | {100 * sum(of) / len(of):.1f}%" for of in counts) + " |")
with open(build + "/missed.txt", "w", encoding="utf-8") as missed:
    for place in sorted(place for of in (lines, branches) for place, count in of.items() if count == 0):
        missed.write(":".join(map(str, place)) + "\n")
PYTHON
