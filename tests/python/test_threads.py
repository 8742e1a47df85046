# SPDX-License-Identifier: Zlib
"""Several Python threads, in one broadphase and beside one."""

import itertools
import os
import signal
import sys
import threading
import time
import unittest
import warnings

import numpy as np
from oracle import random_boxes, true_pairs

import cullet


def run(*bodies):
    """Runs all at once and raises what one of them raised."""
    errors = []

    def guarded(body):
        try:
            body()
        except BaseException as error:  # noqa: B902
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def exit_code_of_child(play):
    """Of a forked child that plays, and ends after 20 seconds however that goes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads are what this is about
        child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            play()
            os._exit(0)
        except ValueError as error:
            os._exit(3 if "when this process was forked" in str(error) else 4)
        except BaseException:
            os._exit(5)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Threads(unittest.TestCase):
    def test_others_run_during_an_update(self):
        """The interpreter by itself would run no other thread for 1,000 seconds."""
        broadphase = cullet.Broadphase(random_boxes(6000, 1, side=50), algorithm="bruteForce", threads=1)
        ticks = []
        done = threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(None)
                time.sleep(0.001)

        def update():
            before = len(ticks)
            broadphase.update()
            after = len(ticks)
            done.set()
            self.assertGreater(after - before, 5)

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        try:
            run(tick, update)
        finally:
            sys.setswitchinterval(interval)

    def test_changes_from_many_threads_are_all_there(self):
        """Each thread moves boxes of its own; all update and query meanwhile, and what began and ended adds up."""
        boxes = random_boxes(4000, 1, np.float64, side=30)
        last = random_boxes(4000, 99, np.float64, side=30)
        broadphase = cullet.Broadphase(boxes)
        balance = []

        def life(mine):
            for step in range(30):
                places = last[mine] if step == 29 else random_boxes(1000, step, np.float64, side=30)
                broadphase.move(mine, places)
                began, ended = broadphase.update()
                balance.append((began, ended))
                found = broadphase.query(places[5])
                self.assertIn(mine[5], found)
                self.assertTrue(np.all(np.diff(found.astype(int)) > 0))
                self.assertTrue(np.all(broadphase.pairs() < 4000))

        run(*(lambda i=i: life(np.arange(1000 * i, 1000 * i + 1000)) for i in range(4)))
        broadphase_began, broadphase_ended = broadphase.update()
        balance.append((broadphase_began, broadphase_ended))
        counts = np.zeros((4000, 4000), np.int32)
        for began, ended in balance:
            np.add.at(counts, (began[:, 0], began[:, 1]), 1)
            np.add.at(counts, (ended[:, 0], ended[:, 1]), -1)
        self.assertEqual(counts.max(), 1)
        self.assertEqual(counts.min(), 0)
        np.testing.assert_array_equal(np.argwhere(counts), true_pairs(last))

    def test_closing_while_others_use_it(self):
        for _ in range(20):
            broadphase = cullet.Broadphase(random_boxes(3000, 1))

            def use():
                with self.assertRaisesRegex(ValueError, "The broadphase is closed"):
                    for step in range(1000):
                        broadphase.move(None, random_boxes(3000, step % 7))
                        broadphase.update()
                        broadphase.query([0, 0, 0, 1, 1, 1])

            run(use, use, lambda: (time.sleep(0.005), broadphase.close()))

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_the_child_of_a_fork_has_a_broadphase_that_works(self):
        boxes = random_boxes(30_000, 1, side=60)
        broadphase = cullet.Broadphase(boxes)
        broadphase.update()
        broadphase.move(None, random_boxes(30_000, 2, side=60))
        child = os.fork()
        changes = broadphase.update()
        if child == 0:
            os._exit(0 if len(changes.began) > 0 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Forks(unittest.TestCase):
    """A child of a fork has no thread but one, and locks that others held are never given back there."""

    def check(self, call):
        """`call` should take some time: the process is forked until that fell into a call."""
        ends = threading.Event()

        def call_on():
            while not ends.is_set():
                call()

        thread = threading.Thread(target=call_on)
        thread.start()
        codes = set()
        latest = time.monotonic() + 60
        while 3 not in codes and time.monotonic() < latest:
            codes.add(exit_code_of_child(call))
        ends.set()
        thread.join()
        self.assertLessEqual(codes, {0, 3})
        self.assertIn(3, codes, "no fork fell into a call")
        self.assertEqual(exit_code_of_child(call), 0, "no thread is in a call")

    def test_a_broadphase_that_another_thread_is_changing(self):
        places = itertools.cycle([random_boxes(10_000, seed, side=60) for seed in (3, 4)])
        broadphase = cullet.Broadphase(next(places), algorithm="bruteForce", threads=1)

        def call():
            broadphase.move(None, next(places))
            broadphase.update()

        self.check(call)

    def test_meshes_that_another_thread_is_searching(self):
        meshes = cullet.MeshSet()
        corners = np.random.default_rng(4).random((3000, 3))
        meshes.add(corners, np.arange(3000).reshape(1000, 3), self_collision=True)
        self.check(meshes.pairs)


if __name__ == "__main__":
    unittest.main()
