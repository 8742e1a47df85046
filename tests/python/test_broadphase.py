# SPDX-License-Identifier: Zlib
"""Updates and queries against brute force; which arguments are refused, with which exception."""

import unittest

import numpy as np
from oracle import ALGORITHMS, difference, overlaps, random_boxes, true_pairs

import cullet


def entry_fractions(boxes, start, end):
    """The fractions at which the closed segment enters the boxes; infinite for boxes that it misses."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (boxes[:, :3] - start) / (end - start), (boxes[:, 3:] - start) / (end - start)
    enter = np.maximum(np.minimum(first, second).max(axis=1), 0)
    leave = np.minimum(np.maximum(first, second).min(axis=1), 1)
    return np.where(enter <= leave, enter, np.inf)


class Pairs(unittest.TestCase):
    def same(self, actual, expected):
        self.assertEqual((actual.dtype, actual.shape), (np.uint32, expected.shape))
        np.testing.assert_array_equal(actual, expected)

    def test_every_algorithm_and_precision_finds_the_pairs_and_their_changes(self):
        for algorithm in ALGORITHMS:
            for dtype in (np.float32, np.float64):
                with self.subTest(algorithm=algorithm, dtype=dtype):
                    boxes = random_boxes(400, 1, dtype)
                    broadphase = cullet.Broadphase(boxes, algorithm=algorithm)
                    self.assertEqual(broadphase.dtype, dtype)
                    previous = np.empty((0, 2), np.uint32)
                    for step in range(4):
                        began, ended = broadphase.update()
                        current = true_pairs(boxes)
                        self.same(broadphase.pairs(), current)
                        self.same(began, difference(current, previous))
                        self.same(ended, difference(previous, current))
                        previous = current
                        boxes = random_boxes(400, step + 2, dtype)
                        broadphase.move(np.arange(400), boxes)

    def test_doubles_are_compared_as_doubles(self):
        gap = np.nextafter(1.0, 2.0)
        apart = [[0, 0, 0, 1, 1, 1], [gap, 1, 1, 2, 2, 2]]
        self.assertEqual(len(cullet.Broadphase(apart).update().began), 0)
        single = cullet.Broadphase(apart, dtype=np.float32)
        self.assertEqual(len(single.update().began), 1)
        self.assertEqual(len(single.query([1, 1, 1, 2, 2, 2])), 2)
        self.assertEqual(len(single.query([gap, 1, 1, 2, 2, 2])), 1)  # a query is not rounded

    def test_layouts_of_arrays(self):
        boxes = random_boxes(100, 1)
        for other in (np.asfortranarray(boxes), np.repeat(boxes, 2, axis=0)[::2], boxes[::-1][::-1],
                      boxes.astype(">f4"), boxes.tolist(), boxes.reshape(-1, 2, 3)):
            self.same(cullet.Broadphase(other, dtype=np.float32).update().began, true_pairs(boxes))

    def test_some_move_and_the_last_box_counts(self):
        boxes = random_boxes(200, 1)
        broadphase = cullet.Broadphase(boxes)
        moved = np.array([7, 150, 3, 7], np.int16)
        places = random_boxes(4, 2)
        broadphase.move(moved, places)
        boxes[moved] = places
        self.same(broadphase.update().began, true_pairs(boxes))
        np.testing.assert_array_equal(broadphase.boxes([3, 7]), boxes[[3, 7]])

    def test_groups_and_masks(self):
        boxes = random_boxes(300, 1)
        random = np.random.default_rng(2)
        groups, masks = random.integers(0, 8, 300), random.integers(0, 8, 300)
        broadphase = cullet.Broadphase(boxes, groups, masks)
        self.same(broadphase.update().began, true_pairs(boxes, groups, masks))
        some = np.arange(0, 300, 3)
        previous = true_pairs(boxes, groups, masks)
        groups[some], masks[some] = 2, random.integers(0, 8, 100)
        broadphase.set_filter(some, 2, masks[some])
        self.same(broadphase.update().ended, difference(previous, true_pairs(boxes, groups, masks)))
        top = 0x80000000
        for groups, masks, pairs in ((top, 2 * top - 1, 1), (-top, top - 1, 0), (np.uint32(top), None, 1),
                                     (np.array([top, top]), -1, 1), (None, 1, 1), (None, 2, 0), (2, [2, 2], 1)):
            self.assertEqual(len(cullet.Broadphase([[0, 0, 0, 1, 1, 1]] * 2, groups, masks).update().began), pairs)

    def test_boxes_are_added_and_removed(self):
        boxes = random_boxes(300, 1)
        for report_removed in (False, True):
            broadphase = cullet.Broadphase(dtype=np.float32, report_removed=report_removed)
            self.assertEqual((len(broadphase), broadphase.update().began.shape), (0, (0, 2)))
            np.testing.assert_array_equal(broadphase.add(boxes[:200]), np.arange(200))
            np.testing.assert_array_equal(broadphase.add(boxes[200:]), np.arange(200, 300))
            self.same(broadphase.update().began, true_pairs(boxes))
            removed = np.arange(0, 300, 2)
            broadphase.remove(removed)
            self.assertEqual(len(broadphase), 150)
            left = boxes.copy()
            left[removed] = np.nan
            self.same(broadphase.pairs(), true_pairs(left))
            ended = difference(true_pairs(boxes), true_pairs(left))
            self.same(broadphase.update().ended, ended if report_removed else ended[:0])
            broadphase.move(None, random_boxes(300, 2))  # rows of removed boxes are ignored
            left[1::2] = random_boxes(300, 2)[1::2]
            broadphase.update()
            self.same(broadphase.pairs(), true_pairs(left))
            self.assertEqual(set(broadphase.add(random_boxes(150, 2))), set(removed))


class Queries(unittest.TestCase):
    def broadphases(self, boxes):
        for dtype in (np.float32, np.float64):
            for algorithm in ALGORITHMS:
                with self.subTest(dtype=dtype, algorithm=algorithm):
                    broadphase = cullet.Broadphase(boxes.astype(dtype), algorithm=algorithm)
                    broadphase.update()
                    yield broadphase

    def test_boxes(self):
        boxes = random_boxes(500, 1)
        asked = random_boxes(40, 2, np.float64)
        expected = np.argwhere(overlaps(asked, boxes)).astype(np.uint32)
        for broadphase in self.broadphases(boxes):
            found = broadphase.queries(asked)
            self.assertEqual(found.dtype, np.uint32)
            np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(broadphase.query(asked[3]), expected[expected[:, 0] == 3, 1])
            np.testing.assert_array_equal(broadphase.query(asked[3].reshape(2, 3)), broadphase.query(asked[3]))

    def test_rays(self):
        boxes = random_boxes(500, 1).astype(np.float64)
        starts, ends = np.random.default_rng(3).uniform(-2, 12, (2, 200, 3))
        enter = np.array([entry_fractions(boxes, start, end) for start, end in zip(starts, ends)])
        for broadphase in self.broadphases(boxes):
            for start, end, all_enter in zip(starts[:10], ends, enter):
                ids, fractions = broadphase.ray(start, end)
                np.testing.assert_array_equal(np.sort(ids), np.nonzero(np.isfinite(all_enter))[0])
                np.testing.assert_allclose(fractions, all_enter[ids], atol=1e-12)
                self.assertTrue(np.all(np.diff(fractions) >= 0))
            ids, fractions = broadphase.rays(starts, ends)
            # a ray that starts in several boxes hits the smallest id, which argmin takes too
            np.testing.assert_array_equal(ids, np.where(np.isinf(enter.min(axis=1)), -1, enter.argmin(axis=1)))
            np.testing.assert_allclose(fractions, enter.min(axis=1), atol=1e-5)

    def test_of_boxes_at_one_distance_a_ray_hits_the_smallest_id(self):
        boxes = random_boxes(500, 1).astype(np.float64)
        boxes[:, 0], boxes[:, 3] = 5, 6
        starts = np.hstack([np.zeros((200, 1)), np.random.default_rng(3).uniform(1, 10, (200, 2))])
        starts[7, 1] = np.nan
        enter = np.array([entry_fractions(boxes, start, start + (10, 0, 0)) for start in starts])
        for broadphase in self.broadphases(boxes):
            ids, fractions = broadphase.rays(starts, starts + (10, 0, 0))
            np.testing.assert_array_equal(ids, np.where(np.isinf(enter.min(axis=1)), -1, enter.argmin(axis=1)))
            self.assertEqual((ids[7], set(fractions)), (-1, {0.5, np.inf}))

    def test_any_number_of_hits(self):
        for count in (1023, 1024, 1025, 5000):
            broadphase = cullet.Broadphase([[0, 0, 0, 1, 1, 1]] * count)
            np.testing.assert_array_equal(broadphase.query([0, 0, 0, 1, 1, 1]), np.arange(count))
            np.testing.assert_array_equal(broadphase.ray([0, 0, 0], [1, 1, 1]).ids, np.arange(count))


class Input(unittest.TestCase):
    def setUp(self):
        self.boxes = random_boxes(20, 1)
        self.broadphase = cullet.Broadphase(self.boxes)
        self.broadphase.update()

    def tearDown(self):
        """A refused call changes nothing."""
        self.assertEqual([len(changed) for changed in self.broadphase.update()], [0, 0])
        np.testing.assert_array_equal(self.broadphase.boxes(np.arange(20)), self.boxes)
        self.assertEqual(len(self.broadphase), 20)

    def refused(self, error, words, *calls):
        for call in calls:
            with self.assertRaisesRegex(error, words):
                call()

    def test_boxes(self):
        add, move = self.broadphase.add, lambda boxes: self.broadphase.move([3], boxes)
        for call in add, move:
            for shape in ((20, 5), (6,), (20, 3, 2), (2, 2, 2, 3), (), (1, 0)):
                self.refused(ValueError, r"shape \(n, 6\) or \(n, 2, 3\)", lambda: call(np.zeros(shape, np.float32)))
            for kind in (complex, object, bool, "U1"):
                self.refused(TypeError, "boxes must be numbers", lambda: call(np.zeros((2, 6), kind)))
            self.refused(TypeError, "boxes must be numbers", lambda: call(None))
            self.refused(ValueError, "", lambda: call([[0, 0, 0, 1, 1, 1], [0, 0, 0]]))
            self.refused(TypeError, "float64 and the broadphase keeps float32", lambda: call(np.zeros((1, 6))))
            self.refused(TypeError, r"keeps float32: round them yourself \(boxes.astype\(np.float32\)\)$",
                         lambda: call(np.zeros((1, 6), np.longdouble)))
            self.refused(ValueError, "integers that float32 does not hold", lambda: call(np.full((1, 6), 2**24 + 1)))
            self.refused(ValueError, "too large for float32", lambda: call([[0, 0, 0, 1e300, 1, 1]]))
        self.refused(ValueError, "integers that float64", lambda: cullet.Broadphase(np.full((1, 6), 2**53 + 1)))
        self.refused(ValueError, "3 ids, 2 boxes", lambda: self.broadphase.move([1, 2, 3], self.boxes[:2]))
        for wrong in (self.boxes[:19], np.vstack([self.boxes, self.boxes[:1]])):
            self.refused(ValueError, "one box for each id", lambda: self.broadphase.move(None, wrong))
        self.broadphase.move([3], self.boxes[3:4].tolist())  # lists have no dtype that could be wrong

    def test_precisions(self):
        doubles = self.boxes.astype(np.float64)
        for dtype, expected in ((None, np.float64), ("float32", np.float32), (np.float64, np.float64)):
            self.assertEqual(cullet.Broadphase(doubles, dtype=dtype).dtype, expected)
        self.assertEqual(cullet.Broadphase([[0, 0, 0, 1, 1, 1]]).dtype, np.float64)
        corners = np.array([[0, 0, 0, 2**24 + 1, 1, 1]])
        self.assertEqual(cullet.Broadphase(corners, dtype=np.float32).boxes([0])[0, 3], 2**24)
        for wrong in (np.float16, int, "U3", complex):
            self.refused(TypeError, "dtype must be float32 or float64",
                         lambda: cullet.Broadphase(self.boxes, dtype=wrong))

    def calls_with(self, ids):
        return (lambda: self.broadphase.move(ids, self.boxes[:len(ids)] + np.float32(1)),
                lambda: self.broadphase.remove(ids), lambda: self.broadphase.boxes(ids),
                lambda: self.broadphase.set_filter(ids, 0))

    def test_ids(self):
        for wrong in (-1, 20, 2**31, 2**32 - 1, 2**32, 2**63, -(2**63)):
            self.refused(IndexError, "", *self.calls_with([wrong]))
        self.refused(IndexError, "", *self.calls_with([1, 2, 99]))
        self.refused(IndexError, "or is named twice", lambda: self.broadphase.remove([3, 3]))
        for wrong in (["a"], [1.0], [True], [2**64]):
            self.refused(TypeError, "ids must be integers", *self.calls_with(wrong))
        self.refused(ValueError, "ids must have the shape", *self.calls_with([[3]]), lambda: self.broadphase.remove(3))

    def test_groups_and_masks(self):
        for wrong, error in ((2**32, ValueError), (-(2**31) - 1, ValueError), ([1, 2], ValueError), (1.5, TypeError),
                             ("a", TypeError)):
            self.refused(error, "", lambda: self.broadphase.add(self.boxes, groups=wrong),
                         lambda: self.broadphase.add(self.boxes, masks=wrong),
                         lambda: self.broadphase.set_filter([1], wrong))
        self.refused(ValueError, "need boxes", lambda: cullet.Broadphase(groups=1))

    def test_options(self):
        for name, words, *values in (("device", "device must be one of auto, cpu, cuda", "gpu"),
                                     ("algorithm", "algorithm must be one of auto, ", "best", ["grid"], 1, None),
                                     ("threads", "threads must be from 0 to 256", -1, 257, 2**40)):
            for wrong in values:
                self.refused(ValueError, words, lambda: cullet.Broadphase(**{name: wrong}))
        self.refused(TypeError, "", lambda: cullet.Broadphase(threads=1.5))
        if not any(device.device == "cuda" and device.usable for device in cullet.devices()):
            self.refused(RuntimeError, "No usable CUDA device", lambda: cullet.Broadphase(device="cuda"))

    def test_rays_and_queries(self):
        self.refused(ValueError, "start and end must be finite",
                     lambda: self.broadphase.ray([0, 0, np.nan], [1, 1, 1]),
                     lambda: self.broadphase.ray([0, 0, 0], [1, np.inf, 1]))
        self.refused(ValueError, "must have the shape", lambda: self.broadphase.ray([0, 0], [1, 1]),
                     lambda: self.broadphase.ray(0, 1), lambda: self.broadphase.query(1.0),
                     lambda: self.broadphase.rays(np.zeros((3, 2)), np.zeros((3, 2))),
                     lambda: self.broadphase.query(np.zeros((2, 6))))
        self.refused(ValueError, "2 starts, 3 ends",
                     lambda: self.broadphase.rays(np.zeros((2, 3)), np.zeros((3, 3))))

    def test_empty_arrays_are_no_error(self):
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
