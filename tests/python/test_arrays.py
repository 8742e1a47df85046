# SPDX-License-Identifier: Zlib
"""Arrays on the CPU against brute force; arguments that are refused, there and for a device."""

import unittest

import numpy as np
from oracle import difference, random_boxes, true_pairs

import cullet


class OnDevice:
    """An array that claims to be on a device."""

    def __init__(self, **changes):
        self.__cuda_array_interface__ = {"version": 3, "shape": (4, 6), "typestr": "<f4", "strides": None,
                                         "data": (4096, False), "stream": 1, **changes}


class HostArrays(unittest.TestCase):
    def test_updates_report_exact_changes(self):
        for dtype in (np.float32, np.float64):
            with self.subTest(dtype=dtype), cullet.Arrays(dtype, device="cpu", threads=1) as arrays:
                previous = np.empty((0, 2), np.uint32)
                for step, count in enumerate((200, 200, 300, 0, 100)):
                    boxes = random_boxes(count, step, dtype)
                    filters = np.random.default_rng(step).integers(0, 4, (count, 2), np.int32) if step % 2 else None
                    began, ended = arrays.update(boxes, filters)
                    current = true_pairs(boxes, *(() if filters is None else filters.T))
                    np.testing.assert_array_equal(began, difference(current, previous))
                    np.testing.assert_array_equal(ended, difference(previous, current))
                    np.testing.assert_array_equal(arrays.pairs(), current)
                    previous = current

    def test_bad_arguments_are_refused(self):
        boxes = random_boxes(8, 1)
        with cullet.Arrays(device="cpu") as arrays:
            for error, bad, filters in (
                (TypeError, boxes.astype(np.float64), None),
                (ValueError, boxes[:, :3], None),
                (ValueError, boxes[::2], None),
                (ValueError, boxes[0], None),
                (TypeError, boxes, np.zeros((8, 2), np.int64)),
                (ValueError, boxes, np.zeros((7, 2), np.int32)),
                (ValueError, boxes, np.zeros((8, 3), np.int32)),
            ):
                with self.assertRaises(error):
                    arrays.update(bad, filters)
            self.assertEqual(len(arrays.update(boxes).began), len(true_pairs(boxes)))
        with self.assertRaises(ValueError):
            arrays.update(boxes)
        with self.assertRaises(TypeError):
            cullet.Arrays(np.int32)
        with self.assertRaises(ValueError):
            cullet.Arrays(device="auto")


class DeviceArrays(unittest.TestCase):
    def setUp(self):
        if any(device.device == "cuda" and device.usable for device in cullet.devices()):
            self.skipTest("a device would read the claimed addresses")

    def test_no_device_is_an_error(self):
        with self.assertRaisesRegex(RuntimeError, "No usable CUDA device"):
            cullet.Arrays()

    def test_bad_arrays_are_refused(self):
        arrays = cullet.Arrays(device="cpu")
        arrays._is_on_device = True  # only what Python checks is tested
        for error, bad in ((TypeError, random_boxes(4, 1)), (TypeError, OnDevice(typestr="<f8")),
                           (ValueError, OnDevice(shape=(4, 3))), (ValueError, OnDevice(strides=(48, 4))),
                           (ValueError, OnDevice(stream=2))):
            with self.assertRaises(error):
                arrays.update(bad)
        for good in (OnDevice(), OnDevice(stream=None), OnDevice(strides=(24, 4))):
            self.assertEqual(arrays._data("boxes", good, np.dtype(np.float32), 6)[1], 4)

    def test_stream_zero_is_the_default_stream(self):
        with cullet.Arrays(device="cpu", stream=0) as arrays:
            self.assertEqual(arrays._stream, 1)

    def test_pairs_have_the_interface_of_device_arrays(self):
        with cullet.Arrays(device="cpu") as arrays:
            pairs = cullet.DevicePairs(arrays, 4096, 5, 1)
            self.assertEqual((pairs.shape, len(pairs)), ((5, 2), 5))
            interface = pairs.__cuda_array_interface__
            self.assertEqual((interface["shape"], interface["typestr"], interface["data"], interface["stream"]),
                             ((5, 2), "<i4", (4096, False), 1))
            self.assertEqual(cullet.DevicePairs(arrays, None, 0, 1).__cuda_array_interface__["data"][0], 0)
