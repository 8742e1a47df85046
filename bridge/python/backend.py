# SPDX-License-Identifier: Zlib
"""Builds the package with scikit-build-core. In a checkout, the sources of the library and the licence are first copied
into this folder, because a package may contain only files below it."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import scikit_build_core.build as _build

_here = Path(__file__).resolve().parent
_root = _here.parent.parent
_is_checkout = (_root / "bridge/cullet.h").exists()  # a source distribution has the copies already, and keeps them

_licence = {"LICENSE": "LICENSE"}
_sources = {"sources/" + name: name for name in ("CMakeLists.txt", "LICENSE", "bridge", "gpu")}


def _remove(copy):
    shutil.rmtree(copy) if copy.is_dir() else copy.unlink(missing_ok=True)


@contextmanager
def _copied(files):
    try:
        for copy, name in files.items() if _is_checkout else ():
            _remove(_here / copy)
            (_here / copy).parent.mkdir(exist_ok=True)
            if (_root / name).is_dir():
                shutil.copytree(_root / name, _here / copy, ignore=shutil.ignore_patterns("python"))
            else:
                shutil.copy(_root / name, _here / copy)
        yield
    finally:
        if _is_checkout:
            for copy in ("LICENSE", "sources"):
                _remove(_here / copy)


def _hook(name, files):
    """The hook of scikit-build-core with this name. The files are copied while it runs."""
    def call(*arguments, **options):
        with _copied(files):
            return getattr(_build, name)(*arguments, **options)
    return call


get_requires_for_build_wheel = _hook("get_requires_for_build_wheel", _licence)
get_requires_for_build_sdist = _hook("get_requires_for_build_sdist", _licence)
build_wheel = _hook("build_wheel", _licence)
build_sdist = _hook("build_sdist", {**_licence, **_sources})
