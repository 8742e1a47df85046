# SPDX-License-Identifier: Zlib
"""A cloud of a million boxes that breathes in and out: how many pairs there are, what begins and ends in each step, and
how long that takes beside scipy's cKDTree and rtree, which find the pairs of one step from scratch.

    pip install scipy rtree matplotlib
    python pairs_over_time.py --boxes 1000000 --out pairs_over_time.png
"""

import argparse
import time

import cullet
import matplotlib.pyplot as plt
import numpy as np
import rtree
import scipy.spatial


def steps(count, step_count):
    """The centres of unit cubes, step by step: a random walk, contracted by a fifth and expanded again. They are
    multiples of 1/1024, so that distances of centres and bounds of boxes are exact, and all libraries agree."""
    random = np.random.default_rng(1)
    side = (6 * count) ** (1 / 3)
    centres = random.uniform(-side / 2, side / 2, (count, 3))
    for step in range(step_count):
        centres += random.normal(0, 0.05, centres.shape)
        breath = 1 - 0.2 * np.sin(np.pi * step / step_count) ** 2
        yield np.round(centres * breath * 1024) / 1024


def bounds(centres):
    return np.hstack([centres - 0.5, centres + 0.5]).astype(np.float32)


def timed(function, *arguments):
    begin = time.perf_counter()
    result = function(*arguments)
    return result, (time.perf_counter() - begin) * 1000


def in_order(pairs):
    pairs = np.sort(pairs, axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def pairs_of_cullet(boxes):
    return cullet.Broadphase(boxes, dtype=np.float32).update().began


def pairs_of_ckdtree(centres):
    """Unit cubes overlap if their centres are at most 1 apart on each axis."""
    return scipy.spatial.cKDTree(centres).query_pairs(1.0, p=np.inf, output_type="ndarray")


def pairs_of_rtree(boxes):
    """rtree reports each pair from both sides, and each box with itself."""
    lower, upper = np.ascontiguousarray(boxes[:, :3]), np.ascontiguousarray(boxes[:, 3:])
    found, counts = index_of(lower, upper).intersection_v(lower, upper)
    pairs = np.column_stack([np.repeat(np.arange(len(boxes)), counts.astype(np.int64)), found])
    return pairs[pairs[:, 0] < pairs[:, 1]]


def index_of(lower, upper):
    return rtree.index.Index((np.arange(len(lower)), lower, upper), properties=rtree.index.Property(dimension=3))


def run(count, step_count):
    """(pairs, began, ended, milliseconds) of each step, and the boxes' centres and pairs of the middle step."""
    broadphase = cullet.Broadphase(dtype=np.float32)
    rows, middle = [], None
    for step, centres in enumerate(steps(count, step_count)):
        boxes = bounds(centres)
        if step == 0:
            broadphase.add(boxes)
            broadphase.update()
            continue
        changes, milliseconds = timed(lambda: (broadphase.move(None, boxes), broadphase.update())[1])
        total = (rows[-1][0] if rows else 0) + len(changes.began) - len(changes.ended)
        if not rows:
            total = len(broadphase.pairs())
        rows.append((total, len(changes.began), len(changes.ended), milliseconds))
        if step == step_count // 2:
            middle = centres, broadphase.pairs()
            assert len(middle[1]) == total
    return np.array(rows), middle


def race(centres, expected):
    """Milliseconds that each library takes for all pairs of one step."""
    times = {}
    boxes = bounds(centres)
    for name, function, argument in (("cullet,\nfrom nothing", pairs_of_cullet, boxes),
                                     ("cKDTree", pairs_of_ckdtree, centres),
                                     ("rtree", pairs_of_rtree, boxes.astype(np.float64))):
        pairs, times[name] = timed(function, argument)
        assert np.array_equal(in_order(pairs), expected), name
        print(f"{times[name]:10,.1f} ms {' '.join(name.split())}: the same {len(pairs):,} pairs")
    return times


def draw(rows, times, count, out):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), gridspec_kw={"width_ratios": (3, 2)})
    figure.suptitle(f"{count:,} boxes, all moving")
    for column, label, colour in ((0, "pairs", "black"), (1, "began", "tab:green"), (2, "ended", "tab:red")):
        left.plot(np.arange(1, len(rows) + 1), rows[:, column] / 1e6, label=label, color=colour)
    left.set(xlabel="step", ylabel="millions", ylim=(0, None))
    left.legend()
    bars = right.bar(times.keys(), times.values(), color=["tab:blue", "tab:cyan", "silver", "silver"])
    right.bar_label(bars, [f"{milliseconds:,.0f}" for milliseconds in times.values()])
    right.set(yscale="log", ylabel="milliseconds a step", ylim=(10, 3 * max(times.values())))
    figure.tight_layout()
    figure.savefig(out, dpi=80)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boxes", type=int, default=1_000_000)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--out", default="pairs_over_time.png")
    options = parser.parse_args()
    rows, middle = run(options.boxes, options.steps)
    times = {"cullet": float(np.median(rows[:, 3]))}
    print(f"{times['cullet']:10,.1f} ms cullet: all boxes set, what began and ended; median of {len(rows)} steps")
    times.update(race(*middle))
    draw(rows, times, options.boxes, options.out)


if __name__ == "__main__":
    main()
