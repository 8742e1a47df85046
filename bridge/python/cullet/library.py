# SPDX-License-Identifier: Zlib
"""Access to the C library: its functions and structs, statuses as exceptions, and a lock for each C object."""

from __future__ import annotations

import contextlib
import ctypes
import operator
import os
import threading
import weakref
from ctypes import byref, c_bool, c_char, c_char_p, c_float, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, NoReturn, Optional, Set, Tuple, Type

import numpy as np
import numpy.typing as npt

# ------------------------------------------------------------------------------------------------------------- structs


def _struct(struct: str, /, **fields: Any) -> Any:
    return type(struct, (ctypes.Structure,), {"_fields_": list(fields.items())})


BroadphaseDef = _struct(
    "cltBroadphaseDef", device=c_int, promoteFrom=c_uint32, algorithm=c_int, precision=c_int, simd=c_int,
    filterMasks=c_bool, reportDestroyed=c_bool, proxyCapacity=c_uint32, threadCount=c_int, stream=c_void_p,
    hooks=c_void_p * 5, research=c_void_p, internalValue=c_int)
PairChanges = _struct("cltPairChanges", began=c_void_p, ended=c_void_p, beganCount=c_size_t, endedCount=c_size_t)
RawStats = _struct(
    "cltStats", device=c_int, device_reason=c_char_p, algorithm=c_int, reason=c_char_p, simd=c_int, proxies=c_uint32,
    nan=c_uint32, changed=c_uint32, device_failures=c_uint32, gather_ms=c_float, upload_ms=c_float, build_ms=c_float,
    find_ms=c_float, order_ms=c_float, read_back_ms=c_float, total_ms=c_float, host_bytes=c_size_t,
    device_bytes=c_size_t)
ResearchStats = _struct(
    "cltResearchStats", outliers=c_uint32, redone=c_uint32, passes=c_uint32, operations=c_uint32, candidates=c_uint64,
    node_tests=c_uint64, frontier_peak=c_uint64, front_size=c_uint64, kernel_ms=c_float)
MeshDef = _struct(
    "cltMeshDef", vertices=c_void_p, verticesD=c_void_p, vertexCount=c_uint32, triangles=c_void_p,
    triangleCount=c_uint32, filter=c_int * 2, selfCollision=c_bool, keepShared=c_bool, isSwept=c_bool,
    thickness=c_float, userData=c_uint64, internalValue=c_int)
RawMeshStats = _struct(
    "cltMeshStats", meshes=c_uint32, triangles=c_uint32, hidden=c_uint32, fits=c_uint32, sorts=c_uint32,
    redone=c_uint32, mesh_pairs=c_size_t, candidates=c_uint64, shared=c_uint64, pairs=c_size_t, fit_ms=c_float,
    mesh_ms=c_float, find_ms=c_float, order_ms=c_float, total_ms=c_float, host_bytes=c_size_t, device=c_int,
    device_failures=c_uint32, device_bytes=c_size_t)
RawDevice = _struct("cltDeviceReport", device=c_int, usable=c_bool, name=c_char * 64, reason=c_char * 128)
RawVersion = _struct("cltVersion", major=c_int, minor=c_int, patch=c_int)

# ----------------------------------------------------------------------------------------------------------- functions


class _Address:
    """The type of an argument: None, an array's data, or what ctypes takes as a pointer."""

    @staticmethod
    def from_param(value: Any) -> Any:
        return value.ctypes if isinstance(value, np.ndarray) else c_void_p.from_param(value)


_ARGUMENT_TYPES = {"h": c_void_p, "p": _Address, "n": c_size_t, "u": c_uint32, "i": c_int}

_FUNCTIONS: List[Tuple[Any, str, str]] = [  # result (c_int: a status), arguments (h: a handle), names
    (RawVersion, "", "cltGetVersion"),
    (c_char_p, "i", "cltStatusMessage cltDeviceName cltAlgorithmName cltSimdName"),
    (c_size_t, "pn", "cltGetDevices"),
    (BroadphaseDef, "", "cltDefaultBroadphaseDef"),
    (MeshDef, "", "cltDefaultMeshDef"),
    (c_int, "pp", "cltCreateBroadphase cltCreateArrays cltCreateMeshSet"),
    (None, "h", "cltDestroyBroadphase cltDestroyArrays cltDestroyMeshSet"),
    (c_int, "hnpppp", "cltBroadphase_CreateProxies cltBroadphase_CreateProxiesD"),
    (c_int, "hnpp", "cltBroadphase_MoveProxies cltBroadphase_MoveProxiesD cltBroadphase_SetFilters"),
    (c_int, "hnp", "cltBroadphase_DestroyProxies"),
    (c_int, "hp", "cltBroadphase_Update cltBroadphase_GetStats cltBroadphase_GetResearchStats"),
    (c_int, "hpp", "cltBroadphase_GetPairs cltArrays_GetPairs"),
    (c_int, "hnppp", "cltArrays_Update cltArrays_UpdateD"),
    (c_int, "hnpp", "cltPython_GetBoxes"),
    (c_int, "hnpnpp", "cltPython_QueryBoxes"),
    (c_int, "hppnppp", "cltPython_CastRay"),
    (c_int, "hnpppp", "cltPython_CastRays"),
    (c_int, "hpp", "cltMeshSet_CreateMesh"),
    (c_int, "hup", "cltMeshSet_MoveVertices cltMeshSet_MoveVerticesD cltMeshSet_Place cltMeshSet_PlaceD"),
    (c_int, "hup", "cltMeshSet_SetFilter cltMeshSet_GetUserData"),
    (c_int, "hu", "cltMeshSet_DestroyMesh"),
    (c_int, "hipp", "cltMeshSet_FindPairs cltMeshSet_FindVertexFaces cltMeshSet_FindEdgePairs"),
    (c_int, "hp", "cltMeshSet_GetStats"),
]

_EXCEPTIONS: Dict[int, Type[Exception]] = {  # by cltStatus; others are RuntimeErrors
    10: ValueError,
    11: IndexError,
    12: TypeError,
    13: ValueError,
    14: TypeError,
    20: MemoryError,
    21: MemoryError,
}


def _raise_on_error(status: int, *_: Any) -> None:
    """Raises the exception for a status, with the message of the C API."""
    if status != 0:
        raise _EXCEPTIONS.get(status, RuntimeError)(LIBRARY.cltStatusMessage(status).decode())


def _load() -> Any:
    """Loads the library. ctypes releases the interpreter lock during each call."""
    library: Any = ctypes.CDLL(str(next(Path(__file__).parent.glob("_cullet.*"))))
    for result, letters, names in _FUNCTIONS:
        for function in (getattr(library, name) for name in names.split()):
            function.restype = result
            function.argtypes = [_ARGUMENT_TYPES[letter] for letter in letters]
            if result is c_int:
                function.errcheck = _raise_on_error
    structs = (BroadphaseDef, RawStats, ResearchStats, MeshDef, RawMeshStats, RawDevice)
    sizes = (c_size_t * len(structs)).in_dll(library, "cltPython_sizes")
    if list(sizes) != [ctypes.sizeof(struct) for struct in structs]:
        raise ImportError("cullet's library and its Python files are of different versions; install it again")
    return library


LIBRARY: Any = _load()


def copied(address: Optional[int], count: int, columns: int) -> npt.NDArray[np.uint32]:
    """A copy of a result that belongs to a C object, (count, columns)."""
    array = np.empty((count, columns), np.uint32)
    if address is not None and count > 0:
        ctypes.memmove(array.ctypes.data, address, array.nbytes)
    return array


# ------------------------------------------------------------------------------------------------------------- objects


class Handle:
    """A C object with a lock: calls that change it take turns, calls that only read it run in parallel."""

    def __init__(self, create: Any, definition: Any, destroy: Any, name: str) -> None:
        address = c_void_p()
        create(byref(definition), byref(address))
        self._address: Optional[int] = address.value
        self._error = f"The {name} is closed."
        self._destroy = weakref.finalize(self, destroy, self._address)
        self._destroy.atexit = False  # other threads may still be in a call
        self._unlock()
        _handles.add(self)

    def _unlock(self) -> None:
        self._lock = threading.Lock()  # held by a call that changes the object, and while a call begins to read it
        self._readers: Set[threading.Lock] = set()  # one for each call that reads the object, held by it

    def _open(self) -> int:
        """The address of the C object, after calls that read it have ended. The caller holds the lock, so no other call
        begins to read."""
        for reader in list(self._readers):
            with reader:
                pass
        self._readers.clear()
        return self._checked_address()

    def _checked_address(self) -> int:
        if self._address is None:
            raise ValueError(self._error)
        return self._address

    @contextlib.contextmanager
    def _reading(self) -> Iterator[int]:
        """Must not be nested: a change that waits for the outer call would block the inner one. All locks are taken by
        `with`: after acquire(), a signal handler may raise before the statement that ensures the release."""
        reader = threading.Lock()
        with reader:
            with self._lock:
                self._readers.add(reader)
                address = self._checked_address()
            try:
                yield address
            finally:
                self._readers.discard(reader)

    def _after_fork(self) -> None:
        """A call of another thread never ends in the forked child, so its object is unusable and its memory is lost."""
        if self._lock.locked() or any(reader.locked() for reader in self._readers):
            self._unlock()
            self._destroy.detach()
            self._address = None
            self._error = "Another thread was in a call when this process was forked; create a new one."

    def close(self) -> None:
        """Releases memory and threads, after other calls have returned. Later calls other than this one raise
        ValueError."""
        with self._lock:
            if self._address is not None:
                self._open()
                self._address = None  # first: a signal handler may raise between the two
                self._destroy()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled")


_handles: weakref.WeakSet[Handle] = weakref.WeakSet()


def _after_fork() -> None:
    for handle in list(_handles):
        handle._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

# ------------------------------------------------------------------------------------------------------------- options

_MOST_THREADS = 256  # CLT_MAX_THREADS


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


def definition_of(dtype: np.dtype[Any], threads: int) -> Any:
    """The options that broadphases and sets of meshes share."""
    if not 0 <= operator.index(threads) <= _MOST_THREADS:
        raise ValueError(f"threads must be from 0 to {_MOST_THREADS}, not {threads}")
    definition = LIBRARY.cltDefaultBroadphaseDef()
    definition.precision = int(dtype == np.float64)
    definition.threadCount = threads
    return definition


DEVICES = _values(LIBRARY.cltDeviceName)
ALGORITHMS = _values(LIBRARY.cltAlgorithmName)


class Device(NamedTuple):
    """A device that cullet knows about, usable or not."""

    device: str
    usable: bool
    name: str
    reason: str  #: why it is or is not usable


def devices() -> List[Device]:
    """All devices; the first is the one on which "auto" begins."""
    count = LIBRARY.cltGetDevices(None, 0)
    reports = (RawDevice * count)()
    LIBRARY.cltGetDevices(byref(reports), count)
    return [
        Device(LIBRARY.cltDeviceName(report.device).decode(), report.usable, report.name.decode(),
               report.reason.decode())
        for report in reports
    ]


def version() -> str:
    """The version of the library."""
    raw = LIBRARY.cltGetVersion()
    return f"{raw.major}.{raw.minor}.{raw.patch}"
