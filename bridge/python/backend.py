# SPDX-License-Identifier: Zlib
"""Builds the package with scikit-build-core. What lies above this folder in a checkout, the sources of the library and
the licence, is copied into it first: packages may contain only what lies below."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import scikit_build_core.build as _build

_here = Path(__file__).resolve().parent
_root = _here.parent.parent


@contextmanager
def _copied(names):
    """In a source distribution all of it is there already, and stays."""
    copies = []
    try:
        for name, copy in names.items():
            if not (_here / copy).exists():
                copies.append(_here / copy)
                source = _root / name
                if source.is_dir():
                    shutil.copytree(source, _here / copy, ignore=shutil.ignore_patterns("python"))
                else:
                    (_here / copy).parent.mkdir(exist_ok=True)
                    shutil.copy(source, _here / copy)
        yield
    finally:
        for copy in copies:
            if copy.is_dir():
                shutil.rmtree(copy)
            else:
                copy.unlink()
        if copies and (_here / "sources").exists():
            (_here / "sources").rmdir()


_licence = {"LICENSE": "LICENSE"}
_sources = {name: "sources/" + name for name in ("CMakeLists.txt", "LICENSE", "bridge", "gpu")}


def get_requires_for_build_wheel(config_settings=None):
    with _copied(_licence):
        return _build.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_sdist(config_settings=None):
    with _copied(_licence):
        return _build.get_requires_for_build_sdist(config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with _copied(_licence):
        return _build.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    with _copied({**_licence, **_sources}):
        return _build.build_sdist(sdist_directory, config_settings)
