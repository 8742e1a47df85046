# SPDX-License-Identifier: Zlib
"""The broadphase with NumPy's arrays."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from typing import Any, List, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from . import arrays
from .library import (ALGORITHMS, DEVICES, LIBRARY, Handle, PairChanges, RawStats, ResearchStats, choice, copied,
                      definition_of)

Ids = npt.NDArray[np.uint32]
Pairs = npt.NDArray[np.uint32]


class Changes(NamedTuple):
    """What one update changed: (n, 2) ids each, the smaller one first, ascending."""

    began: Pairs
    ended: Pairs


class Hits(NamedTuple):
    """Ids of the boxes that a ray meets, and where it enters them: 0 at its start, 1 at its end."""

    ids: npt.NDArray[Any]
    fractions: npt.NDArray[np.float64]


class Stats(NamedTuple):
    """What the last update did. Times are milliseconds, of stages and of the whole.

    On a CPU they are 0 with at most 64 boxes and the algorithm "auto".
    """

    device: str  #: where updates run
    device_reason: str
    algorithm: str  #: the algorithm that ran; "auto" before the first update that had work
    reason: str
    simd: str  #: the instruction set, "auto" before the first update
    proxies: int  #: number of boxes
    nan: int  #: of these, with a NaN, which hides them
    changed: int  #: boxes that were added, moved, given another filter or removed in the last update
    outliers: int  #: boxes that are tested against all others
    redone: int  #: stages that were repeated with more memory
    device_failures: int
    passes: int  #: of frontier
    operations: int  #: launches, copies, clears and waits on a device; 0 on the CPU
    candidates: int  #: pairs that grid or bruteForce tested
    node_tests: int  #: pairs of nodes that frontier tested
    frontier_peak: int  #: most pairs of nodes that a pass of frontier handed to the next one
    front_size: int  #: pairs of nodes in the front that frontier keeps, if it does
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


class Broadphase(Handle):
    """Boxes that move, and the pairs of them that overlap.

    Boxes are closed: those that only touch overlap. A box with a NaN has no pairs and is found by no query until it
    is moved to one without. Ids count from 0 in the order in which boxes are added; the id of a removed box may be used
    again after the next update.

    Returned arrays belong to the caller and never change later. A call that raises has changed nothing. Threads may use
    one broadphase at the same time: calls that change it take turns, queries run in parallel, and other Python threads
    continue meanwhile. An array must not be written to while a call reads it. In a forked child, a broadphase that
    another thread was using raises; others work.
    """

    def __init__(
        self,
        boxes: Optional[npt.ArrayLike] = None,
        groups: Optional[npt.ArrayLike] = None,
        masks: Optional[npt.ArrayLike] = None,
        dtype: Optional[npt.DTypeLike] = None,
        *,
        device: str = "auto",
        algorithm: str = "auto",
        threads: int = 0,
        report_removed: bool = False,
    ) -> None:
        """
        :param boxes: see `add`
        :param groups, masks: see `add`
        :param dtype: float32 or float64, the precision in which boxes are kept and compared; `boxes` are rounded to
            it. Default: float32 if `boxes` are float32, else float64
        :param device: "auto", "cpu" or "cuda"
        :param algorithm: "auto", "bruteForce", "grid", "lbvh", "wide" or "frontier"; all find the same pairs
        :param threads: number that take part in an update; 0: as many as the process has processors
        :param report_removed: whether pairs of removed boxes are in the `ended` of the next update, after which their
            ids may be used again (`reportDestroyed` in C)
        """
        self._dtype = arrays.box_type(boxes, dtype)
        definition = definition_of(self._dtype, threads)
        definition.device = choice("device", device, DEVICES)
        definition.algorithm = choice("algorithm", algorithm, ALGORITHMS)
        definition.reportDestroyed = report_removed
        super().__init__(LIBRARY.cltCreateBroadphase, definition, LIBRARY.cltDestroyBroadphase, "broadphase")
        is_double = self._dtype == np.float64
        self._create = LIBRARY.cltBroadphase_CreateProxiesD if is_double else LIBRARY.cltBroadphase_CreateProxies
        self._move = LIBRARY.cltBroadphase_MoveProxiesD if is_double else LIBRARY.cltBroadphase_MoveProxies
        self._id_count = 0  # ids ever used: 0 to _id_count - 1
        self._changes = PairChanges()
        self._has_changes = False  # the caller has not received `_changes` yet
        self._hit_capacity = 1024  # enough for the last query
        if boxes is not None:
            self._add(arrays.as_boxes(boxes, self._dtype, may_round=dtype is not None), groups, masks)
        elif groups is not None or masks is not None:
            raise ValueError("groups and masks need boxes")

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type in which boxes are kept and compared."""
        return self._dtype

    def add(self, boxes: npt.ArrayLike, groups: Optional[npt.ArrayLike] = None,
            masks: Optional[npt.ArrayLike] = None) -> Ids:
        """Adds boxes; their pairs begin with the next update.

        :param boxes: (n, 6) or (n, 2, 3): the lower corner x, y, z, then the upper one
        :param groups, masks: a number of 32 bits for all, or one for each. Two boxes may pair if the group of each
            has a bit of the other's mask. By default the group is 1 and the mask has all bits
        :return: the boxes' ids, (n,)
        """
        return self._add(arrays.as_boxes(boxes, self._dtype), groups, masks)

    def _add(self, rows: npt.NDArray[Any], groups: Optional[npt.ArrayLike], masks: Optional[npt.ArrayLike]) -> Ids:
        filters = arrays.as_filters(groups, masks, len(rows))
        ids = np.empty(len(rows), np.uint32)
        with self._lock:
            self._create(self._open(), len(rows), rows, filters, None, ids)
            self._id_count = max(self._id_count, int(ids.max(initial=0)) + min(len(ids), 1))
        return ids

    def move(self, ids: Optional[npt.ArrayLike], boxes: npt.ArrayLike) -> None:
        """Moves boxes.

        :param ids: (n,); if an id is named twice, its last box counts. None: `boxes` has one row for each id ever used,
            in order; rows of removed boxes are ignored
        :param boxes: as for `add`
        """
        rows = arrays.as_boxes(boxes, self._dtype)
        id_array = None if ids is None else arrays.as_ids(ids)
        count = len(rows) if id_array is None else arrays.one_length(("ids", id_array), ("boxes", rows))
        with self._lock:
            if id_array is None and count != self._id_count:
                raise ValueError("Without ids, there must be one box for each id that was ever used; those of removed "
                                 "ids are ignored.")
            self._move(self._open(), count, id_array, rows)

    def set_filter(self, ids: npt.ArrayLike, groups: Optional[npt.ArrayLike] = None,
                   masks: Optional[npt.ArrayLike] = None) -> None:
        """Sets both groups and masks, with defaults as for `add`. Pairs begin and end with the next update."""
        id_array = arrays.as_ids(ids)
        filters = arrays.as_filters(1 if groups is None else groups, masks, len(id_array))
        assert filters is not None
        with self._lock:
            LIBRARY.cltBroadphase_SetFilters(self._open(), len(id_array), id_array, filters)

    def remove(self, ids: npt.ArrayLike) -> None:
        """Removes boxes and their pairs at once. The pairs are reported in `ended` only with `report_removed`."""
        id_array = arrays.as_ids(ids)
        with self._lock:
            LIBRARY.cltBroadphase_DestroyProxies(self._open(), len(id_array), id_array)

    def boxes(self, ids: npt.ArrayLike) -> npt.NDArray[Any]:
        """The current boxes, (n, 6)."""
        id_array = arrays.as_ids(ids)
        rows = np.empty((len(id_array), 6))
        with self._reading() as broadphase:
            LIBRARY.cltPython_GetBoxes(broadphase, len(id_array), id_array, rows)
        return rows.astype(self._dtype, copy=False)

    def update(self) -> Changes:
        """Brings the pairs up to date. A pair is in `began` once, and later in `ended`, unless one of its boxes
        is removed; see `report_removed`. If there is no memory for the result, the call raises MemoryError, and the
        next call returns that result."""
        with self._lock:
            address, changes = self._open(), self._changes
            if not self._has_changes:
                LIBRARY.cltBroadphase_Update(address, byref(changes))
                self._has_changes = True
            result = Changes(copied(changes.began, changes.beganCount, 2), copied(changes.ended, changes.endedCount, 2))
            self._has_changes = False
        return result

    def pairs(self) -> Pairs:
        """All pairs as of the last update, (n, 2), the smaller id first, ascending. Prefer the changes of
        `update`."""
        pairs, count = c_void_p(), c_size_t()
        with self._lock:
            LIBRARY.cltBroadphase_GetPairs(self._open(), byref(pairs), byref(count))
            return copied(pairs.value, count.value, 2)

    def query(self, box: npt.ArrayLike) -> Ids:
        """The ids, ascending, of all boxes that overlap `box`, (6,) or (2, 3). Queries use the current boxes, also
        before an update, and ignore groups and masks."""
        return self.queries(np.asarray(box)[np.newaxis])[:, 1].copy()

    def queries(self, boxes: npt.ArrayLike) -> Pairs:
        """The same for many boxes: (m, 2), a box's index among `boxes` and an id that it overlaps, ascending."""
        rows = arrays.as_boxes(boxes, np.dtype(np.float64))
        keys, = self._hits(LIBRARY.cltPython_QueryBoxes, (len(rows), rows), np.uint64)
        keys.sort()
        result = np.empty((len(keys), 2), np.uint32)
        result[:, 0] = keys >> np.uint64(32)
        result[:, 1] = keys & np.uint64(0xFFFFFFFF)
        return result

    def ray(self, start: npt.ArrayLike, end: npt.ArrayLike) -> Hits:
        """All boxes that the closed segment between two finite points meets, in order along the segment. A box that it
        misses by less than rounding may be included."""
        begin = arrays.as_points("start", np.asarray(start)[np.newaxis])
        stop = arrays.as_points("end", np.asarray(end)[np.newaxis])
        if not (np.isfinite(begin).all() and np.isfinite(stop).all()):
            raise ValueError("start and end must be finite")
        ids, fractions = self._hits(LIBRARY.cltPython_CastRay, (begin, stop), np.uint32, np.float64)
        order = np.lexsort((ids, fractions))
        return Hits(ids[order], fractions[order])

    def _hits(self, query: Any, arguments: Any, *dtypes: npt.DTypeLike) -> List[npt.NDArray[Any]]:
        """The results of a query, an array for each dtype."""
        count = c_size_t()
        with self._reading() as broadphase:
            while True:
                hits = [np.empty(self._hit_capacity, dtype) for dtype in dtypes]
                query(broadphase, *arguments, len(hits[0]), byref(count), *hits)
                if count.value <= len(hits[0]):
                    return [array[:count.value] for array in hits]
                self._hit_capacity = count.value

    def rays(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> Hits:
        """The first box that each ray hits, by the rules of Bullet's btRayAabb2: the ray enters the box before
        the ray's end and leaves it after the ray's start. Of several at the same distance, the one with the smallest
        id. A ray with a NaN hits nothing.

        :param starts, ends: (n, 3)
        :return: ids, (n,) int64, -1 without a hit; fractions, infinite without a hit
        """
        begins, stops = arrays.as_points("starts", starts), arrays.as_points("ends", ends)
        count = arrays.one_length(("starts", begins), ("ends", stops))
        hits = Hits(np.empty(count, np.int64), np.empty(count))
        with self._reading() as broadphase:
            LIBRARY.cltPython_CastRays(broadphase, count, begins, stops, *hits)
        return hits

    def stats(self) -> Stats:
        """What the last update did."""
        raw, research = RawStats(), ResearchStats()
        with self._reading() as broadphase:
            LIBRARY.cltBroadphase_GetStats(broadphase, byref(raw))
            LIBRARY.cltBroadphase_GetResearchStats(broadphase, byref(research))
            counts = {"began": self._changes.beganCount, "ended": self._changes.endedCount}
        values = {name: getattr(struct, name) for struct in (raw, research) for name, _ in struct._fields_}
        for name, text in (("device", LIBRARY.cltDeviceName), ("algorithm", LIBRARY.cltAlgorithmName),
                           ("simd", LIBRARY.cltSimdName)):
            values[name] = text(values[name])
        texts = {name: value.decode() for name, value in values.items() if isinstance(value, bytes)}
        return Stats(**{**values, **counts, **texts})

    def __len__(self) -> int:
        """The number of boxes."""
        return self.stats().proxies
