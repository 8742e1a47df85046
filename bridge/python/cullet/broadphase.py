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
    """Whom a ray met and where along it, 0 at its start and 1 at its end."""

    ids: npt.NDArray[Any]
    fractions: npt.NDArray[np.float64]


class Broadphase:
    """Boxes that move, and the pairs of them that overlap.

    Boxes are closed: those that only touch overlap. A box with a NaN has no pairs and is found by no query until a good
    one takes its place. A box's id is its place among those that were given; the id of one that was removed is given
    out again after the next update.

    Every array that is returned is the caller's own: nothing that happens later changes it. A call that raises changed
    nothing. Threads may use one broadphase at the same time: calls that change it take turns, queries run beside each
    other, and other Python threads run meanwhile. An array must not be written to while a call reads it.
    In the child of a fork a broadphase that another thread was using raises; others go on.
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
        :param dtype: float32 or float64, what boxes are kept and compared in; `boxes` are rounded to it. Without it
            the type of `boxes`, where that is float32, else float64
        :param device: "auto", "cpu" or "cuda"
        :param algorithm: "auto", "bruteForce", "grid", "lbvh", "wide" or "frontier"; all find the same pairs
        :param threads: that take part in an update; 0: as many as the process has processors
        :param report_removed: whether pairs of boxes that were removed are in the next update's `ended`; their ids may
            then be given out again (`reportDestroyed` in C)
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
            raise ValueError("groups and masks are of boxes, of which there are none")

    @property
    def dtype(self) -> np.dtype[Any]:
        """What boxes are kept and compared in."""
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
        """Gives boxes their new places.

        :param ids: (n,), whose; one named twice keeps the last box. None: of all, one for each id that was ever given
            out, in order; what is said of those that were removed does not count
        :param boxes: as for `add`
        """
        rows = arrays.as_boxes(boxes, self._dtype)
        whose = None if ids is None else arrays.as_ids(ids)
        count = len(rows) if whose is None else arrays.one_length(("ids", whose), ("boxes", rows))
        check(LIBRARY.cltWorld_Move(self._world, count, None if whose is None else whose.ctypes.data, rows.ctypes.data))

    def set_filter(self, ids: npt.ArrayLike, groups: Optional[npt.ArrayLike] = None,
                   masks: Optional[npt.ArrayLike] = None) -> None:
        """Gives boxes new groups and masks, both, as for `add`. Pairs begin and end with the next update."""
        whose = arrays.as_ids(ids)
        filters = arrays.as_filters(1 if groups is None else groups, masks, len(whose))
        assert filters is not None
        check(LIBRARY.cltWorld_Filter(self._world, len(whose), whose.ctypes.data, filters.ctypes.data))

    def remove(self, ids: npt.ArrayLike) -> None:
        """Removes boxes and their pairs at once. These are among those that ended only with `report_removed`."""
        whose = arrays.as_ids(ids)
        check(LIBRARY.cltWorld_Remove(self._world, len(whose), whose.ctypes.data))

    def boxes(self, ids: npt.ArrayLike) -> npt.NDArray[Any]:
        """The boxes as they were given last, (n, 6)."""
        whose = arrays.as_ids(ids)
        rows = np.empty((len(whose), 6))
        check(LIBRARY.cltWorld_GetBoxes(self._world, len(whose), whose.ctypes.data, rows.ctypes.data))
        return rows.astype(self._dtype, copy=False)

    def update(self) -> Changes:
        """Brings the pairs up to date. A pair is in `began` once, and later in `ended`, unless one of the two is
        removed; see `report_removed`. Without memory for the result it raises MemoryError, and the next call returns
        what it would have."""
        began, ended = Array(), Array()
        check(LIBRARY.cltWorld_Update(self._world, byref(began), byref(ended)))
        return Changes(_pairs(began), _pairs(ended))

    def pairs(self) -> Pairs:
        """All pairs as of the last update, (n, 2), the smaller id first, ascending. Use the changes where they will
        do."""
        pairs = Array()
        check(LIBRARY.cltWorld_GetPairs(self._world, byref(pairs)))
        return _pairs(pairs)

    def query(self, box: npt.ArrayLike) -> Ids:
        """The ids, ascending, of all that one box overlaps, (6,) or (2, 3). Queries see boxes as they were given last,
        updated or not; groups and masks do not matter."""
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
        """All that the closed segment between two finite points meets, in the order in which it does. What it misses by
        less than rounding may be among them; what it meets is."""
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
        """The first that each of many rays meets, as Bullet's btRayAabb2 says: a box counts when the ray enters it
        before its end and leaves it after its start. Of several at the same place, it is the one with the smallest id.
        A ray with a NaN meets nothing.

        :param starts, ends: (n, 3)
        :return: ids, (n,) int64, -1 where nothing is met; fractions, infinite there
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
        """How many boxes there are."""
        return self.stats().proxies

    def close(self) -> None:
        """Gives memory and threads back, when nobody is in a call. Afterwards only this call does not raise
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
