# SPDX-License-Identifier: Zlib
"""Converts the arrays of callers to contiguous, aligned arrays of the type that the library reads, or refuses them."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
import numpy.typing as npt


def _checked(what: str, values: npt.ArrayLike, kinds: str, shape: str, *widths: Tuple[int, ...]) -> npt.NDArray[Any]:
    """`values` as an array. An empty one may have any type."""
    array = np.asarray(values)
    if array.shape[:1] == (0,):
        return np.empty((0, *widths[0]))
    if array.dtype.kind not in kinds:
        raise TypeError(f"{what} must be {'numbers' if 'f' in kinds else 'integers'}, not {array.dtype}")
    if array.ndim == 0 or array.shape[1:] not in widths:
        raise ValueError(f"{what} must have the shape {shape}, not {array.shape}")
    return array


def box_type(boxes: Optional[npt.ArrayLike], dtype: Optional[npt.DTypeLike]) -> np.dtype[Any]:
    """The type to keep boxes in: the requested one, or one that holds the given boxes without rounding."""
    if dtype is None:
        is_single = boxes is not None and np.asarray(boxes).dtype == np.float32
        return np.dtype(np.float32 if is_single else np.float64)
    asked = np.dtype(dtype)
    if asked not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise TypeError(f"dtype must be float32 or float64, not {asked}")
    return asked


def _as_rows(what: str, owner: str, values: npt.ArrayLike, dtype: np.dtype[Any], may_round: bool, shape: str,
             *widths: Tuple[int, ...]) -> npt.NDArray[Any]:
    """(n, numbers) of the type, contiguous. An array is never rounded silently, because boxes that touch might then be
    apart. Floating-point arrays are refused for their type, integers for their values."""
    array = np.asarray(values)
    if array.dtype == dtype and array.shape[1:] == widths[0] and array.flags.c_contiguous and array.flags.aligned:
        return array  # the common case in loops, which must be fast
    array = _checked(what, values, "fiu", shape, *widths)
    is_wider = array.dtype.kind == "f" and array.dtype.itemsize > dtype.itemsize
    remedy = f"round them yourself ({what}.astype(np.{dtype}))"
    if is_wider and isinstance(values, np.ndarray) and not may_round:
        other = f", or create it with dtype=np.{array.dtype}" if array.dtype == np.float64 else ""
        raise TypeError(f"{what}: {array.dtype} and the {owner} keeps {dtype}: {remedy}{other}")
    with np.errstate(over="ignore"):
        rows = np.require(array, dtype, "CA")
    if array.dtype != dtype and (np.isinf(rows) & np.isfinite(array)).any():
        raise ValueError(f"{what}: numbers that are too large for {dtype}")
    is_integer = array.dtype.kind in "iu" and isinstance(values, np.ndarray)
    if is_integer and not may_round and not np.array_equal(rows.astype(np.longdouble), array.astype(np.longdouble)):
        raise ValueError(f"{what}: integers that {dtype} does not hold: {remedy}")
    return rows.reshape(len(array), int(np.prod(widths[0])))


def as_boxes(boxes: npt.ArrayLike, dtype: np.dtype[Any], may_round: bool = False) -> npt.NDArray[Any]:
    shape = "(n, 6) or (n, 2, 3), lower corners first"
    return _as_rows("boxes", "broadphase", boxes, dtype, may_round, shape, (6,), (2, 3))


def as_vertices(vertices: npt.ArrayLike, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    return _as_rows("vertices", "set of meshes", vertices, dtype, False, "(n, 3)", (3,))


def as_matrix(matrix: npt.ArrayLike, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    rows = _as_rows("matrix", "set of meshes", matrix, dtype, False, "(3, 4)", (4,))
    if len(rows) != 3:
        raise ValueError(f"matrix must have the shape (3, 4), not {rows.shape}")
    return rows


def as_triangles(triangles: npt.ArrayLike, vertex_count: int) -> npt.NDArray[np.uint32]:
    """A copy, for the reason given in as_ids."""
    rows = np.array(_checked("triangles", triangles, "iu", "(n, 3)", (3,)), np.int64)
    if rows.size > 0 and (rows.min() < 0 or rows.max() >= vertex_count):
        raise IndexError(f"triangles name the vertices {rows.min()} to {rows.max()} and there are {vertex_count}")
    return rows.astype(np.uint32)


def as_points(what: str, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
    return np.require(_checked(what, points, "fiu", "(n, 3)", (3,)), np.float64, "CA")


def as_ids(ids: npt.ArrayLike) -> npt.NDArray[np.uint32]:
    """A copy, so that what the library checks and then uses cannot change in between."""
    array = _checked("ids", ids, "iu", "(n,)", ())
    if array.dtype != np.uint32 and array.size > 0 and (array.min() < 0 or array.max() > 0xFFFFFFFF):
        raise IndexError(f"ids from {array.min()} to {array.max()}: they begin at 0 and fit 32 bits")
    return np.array(array, np.uint32)


def _bits(what: str, values: npt.ArrayLike, count: int) -> npt.NDArray[np.int32]:
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} must be integers, not {array.dtype}")
    if array.shape not in ((), (count,)):
        raise ValueError(f"{what} must be one number or have the shape ({count},), not {array.shape}")
    if array.size > 0 and (array.min() < -(2**31) or array.max() > 0xFFFFFFFF):
        raise ValueError(f"{what} must fit 32 bits")
    return array.astype(np.int64).astype(np.uint32).view(np.int32)


def as_filters(groups: Optional[npt.ArrayLike], masks: Optional[npt.ArrayLike],
               count: int) -> Optional[npt.NDArray[np.int32]]:
    """(n, 2), group and mask; None if neither is given."""
    if groups is None and masks is None:
        return None
    filters = np.empty((count, 2), np.int32)
    filters[:, 0] = _bits("groups", 1 if groups is None else groups, count)
    filters[:, 1] = _bits("masks", -1 if masks is None else masks, count)
    return filters


def one_length(*arrays: Tuple[str, npt.NDArray[Any]]) -> int:
    """The common length of all arrays."""
    lengths = {len(array) for _, array in arrays}
    if len(lengths) != 1:
        raise ValueError("lengths differ: " + ", ".join(f"{len(array)} {what}" for what, array in arrays))
    return lengths.pop()
