# SPDX-License-Identifier: Zlib
"""Pairs among the boxes of one array, in the memory of a CUDA device or of the host."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from typing import Any, Dict, NamedTuple, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import arrays
from .library import DEVICES, LIBRARY, Handle, PairChanges, choice, copied, definition_of

_LEGACY_STREAM = 1  # cudaStreamLegacy, the default stream of CuPy, PyTorch and Numba


class DevicePairs:
    """(n, 2) ids in the memory of a device, for example for `cupy.asarray` or `torch.as_tensor`. Valid until the next
    update of the Arrays, or its next `pairs()`, in which the memory is used again."""

    def __init__(self, owner: Handle, address: Optional[int], count: int, stream: int) -> None:
        self._owner = owner  # the memory is released with it
        self._shape = (count, 2)
        self._interface = {"version": 3, "shape": self._shape, "typestr": "<i4", "strides": None,
                           "data": (address if address is not None and count > 0 else 0, False), "stream": stream}

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        return self._interface

    @property
    def shape(self) -> Tuple[int, int]:
        return self._shape

    def __len__(self) -> int:
        return self._shape[0]


class ArrayChanges(NamedTuple):
    """What one update changed: (n, 2) ids each, the smaller one first, ascending. NumPy's arrays on the CPU, and
    DevicePairs on a device."""

    began: Any
    ended: Any


class Arrays(Handle):
    """The pairs of boxes that are all given in each update. The id of a box is its index.

    On a device, boxes and pairs stay in its memory. Boxes are any array with `__cuda_array_interface__`, such as those
    of CuPy, PyTorch, Numba and JAX.
    """

    def __init__(self, dtype: npt.DTypeLike = np.float32, *, device: str = "cuda", threads: int = 0,
                 stream: int = _LEGACY_STREAM) -> None:
        """
        :param dtype: float32 or float64, the type of all boxes
        :param device: "cuda", or "cpu" for NumPy's arrays
        :param threads: of the CPU; 0: as many as the process has processors
        :param stream: the CUDA stream in which boxes are read and pairs are written, as a number. The default is the
            default stream of CuPy, PyTorch and Numba
        """
        self._dtype = arrays.box_type(None, dtype)
        definition = definition_of(self._dtype, threads)
        definition.device = choice("device", device, {name: DEVICES[name] for name in ("cuda", "cpu")})
        stream = stream or _LEGACY_STREAM  # 0 in CuPy and PyTorch
        definition.stream = c_void_p(stream)
        super().__init__(LIBRARY.cltCreateArrays, definition, LIBRARY.cltDestroyArrays, "Arrays object")
        self._is_on_device = device == "cuda"
        self._stream = stream
        self._update = LIBRARY.cltArrays_UpdateD if self._dtype == np.float64 else LIBRARY.cltArrays_Update

    def update(self, boxes: Any, filters: Any = None) -> ArrayChanges:
        """Replaces all boxes, and returns the pairs that began and ended.

        :param boxes: (n, 6), the lower corner x, y, z, then the upper one; n may differ from the last update
        :param filters: (n, 2) int32, group and mask. Two boxes may pair if the group of each has a bit of the other's
            mask. By default all may
        """
        box_data, count = self._data("boxes", boxes, self._dtype, 6)
        filter_data, filter_count = (None, count) if filters is None else self._data("filters", filters,
                                                                                    np.dtype(np.int32), 2)
        if filter_count != count:
            raise ValueError(f"lengths differ: {count} boxes, {filter_count} filters")
        changes = PairChanges()
        with self._lock:
            self._update(self._open(), count, box_data, filter_data, byref(changes))
            return ArrayChanges(self._pairs(changes.began, changes.beganCount),
                                self._pairs(changes.ended, changes.endedCount))

    def pairs(self) -> Any:
        """All pairs of the last update."""
        address = c_void_p()
        count = c_size_t()
        with self._lock:
            LIBRARY.cltArrays_GetPairs(self._open(), byref(address), byref(count))
            return self._pairs(address.value, count.value)

    def _pairs(self, address: Optional[int], count: int) -> Any:
        return DevicePairs(self, address, count, self._stream) if self._is_on_device else copied(address, count, 2)

    def _data(self, what: str, values: Any, dtype: np.dtype[Any], columns: int) -> Tuple[Any, int]:
        """What the library gets for an array, and the array's length."""
        if not self._is_on_device:
            array = np.require(values, requirements="A")  # aligned
            interface = array.__array_interface__
        elif hasattr(values, "__cuda_array_interface__"):
            interface = values.__cuda_array_interface__
        else:
            raise TypeError(f"{what} must be on the device: an array with __cuda_array_interface__")
        shape, strides = interface["shape"], interface.get("strides")
        if len(shape) != 2 or shape[1] != columns:
            raise ValueError(f"{what} must have the shape (n, {columns}), not {shape}")
        if np.dtype(interface["typestr"]) != dtype:
            raise TypeError(f"{what} must be {dtype}, not {np.dtype(interface['typestr'])}")
        if strides is not None and shape[0] > 0 and tuple(strides) != (columns * dtype.itemsize, dtype.itemsize):
            raise ValueError(f"{what} must be contiguous, row after row")
        if interface.get("stream") not in (None, self._stream):
            raise ValueError(f"{what} belong to stream {interface['stream']}: create Arrays with that stream")
        return (c_void_p(interface["data"][0]) if self._is_on_device else array), shape[0]
