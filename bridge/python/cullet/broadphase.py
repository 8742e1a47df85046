# SPDX-License-Identifier: Zlib
"""The broadphase with NumPy's arrays."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any, NamedTuple, NoReturn, Optional

import numpy as np
import numpy.typing as npt

from . import arrays
from .library import ALGORITHMS, DEVICES, LIBRARY, Array, Options, Stats, check, choice, keep, stats, take, thread_count

Ids = npt.NDArray[np.uint32]
Pairs = npt.NDArray[np.uint32]


class Changes(NamedTuple):
    """What one update changed: (n, 2) ids each, the smaller one first, ascending."""

    began: Pairs
    ended: Pairs


class Hits(NamedTuple):
    """Ids of the boxes that a ray meets, and where along it: 0 at its start, 1 at its end."""

    ids: npt.NDArray[Any]
    fractions: npt.NDArray[np.float64]


class Broadphase:
    """Boxes that move, and the pairs of them that overlap.

    Boxes are closed: those that only touch overlap. A box with a NaN has no pairs and is found by no query until a good
    one takes its place. Ids count from 0 in the order in which boxes are added; the id of a removed box may be used
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
        :param threads: that take part in an update; 0: as many as the process has processors
        :param report_removed: whether pairs of removed boxes are in the `ended` of the next update, after which their
            ids may be used again (`reportDestroyed` in C)
        """
        self._dtype = arrays.box_type(boxes, dtype)
        options = Options(choice("device", device, DEVICES), choice("algorithm", algorithm, ALGORITHMS),
                          int(self._dtype == np.float64), thread_count(threads), report_removed)
        world = ctypes.c_void_p()
        check(LIBRARY.cltWorld_Create(byref(options), byref(world)))
        self._world: int = world.value  # type: ignore[assignment]
        keep(self, self._world, LIBRARY.cltWorld_Destroy, LIBRARY.cltWorld_AfterFork)
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
        :param groups, masks: 32 bits for all or for each. Two boxes may pair if the group of each has a bit of the
            other's mask. Without them the group is 1 and the mask has all bits
        :return: the boxes' ids, (n,)
        """
        return self._add(arrays.as_boxes(boxes, self._dtype), groups, masks)

    def _add(self, rows: npt.NDArray[Any], groups: Optional[npt.ArrayLike], masks: Optional[npt.ArrayLike]) -> Ids:
        filters = arrays.as_filters(groups, masks, len(rows))
        ids = np.empty(len(rows), np.uint32)
        check(LIBRARY.cltWorld_Add(self._world, len(rows), rows.ctypes.data,
                                   None if filters is None else filters.ctypes.data, ids.ctypes.data))
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
        id_data = None if id_array is None else id_array.ctypes.data
        check(LIBRARY.cltWorld_Move(self._world, count, id_data, rows.ctypes.data))

    def set_filter(self, ids: npt.ArrayLike, groups: Optional[npt.ArrayLike] = None,
                   masks: Optional[npt.ArrayLike] = None) -> None:
        """Gives boxes new groups and masks, both, as for `add`. Pairs begin and end with the next update."""
        id_array = arrays.as_ids(ids)
        filters = arrays.as_filters(1 if groups is None else groups, masks, len(id_array))
        assert filters is not None
        check(LIBRARY.cltWorld_Filter(self._world, len(id_array), id_array.ctypes.data, filters.ctypes.data))

    def remove(self, ids: npt.ArrayLike) -> None:
        """Removes boxes and their pairs at once. These are among those that ended only with `report_removed`."""
        id_array = arrays.as_ids(ids)
        check(LIBRARY.cltWorld_Remove(self._world, len(id_array), id_array.ctypes.data))

    def boxes(self, ids: npt.ArrayLike) -> npt.NDArray[Any]:
        """The current boxes, (n, 6)."""
        id_array = arrays.as_ids(ids)
        rows = np.empty((len(id_array), 6))
        check(LIBRARY.cltWorld_GetBoxes(self._world, len(id_array), id_array.ctypes.data, rows.ctypes.data))
        return rows.astype(self._dtype, copy=False)

    def update(self) -> Changes:
        """Brings the pairs up to date. A pair is in `began` once, and later in `ended`, unless one of the two is
        removed; see `report_removed`. If there is no memory for the result, it raises MemoryError, and the next
        call returns that result."""
        began, ended = Array(), Array()
        check(LIBRARY.cltWorld_Update(self._world, byref(began), byref(ended)))
        return Changes(_pairs(began), _pairs(ended))

    def pairs(self) -> Pairs:
        """All pairs as of the last update, (n, 2), the smaller id first, ascending. Prefer the changes of
        `update`."""
        pairs = Array()
        check(LIBRARY.cltWorld_GetPairs(self._world, byref(pairs)))
        return _pairs(pairs)

    def query(self, box: npt.ArrayLike) -> Ids:
        """The ids, ascending, of all boxes that `box` overlaps, (6,) or (2, 3). Queries use the current boxes, also
        before an update, and ignore groups and masks."""
        return self.queries(np.asarray(box)[np.newaxis])[:, 1].copy()

    def queries(self, boxes: npt.ArrayLike) -> Pairs:
        """The same for many boxes: (m, 2), a box's index among `boxes` and an id that it overlaps, ascending."""
        rows = arrays.as_boxes(boxes, np.dtype(np.float64))
        hits = Array()
        check(LIBRARY.cltWorld_QueryBoxes(self._world, len(rows), rows.ctypes.data, byref(hits)))
        keys = take(hits, np.uint64)
        keys.sort()
        result = np.empty((len(keys), 2), np.uint32)
        result[:, 0] = keys >> np.uint64(32)
        result[:, 1] = keys & np.uint64(0xFFFFFFFF)
        return result

    def ray(self, start: npt.ArrayLike, end: npt.ArrayLike) -> Hits:
        """All boxes that the closed segment between two finite points meets, in order along it. A box that it misses by
        less than rounding may be included."""
        begin = arrays.as_points("start", np.asarray(start)[np.newaxis])
        stop = arrays.as_points("end", np.asarray(end)[np.newaxis])
        if not (np.isfinite(begin).all() and np.isfinite(stop).all()):
            raise ValueError("start and end must be finite")
        ids, fractions = Array(), Array()
        check(LIBRARY.cltWorld_CastRay(self._world, begin.ctypes.data, stop.ctypes.data, byref(ids), byref(fractions)))
        hits = Hits(take(ids, np.uint32), take(fractions, np.float64))
        order = np.lexsort(hits)
        return Hits(hits.ids[order], hits.fractions[order])

    def rays(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> Hits:
        """The first box that each ray hits, by the rules of Bullet's btRayAabb2: the ray enters it before its end and
        leaves it after its start. Of several at the same distance, the one with the smallest id. A ray with a NaN hits
        nothing.

        :param starts, ends: (n, 3)
        :return: ids, (n,) int64, -1 without a hit; fractions, infinite without a hit
        """
        begins, stops = arrays.as_points("starts", starts), arrays.as_points("ends", ends)
        count = arrays.one_length(("starts", begins), ("ends", stops))
        hits = Hits(np.empty(count, np.int64), np.empty(count))
        check(LIBRARY.cltWorld_CastRays(self._world, count, begins.ctypes.data, stops.ctypes.data,
                                        hits.ids.ctypes.data, hits.fractions.ctypes.data))
        return hits

    def stats(self) -> Stats:
        """What the last update did."""
        return stats(self._world)

    def __len__(self) -> int:
        """The number of boxes."""
        return self.stats().proxies

    def close(self) -> None:
        """Releases memory and threads, after other calls have returned. Later calls other than this one raise
        ValueError."""
        LIBRARY.cltWorld_Close(self._world)

    def __enter__(self) -> Broadphase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Broadphase cannot be copied or pickled")


def _pairs(array: Array) -> Pairs:
    return take(array, np.uint32, (2,))
