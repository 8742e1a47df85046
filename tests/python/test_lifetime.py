# SPDX-License-Identifier: Zlib
"""Ownership and lifetime of arrays and objects."""

import copy
import gc
import pickle
import resource
import unittest
import weakref

import numpy as np
from oracle import random_boxes

import cullet


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


class Lifetime(unittest.TestCase):
    def test_results_are_the_callers_and_outlive_the_broadphase(self):
        broadphase = cullet.Broadphase(random_boxes(1000, 1))
        first = broadphase.update()
        pairs = broadphase.pairs()
        kept = [array.copy() for array in (*first, pairs)]
        broadphase.move(None, random_boxes(1000, 2))
        second = broadphase.update()
        for array in second:
            array[:] = 7  # they may be written to
        broadphase.pairs()[:] = 7
        broadphase.close()
        del broadphase
        gc.collect()
        np.random.default_rng(1).random(1_000_000)
        for array, copied in zip((*first, pairs), kept):
            np.testing.assert_array_equal(array, copied)

    def test_boxes_that_were_given_may_be_changed_afterwards(self):
        boxes = random_boxes(100, 1)
        broadphase = cullet.Broadphase(boxes)
        kept = boxes.copy()
        boxes[:] = 0
        np.testing.assert_array_equal(broadphase.boxes(np.arange(100)), kept)

    def test_use_after_close(self):
        with cullet.Broadphase(random_boxes(10, 1)) as broadphase:
            broadphase.update()
        box = random_boxes(1, 1)
        for call in (broadphase.update, broadphase.pairs, broadphase.stats, broadphase.__len__,
                     lambda: broadphase.add(box), lambda: broadphase.move([0], box), lambda: broadphase.remove([0]),
                     lambda: broadphase.set_filter([0], 1), lambda: broadphase.boxes([0]),
                     lambda: broadphase.query(box[0]), lambda: broadphase.ray([0, 0, 0], [1, 1, 1]),
                     lambda: broadphase.rays([[0, 0, 0]], [[1, 1, 1]])):
            with self.assertRaisesRegex(ValueError, "The broadphase is closed"):
                call()
        broadphase.close()

    def test_no_second_owner(self):
        broadphase = cullet.Broadphase(random_boxes(10, 1))
        for call in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                call(broadphase)

    def test_it_goes_with_its_last_name(self):
        broadphase = cullet.Broadphase(random_boxes(10, 1))
        gone = weakref.ref(broadphase)
        broadphase.update()
        del broadphase
        self.assertIsNone(gone())

    def test_memory_is_given_back(self):
        def use():
            broadphase = cullet.Broadphase(random_boxes(20_000, 1, side=30))
            broadphase.update()
            broadphase.pairs()
            broadphase.queries(random_boxes(50, 2, side=30, largest=20))
            broadphase.ray([0, 0, 0], [30, 30, 30])
            with self.assertRaises(IndexError):
                broadphase.move([99999], random_boxes(1, 1))

        for _ in range(5):
            use()
        before = resident()
        for _ in range(40):
            use()
        self.assertLess(resident() - before, 20 << 20)  # one round leaves more than 2 MB if anything stays

    def test_changes_for_which_there_is_no_memory_come_with_the_next_call(self):
        """3,000 boxes in one place are 36 MB of pairs; the library itself has had its room for them before."""
        together, apart = np.zeros((3000, 6)), np.repeat(np.arange(3000.0), 6).reshape(3000, 6)
        broadphase = cullet.Broadphase(together, threads=1)
        for places in (apart, together, apart):
            broadphase.update()
            broadphase.move(None, places)
        expected = len(broadphase.update().ended)
        broadphase.move(None, together)
        gc.collect()
        with open("/proc/self/statm") as statm:
            size = int(statm.read().split()[0]) * resource.getpagesize()
        limits = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (size + (20 << 20), limits[1]))
        try:
            with self.assertRaises(MemoryError):
                broadphase.update()
        finally:
            resource.setrlimit(resource.RLIMIT_AS, limits)
        began, ended = broadphase.update()
        self.assertEqual((len(began), len(ended)), (expected, 0))
        self.assertEqual(len(broadphase.update().began), 0)


if __name__ == "__main__":
    unittest.main()
