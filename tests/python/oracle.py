# SPDX-License-Identifier: Zlib
"""Random boxes, and the pairs and changes that brute force finds among them."""

import numpy as np

ALGORITHMS = ("bruteForce", "grid", "lbvh", "wide", "frontier")


def random_boxes(count, seed, dtype=np.float32, side=10.0, largest=2.0):
    random = np.random.default_rng(seed)
    lower = random.uniform(0, side, (count, 3)).astype(dtype)
    return np.hstack([lower, lower + random.uniform(0, largest, (count, 3)).astype(dtype)])


def overlaps(a, b):
    """A matrix: whether box i of `a` overlaps box j of `b`. Boxes are closed."""
    a, b = a[:, np.newaxis], b[np.newaxis]
    return np.all((a[..., :3] <= b[..., 3:]) & (b[..., :3] <= a[..., 3:]), axis=-1)


def true_pairs(boxes, groups=None, masks=None):
    """The pairs in an array of shape (n, 2), ascending."""
    allowed = overlaps(boxes, boxes)
    if groups is not None:
        meets = (groups[:, np.newaxis] & masks[np.newaxis]) != 0
        allowed &= meets & meets.T
    return np.argwhere(np.triu(allowed, 1)).astype(np.uint32)


def difference(a, b):
    """The pairs of `a` that are not in `b`, ascending."""
    rows = sorted(set(map(tuple, a.tolist())) - set(map(tuple, b.tolist())))
    return np.array(rows, np.uint32).reshape(-1, 2)
