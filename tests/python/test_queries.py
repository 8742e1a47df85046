# SPDX-License-Identifier: Zlib
"""Boxes and rays against looking at every box."""

import unittest

import numpy as np
from oracle import ALGORITHMS, overlaps, random_boxes

import cullet


def entries(boxes, start, end):
    """Where the closed segment enters each box, infinite where it misses."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (boxes[:, :3] - start) / (end - start), (boxes[:, 3:] - start) / (end - start)
    enter = np.maximum(np.minimum(first, second).max(axis=1), 0)
    leave = np.minimum(np.maximum(first, second).min(axis=1), 1)
    return np.where(enter <= leave, enter, np.inf)


class Queries(unittest.TestCase):
    def worlds(self):
        for dtype in (np.float32, np.float64):
            boxes = random_boxes(500, 1, dtype)
            for algorithm in ALGORITHMS:
                for updated in (True, False):
                    with self.subTest(dtype=dtype, algorithm=algorithm, updated=updated):
                        broadphase = cullet.Broadphase(boxes, algorithm=algorithm)
                        if updated:
                            broadphase.update()
                        yield broadphase, boxes.astype(np.float64)

    def test_boxes(self):
        asked = random_boxes(40, 2, np.float64)
        asked[7, 0] = np.nan
        for broadphase, boxes in self.worlds():
            expected = np.argwhere(overlaps(asked, boxes)).astype(np.uint32)
            found = broadphase.queries(asked)
            self.assertEqual(found.dtype, np.uint32)
            np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(broadphase.query(asked[3]), expected[expected[:, 0] == 3, 1])
            np.testing.assert_array_equal(broadphase.query(asked[3].reshape(2, 3)), broadphase.query(asked[3]))

    def test_a_query_is_not_rounded(self):
        broadphase = cullet.Broadphase(np.array([[0, 0, 0, 1, 1, 1]], np.float32))
        self.assertEqual(len(broadphase.query([1, 0, 0, 2, 1, 1])), 1)
        self.assertEqual(len(broadphase.query([np.nextafter(1.0, 2.0), 0, 0, 2, 1, 1])), 0)

    def test_all_along_a_ray(self):
        random = np.random.default_rng(3)
        for broadphase, boxes in self.worlds():
            for _ in range(10):
                start, end = random.uniform(-2, 12, (2, 3))
                enter = entries(boxes, start, end)
                ids, fractions = broadphase.ray(start, end)
                np.testing.assert_array_equal(np.sort(ids), np.nonzero(np.isfinite(enter))[0])
                np.testing.assert_allclose(fractions, enter[ids], atol=1e-12)
                self.assertTrue(np.all(np.diff(fractions) >= 0))

    def test_the_first_along_each_ray(self):
        random = np.random.default_rng(3)
        starts, ends = random.uniform(-2, 12, (2, 200, 3))
        for broadphase, boxes in self.worlds():
            enter = np.array([entries(boxes, start, end) for start, end in zip(starts, ends)])
            ids, fractions = broadphase.rays(starts, ends)
            hit = ids >= 0
            self.assertGreater(np.count_nonzero(~hit), 0)
            np.testing.assert_array_equal(hit, np.isfinite(enter).any(axis=1))
            np.testing.assert_array_equal(np.isinf(fractions), ~hit)
            # of those that the ray starts in, the smallest id: argmin takes the first
            np.testing.assert_array_equal(ids[hit], enter[hit].argmin(axis=1))
            np.testing.assert_allclose(fractions[hit], enter[hit].min(axis=1), atol=1e-5)

    def test_of_boxes_that_a_ray_enters_at_once_the_smallest_id_is_met(self):
        random = np.random.default_rng(3)
        starts = np.hstack([np.zeros((200, 1)), random.uniform(1, 10, (200, 2))])
        ends = starts + (10, 0, 0)
        for broadphase, boxes in self.worlds():
            boxes[:, 0], boxes[:, 3] = 5, 6  # a wall
            broadphase.move(None, boxes.astype(broadphase.dtype))
            for update in (False, True):
                if update:
                    broadphase.update()
                enter = np.array([entries(boxes, start, end) for start, end in zip(starts, ends)])
                ids, fractions = broadphase.rays(starts, ends)
                np.testing.assert_array_equal(ids, np.where(np.isinf(fractions), -1, enter.argmin(axis=1)))
                self.assertEqual(set(fractions), {0.5, np.inf})

    def test_a_ray_with_a_nan_meets_nothing(self):
        broadphase = cullet.Broadphase([[0, 0, 0, 1, 1, 1]])
        ids, fractions = broadphase.rays([[-1, 0.5, 0.5], [-1, np.nan, 0.5]], [[2, 0.5, 0.5]] * 2)
        np.testing.assert_array_equal(ids, [0, -1])
        self.assertEqual(fractions[1], np.inf)

    def test_queries_see_what_was_set_on_the_line_before(self):
        broadphase = cullet.Broadphase(random_boxes(2000, 1, np.float64))
        broadphase.update()
        broadphase.move([1234], [[50, 50, 50, 51, 51, 51]])
        np.testing.assert_array_equal(broadphase.query([50, 50, 50, 50, 50, 50]), [1234])
        np.testing.assert_array_equal(broadphase.ray([49, 50.5, 50.5], [52, 50.5, 50.5]).ids, [1234])
        broadphase.remove([1234])
        self.assertEqual(len(broadphase.query([50, 50, 50, 50, 50, 50])), 0)


if __name__ == "__main__":
    unittest.main()
