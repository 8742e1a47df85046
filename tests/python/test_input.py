# SPDX-License-Identifier: Zlib
"""What is refused, with which exception, and that a call that raises changed nothing."""

import unittest

import numpy as np
from oracle import random_boxes

import cullet


class Input(unittest.TestCase):
    def setUp(self):
        self.boxes = random_boxes(20, 1)
        self.broadphase = cullet.Broadphase(self.boxes)
        self.broadphase.update()

    def tearDown(self):
        """Nothing that is refused leaves a trace."""
        self.assertEqual([len(changed) for changed in self.broadphase.update()], [0, 0])
        np.testing.assert_array_equal(self.broadphase.boxes(np.arange(20)), self.boxes)
        self.assertEqual(len(self.broadphase), 20)

    def test_shapes_of_boxes(self):
        for shape in ((20, 5), (6,), (20, 3, 2), (2, 2, 2, 3), (), (1, 0)):
            wrong = np.zeros(shape, np.float32)
            with self.assertRaisesRegex(ValueError, r"shape \(n, 6\) or \(n, 2, 3\)"):
                self.broadphase.add(wrong)
            with self.assertRaises(ValueError):
                self.broadphase.move(None, wrong)

    def test_types_of_boxes(self):
        for wrong in (np.zeros((2, 6), complex), [["a"] * 6], np.zeros((2, 6), object), np.zeros((2, 6), bool), None):
            with self.assertRaisesRegex(TypeError, "boxes must be numbers"):
                self.broadphase.add(wrong)
            with self.assertRaises(TypeError):
                cullet.Broadphase(np.asarray(wrong), dtype=np.float32)
        with self.assertRaises(ValueError):
            self.broadphase.add([[0, 0, 0, 1, 1, 1], [0, 0, 0]])

    def test_doubles_are_not_rounded_unasked(self):
        doubles = self.boxes.astype(np.float64)
        for call in (lambda: self.broadphase.add(doubles), lambda: self.broadphase.move(None, doubles)):
            with self.assertRaisesRegex(TypeError, "float64 and the broadphase keeps float32"):
                call()
        self.assertEqual(cullet.Broadphase(doubles).dtype, np.float64)
        self.assertEqual(cullet.Broadphase(doubles, dtype="float32").dtype, np.float32)
        self.assertEqual(cullet.Broadphase([[0, 0, 0, 1, 1, 1]]).dtype, np.float64)
        self.broadphase.move([3], self.boxes[3:4].tolist())  # Python's numbers have no type of their own to keep

    def test_integers_are_not_rounded_unasked(self):
        corners = np.array([[0, 0, 0, 2**24, 1, 1]])
        self.broadphase.move([3], corners)
        self.assertEqual(self.broadphase.boxes([3])[0, 3], 2**24)
        self.broadphase.move([3], self.boxes[3:4])
        self.broadphase.update()
        corners[0, 3] += 1
        for call in (lambda: self.broadphase.add(corners), lambda: self.broadphase.move([3], corners)):
            with self.assertRaisesRegex(ValueError, "integers that float32 does not hold"):
                call()
        with self.assertRaisesRegex(ValueError, "integers that float64 does not hold"):
            cullet.Broadphase(np.array([[0, 0, 0, 2**53 + 1, 1, 1]]))
        self.assertEqual(cullet.Broadphase(corners, dtype=np.float32).boxes([0])[0, 3], 2**24)

    def test_long_doubles(self):
        with self.assertRaisesRegex(TypeError, r"keeps float32: round them yourself \(boxes.astype\(np.float32\)\)$"):
            self.broadphase.add(np.zeros((1, 6), np.longdouble))

    def test_choices_of_other_types(self):
        for wrong in (["grid"], 1, None):
            with self.assertRaisesRegex(ValueError, "algorithm must be one of auto, "):
                cullet.Broadphase(algorithm=wrong)

    def test_other_precisions_are_refused(self):
        for wrong in (np.float16, int, "U3", complex):
            with self.assertRaisesRegex(TypeError, "dtype must be float32 or float64"):
                cullet.Broadphase(self.boxes, dtype=wrong)

    def test_ids_that_are_none(self):
        one = self.boxes[:1]
        for wrong in (-1, 20, 2**31, 2**32 - 1, 2**32, 2**63, -(2**63)):
            for call in (lambda: self.broadphase.move([wrong], one), lambda: self.broadphase.remove([wrong]),
                         lambda: self.broadphase.boxes([wrong]), lambda: self.broadphase.set_filter([wrong], 1)):
                with self.assertRaises(IndexError):
                    call()
        with self.assertRaisesRegex(IndexError, "never created here, is destroyed already, or is named twice"):
            self.broadphase.remove([3, 3])

    def test_ids_of_other_kinds(self):
        for wrong, error in ((["a"], TypeError), ([1.0], TypeError), ([True], TypeError), ([2**64], TypeError),
                             (3, ValueError), ([[3]], ValueError)):
            with self.assertRaisesRegex(error, "ids must"):
                self.broadphase.remove(wrong)

    def test_all_or_nothing(self):
        changed = self.boxes[:3] + np.float32(1)
        with self.assertRaises(IndexError):
            self.broadphase.move([1, 2, 99], changed)
        with self.assertRaises(IndexError):
            self.broadphase.remove([1, 2, 99])
        with self.assertRaises(IndexError):
            self.broadphase.set_filter([1, 2, 99], 0)

    def test_numbers_of_boxes_and_ids(self):
        with self.assertRaisesRegex(ValueError, "3 ids, 2 boxes"):
            self.broadphase.move([1, 2, 3], self.boxes[:2])
        for wrong in (self.boxes[:19], np.vstack([self.boxes, self.boxes[:1]])):
            with self.assertRaisesRegex(ValueError, "one box for each id"):
                self.broadphase.move(None, wrong)

    def test_groups_and_masks(self):
        for wrong, error in ((2**32, ValueError), (-(2**31) - 1, ValueError), ([1, 2], ValueError), (1.5, TypeError),
                             ("a", TypeError)):
            with self.assertRaises(error):
                self.broadphase.add(self.boxes, groups=wrong)
            with self.assertRaises(error):
                self.broadphase.add(self.boxes, masks=wrong)
            with self.assertRaises(error):
                self.broadphase.set_filter([1], wrong)
        with self.assertRaises(ValueError):
            cullet.Broadphase(groups=1)

    def test_options(self):
        for options, sentence in (({"device": "gpu"}, "device must be one of auto, cpu, cuda"),
                                  ({"algorithm": "best"}, "algorithm must be one of auto, bruteForce"),
                                  ({"threads": -1}, "threads must be from 0 to 256, not -1"),
                                  ({"threads": 2**40}, "threads must be")):
            with self.assertRaisesRegex(ValueError, sentence):
                cullet.Broadphase(**options)
        with self.assertRaises(TypeError):
            cullet.Broadphase(threads=1.5)

    def test_a_device_that_is_not_there(self):
        if any(device.device == "cuda" and device.usable for device in cullet.devices()):
            self.skipTest("it is there")
        with self.assertRaisesRegex(RuntimeError, "No usable CUDA device"):
            cullet.Broadphase(device="cuda")

    def test_rays_and_queries(self):
        for start, end in (([0, 0, np.nan], [1, 1, 1]), ([0, 0, 0], [1, np.inf, 1])):
            with self.assertRaisesRegex(ValueError, "start and end must be finite"):
                self.broadphase.ray(start, end)
        for call in (lambda: self.broadphase.ray([0, 0], [1, 1]), lambda: self.broadphase.ray(0, 1),
                     lambda: self.broadphase.rays(np.zeros((3, 2)), np.zeros((3, 2))),
                     lambda: self.broadphase.query(np.zeros((2, 6))), lambda: self.broadphase.query(1.0)):
            with self.assertRaisesRegex(ValueError, "must have the shape"):
                call()
        with self.assertRaisesRegex(ValueError, "2 starts, 3 ends"):
            self.broadphase.rays(np.zeros((2, 3)), np.zeros((3, 3)))

    def test_nothing_is_no_error(self):
        self.assertEqual(len(self.broadphase.add([])), 0)
        self.broadphase.move([], [])
        self.broadphase.remove([])
        self.broadphase.set_filter([], 1)
        self.assertEqual(self.broadphase.boxes([]).shape, (0, 6))
        self.assertEqual(self.broadphase.queries(np.empty((0, 6))).shape, (0, 2))
        self.assertEqual(len(self.broadphase.rays([], []).ids), 0)
        self.assertEqual(cullet.Broadphase(np.empty((0, 6))).update().began.shape, (0, 2))


if __name__ == "__main__":
    unittest.main()
