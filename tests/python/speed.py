# SPDX-License-Identifier: Zlib
"""What Python adds to the C API: the same boxes moved and updated through the package, and through the C API with every
argument made beforehand, in turns, in one process and one library. Says milliseconds a step, and the ratio of medians.

    python speed.py [BOXES...]
"""

import ctypes
import statistics
import sys
import time

import numpy as np

import cullet
from cullet.library import LIBRARY, PairChanges, definition_of


def poses(count):
    """Unit cubes in random motion, back and forth through the same few steps."""
    random = np.random.default_rng(1)
    lower = random.uniform(0, (6 * count) ** (1 / 3), (count, 3)).astype(np.float32)
    walk = []
    for _ in range(6):
        lower = lower + random.normal(0, 0.05, lower.shape).astype(np.float32)
        walk.append(np.hstack([lower, lower + np.float32(1)]))
    return walk + walk[::-1]


def steps_in_c(walk, ids):
    """One function for each pose, which sets it and updates."""
    definition, broadphase, changes = definition_of(np.dtype(np.float32), 0), ctypes.c_void_p(), PairChanges()
    LIBRARY.cltCreateBroadphase(ctypes.byref(definition), ctypes.byref(broadphase))
    count = len(walk[0])
    boxes = [ctypes.c_void_p(pose.ctypes.data) for pose in walk]
    moved, changed = ctypes.c_void_p(None if ids is None else ids.ctypes.data), ctypes.byref(changes)
    LIBRARY.cltBroadphase_CreateProxies(broadphase, count, boxes[0], None, None, None)

    def step(i):
        LIBRARY.cltBroadphase_MoveProxies(broadphase, count, moved, boxes[i])
        LIBRARY.cltBroadphase_Update(broadphase, changed)

    return step


def steps_in_python(walk, ids):
    broadphase = cullet.Broadphase(walk[0])

    def step(i):
        broadphase.move(ids, walk[i])
        broadphase.update()

    return step


def compare(count, ids, seconds=4.0):
    walk = poses(count)
    ways = {"C API": steps_in_c(walk, ids), "Python": steps_in_python(walk, ids)}
    times = {name: [] for name in ways}
    end = time.perf_counter() + seconds
    for i in range(1_000_000):
        for name, step in ways.items():
            begin = time.perf_counter()
            step(i % len(walk))
            times[name].append(1000 * (time.perf_counter() - begin))
        if time.perf_counter() > end:
            break
    medians = {name: statistics.median(values[len(values) // 5:]) for name, values in times.items()}
    print(f"{count:>9,} boxes, {'ids' if ids is not None else 'all':>3}: C API {medians['C API']:9.4f} ms, Python "
          f"{medians['Python']:9.4f} ms, ratio {medians['Python'] / medians['C API']:.3f}")


for boxes in map(int, sys.argv[1:] or ("1000", "10000", "100000", "1000000")):
    compare(boxes, None)
    compare(boxes, np.arange(boxes, dtype=np.uint32))
