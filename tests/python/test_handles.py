# SPDX-License-Identifier: Zlib
"""What broadphases and sets of meshes share: ownership of memory, closing, threads, forks."""

import contextlib
import copy
import ctypes
import gc
import itertools
import os
import pickle
import resource
import signal
import sys
import threading
import time
import unittest
import unittest.mock
import warnings
import weakref

import numpy as np
from oracle import random_boxes, true_pairs

import cullet


def resident_bytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


def run(*bodies):
    """Runs each function in a thread of its own, all at the same time, and raises the first exception."""
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


def exit_code_of_child(call):
    """Runs `call` in a forked child and returns the exit code. 0: `call` returned; 3: it raised because of the fork."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about forks of a process with threads
        child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            call()
            os._exit(0)
        except ValueError as error:
            os._exit(3 if "when this process was forked" in str(error) else 4)
        except BaseException:
            os._exit(5)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def broadphase_with_calls(count=10):
    """A broadphase and calls of all its methods."""
    broadphase, box = cullet.Broadphase(random_boxes(count, 1)), random_boxes(1, 1)
    return broadphase, (broadphase.update, broadphase.pairs, broadphase.stats, broadphase.__len__,
                        lambda: broadphase.add(box), lambda: broadphase.move([0], box),
                        lambda: broadphase.set_filter([0], 1), lambda: broadphase.boxes([0]),
                        lambda: broadphase.query(box[0]), lambda: broadphase.ray([0, 0, 0], [1, 1, 1]),
                        lambda: broadphase.rays([[0, 0, 0]], [[1, 1, 1]]), lambda: broadphase.remove([0]))


def meshes_with_calls(count=10):
    """A set of meshes and calls of all its methods."""
    meshes, corners = cullet.MeshSet(), np.random.default_rng(4).random((3 * count, 3))
    triangles = np.arange(3 * count).reshape(count, 3)
    meshes.add(corners, triangles, self_collision=True)
    return meshes, (meshes.pairs, meshes.vertex_faces, meshes.edge_pairs, meshes.stats,
                    lambda: meshes.add(corners[:3], [[0, 1, 2]]), lambda: meshes.move(0, corners),
                    lambda: meshes.place(0, np.eye(3, 4)), lambda: meshes.set_filter(0), lambda: meshes.remove(0))


class Lifetime(unittest.TestCase):
    def test_arrays_belong_to_the_caller(self):
        given = random_boxes(1000, 1)
        broadphase = cullet.Broadphase(given)
        corners, triangles = np.random.default_rng(1).random((300, 3)), np.arange(300).reshape(100, 3)
        meshes = cullet.MeshSet()
        meshes.add(corners, triangles, self_collision=True)
        kept = given.copy()
        given[:] = corners[:] = triangles[:] = 0
        np.testing.assert_array_equal(broadphase.boxes(np.arange(1000)), kept)
        results = [broadphase.update().began, broadphase.pairs(), meshes.pairs("boxes")]
        copies = [array.copy() for array in results]
        broadphase.move(None, random_boxes(1000, 2))
        for array in (*broadphase.update(), broadphase.pairs()):
            array[:] = 7  # results are writable
        broadphase.close()
        meshes.close()
        del broadphase, meshes
        gc.collect()
        for array, copied in zip(results, copies):
            self.assertGreater(len(array), 0)
            np.testing.assert_array_equal(array, copied)

    def test_close(self):
        for (thing, calls), name in ((broadphase_with_calls(), "broadphase"), (meshes_with_calls(), "set of meshes")):
            with thing:
                for call in calls:
                    call()
            for call in calls:
                with self.assertRaisesRegex(ValueError, f"The {name} is closed"):
                    call()
            thing.close()
            for call in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                    call(thing)

    def test_memory_is_released_with_the_last_reference(self):
        def use():
            broadphase = cullet.Broadphase(random_boxes(20_000, 1, side=30))
            broadphase.update()
            broadphase.pairs()
            broadphase.queries(random_boxes(50, 2, side=30, largest=20))
            broadphase.ray([0, 0, 0], [30, 30, 30])
            with self.assertRaises(IndexError):
                broadphase.move([99999], random_boxes(1, 1))
            return weakref.ref(broadphase)

        for _ in range(5):
            self.assertIsNone(use()())
        before = resident_bytes()
        for _ in range(40):
            use()
        self.assertLess(resident_bytes() - before, 20 << 20)  # one round leaves more than 2 MB if anything stays

    def test_changes_for_which_there_is_no_memory_are_returned_by_the_next_call(self):
        broadphase = cullet.Broadphase([[0, 0, 0, 1, 1, 1]] * 2)
        with unittest.mock.patch("cullet.broadphase.copied", side_effect=MemoryError):
            with self.assertRaises(MemoryError):
                broadphase.update()
        self.assertEqual([len(changed) for changed in broadphase.update()], [1, 0])
        self.assertEqual([len(changed) for changed in broadphase.update()], [0, 0])


class Threads(unittest.TestCase):
    def test_other_threads_run_during_an_update(self):
        """The interpreter would switch threads only after 1,000 seconds, so `update` must let other threads run."""
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

    def test_changes_from_many_threads_add_up(self):
        """Each thread moves boxes of its own; all update and query meanwhile."""
        last = random_boxes(4000, 99, np.float64, side=30)
        broadphase = cullet.Broadphase(random_boxes(4000, 1, np.float64, side=30))
        changes = []

        def life(mine):
            for step in range(30):
                places = last[mine] if step == 29 else random_boxes(1000, step, np.float64, side=30)
                broadphase.move(mine, places)
                changes.append(broadphase.update())
                self.assertIn(mine[5], broadphase.query(places[5]))
                self.assertTrue(np.all(broadphase.pairs() < 4000))

        run(*(lambda i=i: life(np.arange(1000 * i, 1000 * i + 1000)) for i in range(4)))
        changes.append(broadphase.update())
        counts = np.zeros((4000, 4000), np.int32)
        for began, ended in changes:
            np.add.at(counts, (began[:, 0], began[:, 1]), 1)
            np.add.at(counts, (ended[:, 0], ended[:, 1]), -1)
        self.assertEqual((counts.min(), counts.max()), (0, 1))
        np.testing.assert_array_equal(np.argwhere(counts), true_pairs(last))

    def test_queries_run_in_parallel_and_exclude_changes(self):
        broadphase = cullet.Broadphase(random_boxes(10, 1))
        order = []
        with broadphase._reading(), broadphase._reading():  # no change waits yet
            change = threading.Thread(target=lambda: (broadphase.update(), order.append("changed")))
            change.start()
            change.join(0.1)
            order.append("read")
        change.join()
        self.assertEqual(order, ["read", "changed"])

    def test_close_during_calls_of_other_threads(self):
        for create in 5 * (broadphase_with_calls, meshes_with_calls):
            thing, calls = create(100)

            def use():
                with self.assertRaisesRegex(ValueError, "is closed"):
                    for call in itertools.cycle(calls[:-1]):  # all but `remove`
                        call()

            run(use, use, lambda: (time.sleep(0.005), thing.close()))


@unittest.skipUnless(hasattr(signal, "setitimer"), "this system has no timer signals")
class Signals(unittest.TestCase):
    """A signal handler that raises, as for Ctrl-C, may end a call between any two instructions."""

    def test_no_lock_stays_held_after_an_interrupted_call(self):
        def interrupt(*_):
            raise InterruptedError

        previous = signal.signal(signal.SIGALRM, interrupt)
        try:
            broadphase, meshes = broadphase_with_calls()[0], meshes_with_calls()[0]
            for thing, calls in ((broadphase, (broadphase.stats, broadphase.update)),
                                 (meshes, (meshes.stats, meshes.pairs))):
                for k in range(1000):
                    with contextlib.suppress(InterruptedError, ctypes.ArgumentError):  # ctypes raises the latter for it
                        signal.setitimer(signal.ITIMER_REAL, 1e-5 * (k % 20 + 1))
                        for call in itertools.cycle(calls):
                            call()
                    self.assertFalse(thing._lock.locked(), f"after {k + 1} interrupted calls")
                signal.setitimer(signal.ITIMER_REAL, 0)
                calls[1]()  # a call that changes the object waits for those that read it
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)


@unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
class Forks(unittest.TestCase):
    """A forked child has one thread. Locks that other threads held are never released there."""

    def test_an_object_that_another_thread_was_using_raises(self):
        for create in broadphase_with_calls, meshes_with_calls:
            call = create(3000)[1][0 if create is meshes_with_calls else 1]  # pairs
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


if __name__ == "__main__":
    unittest.main()
