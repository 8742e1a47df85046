# SPDX-License-Identifier: Zlib
"""Access to the C library: the functions of binding.h, statuses as exceptions, results as NumPy arrays."""

from __future__ import annotations

import ctypes
import functools
import operator
import os
import weakref
from ctypes import c_bool, c_char, c_char_p, c_double, c_float, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Tuple, Type

import numpy as np
import numpy.typing as npt


class Options(ctypes.Structure):
    """cltWorldOptions."""

    _fields_ = [("device", c_int), ("algorithm", c_int), ("precision", c_int), ("threads", c_int),
                ("report_removed", c_bool)]


class Array(ctypes.Structure):
    """cltArray."""

    _fields_ = [("data", c_void_p), ("count", c_size_t)]


class UpdateStats(ctypes.Structure):
    """cltStats."""

    _fields_ = [
        ("device", c_int), ("device_reason", c_char_p), ("algorithm", c_int), ("reason", c_char_p), ("simd", c_int),
        ("proxies", c_uint32), ("nan", c_uint32), ("changed", c_uint32), ("device_failures", c_uint32),
        ("gather_ms", c_float), ("upload_ms", c_float), ("build_ms", c_float), ("find_ms", c_float),
        ("order_ms", c_float), ("read_back_ms", c_float), ("total_ms", c_float), ("host_bytes", c_size_t),
        ("device_bytes", c_size_t),
    ]


class ResearchStats(ctypes.Structure):
    """cltResearchStats."""

    _fields_ = [
        ("outliers", c_uint32), ("redone", c_uint32), ("passes", c_uint32), ("operations", c_uint32),
        ("candidates", c_uint64), ("node_tests", c_uint64), ("frontier_peak", c_uint64), ("front_size", c_uint64),
        ("kernel_ms", c_float),
    ]


class RawStats(ctypes.Structure):
    """cltWorldStats."""

    _anonymous_ = ["update", "research"]
    _fields_ = [("update", UpdateStats), ("research", ResearchStats), ("began", c_size_t), ("ended", c_size_t)]


class RawMeshStats(ctypes.Structure):
    """cltMeshStats."""

    _fields_ = [
        ("meshCount", c_uint32), ("triangleCount", c_uint32), ("hiddenCount", c_uint32), ("fitCount", c_uint32),
        ("sortCount", c_uint32), ("redoCount", c_uint32), ("meshPairCount", c_size_t), ("candidateCount", c_uint64),
        ("sharedCount", c_uint64), ("pairCount", c_size_t), ("fitMs", c_float), ("meshMs", c_float),
        ("findMs", c_float), ("orderMs", c_float), ("totalMs", c_float), ("hostBytes", c_size_t),
        ("device", c_int), ("deviceFailureCount", c_uint32), ("deviceBytes", c_size_t),
    ]


class MeshOptions(ctypes.Structure):
    """cltMeshOptions."""

    _fields_ = [
        ("vertices", c_void_p), ("vertexCount", c_size_t), ("triangles", c_void_p), ("triangleCount", c_size_t),
        ("group", c_int), ("mask", c_int), ("selfCollision", c_bool), ("keepShared", c_bool), ("isSwept", c_bool),
        ("thickness", c_float),
    ]


class RawDevice(ctypes.Structure):
    """cltDeviceReport."""

    _fields_ = [("device", c_int), ("usable", c_bool), ("name", c_char * 64), ("reason", c_char * 128)]


class RawVersion(ctypes.Structure):
    """cltVersion."""

    _fields_ = [("major", c_int), ("minor", c_int), ("patch", c_int)]


_SIGNATURES: Dict[str, List[Any]] = {  # result, then arguments
    "cltGetVersion": [RawVersion],
    "cltStatusMessage": [c_char_p, c_int],
    "cltDeviceName": [c_char_p, c_int],
    "cltAlgorithmName": [c_char_p, c_int],
    "cltSimdName": [c_char_p, c_int],
    "cltGetDevices": [c_size_t, c_void_p, c_size_t],
    "cltArray_Release": [None, c_void_p],
    "cltWorld_Create": [c_int, c_void_p, c_void_p],
    "cltWorld_Close": [None, c_void_p],
    "cltWorld_AfterFork": [None, c_void_p],
    "cltWorld_Destroy": [None, c_void_p],
    "cltWorld_Add": [c_int, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p],
    "cltWorld_Move": [c_int, c_void_p, c_size_t, c_void_p, c_void_p],
    "cltWorld_Filter": [c_int, c_void_p, c_size_t, c_void_p, c_void_p],
    "cltWorld_Remove": [c_int, c_void_p, c_size_t, c_void_p],
    "cltWorld_GetBoxes": [c_int, c_void_p, c_size_t, c_void_p, c_void_p],
    "cltWorld_Update": [c_int, c_void_p, c_void_p, c_void_p],
    "cltWorld_GetPairs": [c_int, c_void_p, c_void_p],
    "cltWorld_QueryBoxes": [c_int, c_void_p, c_size_t, c_void_p, c_void_p],
    "cltWorld_CastRay": [c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p],
    "cltWorld_CastRays": [c_int, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p],
    "cltWorld_GetStats": [c_int, c_void_p, c_void_p],
    "cltWorld_StatsSize": [c_size_t],
    "cltWorld_DeviceReportSize": [c_size_t],
    "cltMeshes_Create": [c_int, c_int, c_int, c_void_p],
    "cltMeshes_Close": [None, c_void_p],
    "cltMeshes_AfterFork": [None, c_void_p],
    "cltMeshes_Destroy": [None, c_void_p],
    "cltMeshes_Add": [c_int, c_void_p, c_void_p, c_void_p],
    "cltMeshes_Move": [c_int, c_void_p, c_uint32, c_size_t, c_void_p],
    "cltMeshes_Place": [c_int, c_void_p, c_uint32, c_void_p],
    "cltMeshes_Filter": [c_int, c_void_p, c_uint32, c_void_p],
    "cltMeshes_Remove": [c_int, c_void_p, c_uint32],
    "cltMeshes_FindPairs": [c_int, c_void_p, c_int, c_void_p],
    "cltMeshes_FindVertexFaces": [c_int, c_void_p, c_int, c_void_p],
    "cltMeshes_FindEdgePairs": [c_int, c_void_p, c_int, c_void_p],
    "cltMeshes_GetStats": [c_int, c_void_p, c_void_p],
    "cltMeshes_StatsSize": [c_size_t],
}


def _load() -> Any:
    """Loads the library. ctypes releases the interpreter lock during each call."""
    library: Any = ctypes.CDLL(str(next(Path(__file__).parent.glob("_cullet.*"))))
    for name, (result, *arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    sizes = library.cltWorld_StatsSize(), library.cltWorld_DeviceReportSize(), library.cltMeshes_StatsSize()
    if sizes != tuple(map(ctypes.sizeof, (RawStats, RawDevice, RawMeshStats))):
        raise ImportError("cullet's library and its Python files are of different versions; install it again")
    return library


LIBRARY: Any = _load()

_MOST_THREADS = 256  # CLT_MAX_THREADS

_SENTENCES = {  # of the additional statuses of binding.h
    -1: "The broadphase is closed.",
    -3: "The set of meshes is closed.",
    -4: "A mesh needs as many vertices as it was added with.",
    -5: "Another thread was in a call when this process was forked; create a new one.",
    -2: "Without ids, there must be one box for each id that was ever used; those of removed ids are ignored.",
}
_EXCEPTIONS: Dict[int, Type[Exception]] = {  # by cltStatus; others are RuntimeErrors
    10: ValueError,
    11: IndexError,
    12: TypeError,
    13: ValueError,
    20: MemoryError,
    21: MemoryError,
}


def fail(status: int) -> NoReturn:
    """Raises the exception for a status, with the message of the C API."""
    if status in _SENTENCES:
        raise ValueError(_SENTENCES[status])
    raise _EXCEPTIONS.get(status, RuntimeError)(LIBRARY.cltStatusMessage(status).decode())


def check(status: int) -> None:
    if status != 0:
        fail(status)


_living: weakref.WeakKeyDictionary[Any, Callable[[], None]] = weakref.WeakKeyDictionary()


def keep(thing: Any, handle: int, destroy: Any, after_fork: Any) -> None:
    """Destroys a C object together with its Python object, and repairs its lock in a forked child."""
    weakref.finalize(thing, destroy, handle).atexit = False  # not at exit, when other threads may still be in a call
    _living[thing] = functools.partial(after_fork, handle)


def _after_fork() -> None:
    for repair in list(_living.values()):
        repair()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class _Memory:
    """Owns the memory of a result for as long as an array uses it."""

    def __init__(self, address: int, shape: Tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._address = address
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str, "data": (address, False)}

    def __del__(self, release: Any = LIBRARY.cltArray_Release) -> None:
        release(self._address)


def take(array: Array, dtype: npt.DTypeLike, columns: Tuple[int, ...] = ()) -> npt.NDArray[Any]:
    """A result as an array, without a copy.

    :param columns: shape of an element; empty for a number
    """
    shape = (array.count, *columns)
    if array.count == 0:
        return np.empty(shape, dtype)
    return np.asarray(_Memory(array.data, shape, np.dtype(dtype)))


def _values(name: Any) -> Dict[str, int]:
    """The values of an enumeration by name. They count from 0."""
    values: Dict[str, int] = {}
    while name(len(values)) != b"unknown":
        values[name(len(values)).decode()] = len(values)
    return values


def choice(what: str, name: str, values: Dict[str, int]) -> int:
    if not isinstance(name, str) or name not in values:
        raise ValueError(f"{what} must be one of {', '.join(values)}, not {name!r}")
    return values[name]


def thread_count(threads: int) -> int:
    if not 0 <= operator.index(threads) <= _MOST_THREADS:
        raise ValueError(f"threads must be from 0 to {_MOST_THREADS}, not {threads}")
    return threads


DEVICES = _values(LIBRARY.cltDeviceName)
ALGORITHMS = _values(LIBRARY.cltAlgorithmName)


class Stats(NamedTuple):
    """What the last update did. Times are milliseconds, of stages and of the whole."""

    device: str  #: where updates run now
    device_reason: str
    algorithm: str  #: what ran; "auto" before the first update that had work
    reason: str
    simd: str  #: the instruction set, "auto" before the first update
    proxies: int  #: how many boxes there are
    nan: int  #: of these, with a NaN, which hides them
    changed: int  #: added, moved, filtered anew or removed in the last update
    outliers: int  #: tested against everything
    redone: int  #: times a stage was done again with more memory
    device_failures: int
    passes: int  #: that frontier took
    operations: int  #: launches, copies, clears and waits of a device's; 0 on the CPU
    candidates: int  #: pairs that grid or bruteForce tested
    node_tests: int  #: pairs of nodes that frontier tested
    frontier_peak: int  #: most pairs of nodes that a pass of it left for the next one
    front_size: int  #: pairs of nodes in the front that it keeps, if it does
    began: int
    ended: int
    gather_ms: float
    upload_ms: float
    build_ms: float
    find_ms: float
    order_ms: float
    read_back_ms: float
    kernel_ms: float
    total_ms: float
    host_bytes: int
    device_bytes: int


def stats(world: int) -> Stats:
    raw = RawStats()
    check(LIBRARY.cltWorld_GetStats(world, ctypes.byref(raw)))
    values: Dict[str, Any] = {name: getattr(raw, name) for name in Stats._fields}
    values["device"] = LIBRARY.cltDeviceName(raw.device)
    values["algorithm"] = LIBRARY.cltAlgorithmName(raw.algorithm)
    values["simd"] = LIBRARY.cltSimdName(raw.simd)
    texts: Any = [value.decode() if isinstance(value, bytes) else value for value in values.values()]
    return Stats(*texts)


class Device(NamedTuple):
    """A device that cullet knows about, usable or not."""

    device: str
    usable: bool
    name: str
    reason: str  #: why it is or is not usable


def devices() -> List[Device]:
    """What "auto" chooses from, the one it begins on first."""
    count = LIBRARY.cltGetDevices(None, 0)
    reports = (RawDevice * count)()
    LIBRARY.cltGetDevices(reports, count)
    return [
        Device(LIBRARY.cltDeviceName(report.device).decode(), report.usable, report.name.decode(),
               report.reason.decode())
        for report in reports
    ]


def version() -> str:
    """The library's."""
    raw = LIBRARY.cltGetVersion()
    return f"{raw.major}.{raw.minor}.{raw.patch}"
