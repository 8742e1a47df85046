# SPDX-License-Identifier: Zlib
"""Updates and pairs against testing every box against every other."""

import unittest

import numpy as np
from oracle import ALGORITHMS, difference, random_boxes, true_pairs

import cullet


class Pairs(unittest.TestCase):
    def same(self, actual, expected):
        self.assertEqual(actual.dtype, np.uint32)
        self.assertEqual(actual.shape, expected.shape)
        np.testing.assert_array_equal(actual, expected)

    def test_every_algorithm_and_precision_finds_the_pairs_and_their_changes(self):
        for algorithm in ALGORITHMS:
            for dtype in (np.float32, np.float64):
                with self.subTest(algorithm=algorithm, dtype=dtype):
                    boxes = random_boxes(400, 1, dtype)
                    broadphase = cullet.Broadphase(boxes, algorithm=algorithm)
                    self.assertEqual(broadphase.dtype, dtype)
                    before = np.empty((0, 2), np.uint32)
                    for step in range(4):
                        began, ended = broadphase.update()
                        now = true_pairs(boxes)
                        self.same(broadphase.pairs(), now)
                        self.same(began, difference(now, before))
                        self.same(ended, difference(before, now))
                        before = now
                        boxes = random_boxes(400, step + 2, dtype)
                        broadphase.move(np.arange(400), boxes)

    def test_any_number_of_threads_gives_the_same_bytes(self):
        boxes = [random_boxes(20_000, seed, side=60) for seed in (1, 2)]
        results = []
        for threads in (1, 2, 5):
            broadphase = cullet.Broadphase(boxes[0], threads=threads)
            first = broadphase.update()
            broadphase.move(None, boxes[1])
            results.append([array.tobytes() for array in (*first, *broadphase.update(), broadphase.pairs())])
        self.assertGreater(len(results[0][2]), 0)
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])

    def test_boxes_that_only_touch_are_a_pair_in_double_too(self):
        gap = np.nextafter(1.0, 2.0)
        touching = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 2, 2, 2]]
        apart = [[0, 0, 0, 1, 1, 1], [gap, 1, 1, 2, 2, 2]]
        self.assertEqual(len(cullet.Broadphase(touching).update().began), 1)
        self.assertEqual(len(cullet.Broadphase(apart).update().began), 0)
        self.assertEqual(len(cullet.Broadphase(apart, dtype=np.float32).update().began), 1)  # as it was rounded

    def test_corners_may_have_an_axis_of_their_own(self):
        boxes = random_boxes(50, 1)
        self.same(cullet.Broadphase(boxes.reshape(-1, 2, 3)).update().began, true_pairs(boxes))

    def test_arrays_that_are_not_contiguous_are_read_as_they_are_meant(self):
        boxes = random_boxes(100, 1)
        for other in (np.asfortranarray(boxes), np.repeat(boxes, 2, axis=0)[::2], boxes[::-1][::-1],
                      boxes.astype(">f4"), boxes.tolist()):
            self.same(cullet.Broadphase(other, dtype=np.float32).update().began, true_pairs(boxes))

    def test_some_move_and_the_last_box_counts(self):
        boxes = random_boxes(200, 1)
        broadphase = cullet.Broadphase(boxes)
        broadphase.update()
        moved = np.array([7, 150, 3, 7], np.int16)
        places = random_boxes(4, 2)
        broadphase.move(moved, places)
        boxes[moved] = places
        self.same(broadphase.update().began, difference(true_pairs(boxes), true_pairs(random_boxes(200, 1))))
        self.same(broadphase.pairs(), true_pairs(boxes))
        np.testing.assert_array_equal(broadphase.boxes([3, 7]), boxes[[3, 7]])

    def test_groups_and_masks(self):
        boxes = random_boxes(300, 1)
        random = np.random.default_rng(2)
        groups, masks = random.integers(0, 8, 300), random.integers(0, 8, 300)
        broadphase = cullet.Broadphase(boxes, groups, masks)
        self.same(broadphase.update().began, true_pairs(boxes, groups, masks))

        some = np.arange(0, 300, 3)
        before = true_pairs(boxes, groups, masks)
        groups[some], masks[some] = 2, random.integers(0, 8, 100)
        broadphase.set_filter(some, 2, masks[some])
        now = true_pairs(boxes, groups, masks)
        began, ended = broadphase.update()
        self.same(began, difference(now, before))
        self.same(ended, difference(before, now))

    def test_all_bits_of_a_mask(self):
        boxes = [[0, 0, 0, 1, 1, 1]] * 2
        for top in (0x80000000, -0x80000000, np.uint32(0x80000000)):
            self.assertEqual(len(cullet.Broadphase(boxes, top, 0xFFFFFFFF).update().began), 1)
            self.assertEqual(len(cullet.Broadphase(boxes, top, 0x7FFFFFFF).update().began), 0)
            self.assertEqual(len(cullet.Broadphase(boxes, np.array([top, top]), masks=-1).update().began), 1)
        self.assertEqual(len(cullet.Broadphase(boxes, masks=1).update().began), 1)
        self.assertEqual(len(cullet.Broadphase(boxes, masks=2).update().began), 0)
        self.assertEqual(len(cullet.Broadphase(boxes, groups=2, masks=np.array([2, 2], np.uint8)).update().began), 1)

    def test_boxes_come_and_go(self):
        broadphase = cullet.Broadphase()
        self.assertEqual(len(broadphase), 0)
        self.assertEqual(len(broadphase.update().began), 0)
        boxes = random_boxes(300, 1, np.float64)
        np.testing.assert_array_equal(broadphase.add(boxes[:200]), np.arange(200))
        np.testing.assert_array_equal(broadphase.add(boxes[200:]), np.arange(200, 300))
        self.assertEqual(len(broadphase), 300)
        self.same(broadphase.update().began, true_pairs(boxes))

        gone = np.arange(0, 300, 2)
        broadphase.remove(gone)
        boxes[gone] = np.nan
        self.assertEqual(len(broadphase), 150)
        self.same(broadphase.pairs(), true_pairs(boxes))
        self.assertEqual([len(changed) for changed in broadphase.update()], [0, 0])
        self.assertEqual(set(broadphase.add(random_boxes(150, 2))), set(gone))

    def test_all_in_order_passes_over_those_that_are_gone(self):
        boxes = random_boxes(300, 1)
        broadphase = cullet.Broadphase(boxes)
        broadphase.remove([0, 17, 299])
        boxes = random_boxes(300, 2)
        broadphase.move(None, boxes)
        broadphase.update()
        boxes[[0, 17, 299]] = np.nan
        self.same(broadphase.pairs(), true_pairs(boxes))

    def test_removed_pairs_are_reported_where_that_was_asked_for(self):
        boxes = random_boxes(300, 1)
        broadphase = cullet.Broadphase(boxes, report_removed=True)
        before = broadphase.update().began
        broadphase.remove(np.arange(0, 300, 5))
        boxes[::5] = np.nan
        self.same(broadphase.update().ended, difference(before, true_pairs(boxes)))

    def test_a_nan_hides_a_box_until_a_good_one_comes(self):
        boxes = random_boxes(100, 1)
        broadphase = cullet.Broadphase(boxes)
        broadphase.update()
        hidden = boxes.copy()
        hidden[5, 4] = np.nan
        broadphase.move(None, hidden)
        broadphase.update()
        self.same(broadphase.pairs(), true_pairs(hidden))
        self.assertEqual(broadphase.stats().nan, 1)
        broadphase.move(None, boxes)
        broadphase.update()
        self.same(broadphase.pairs(), true_pairs(boxes))

    def test_infinite_and_inverted_boxes_mean_what_the_comparisons_say(self):
        boxes = random_boxes(100, 1)
        boxes[3, :3], boxes[3, 3:] = -np.inf, np.inf
        boxes[4, :3], boxes[4, 3:] = np.inf, -np.inf
        boxes[5] = np.roll(boxes[5], 3)
        self.same(cullet.Broadphase(boxes).update().began, true_pairs(boxes))


if __name__ == "__main__":
    unittest.main()
