# SPDX-License-Identifier: Zlib
"""Random arguments of every kind: a call either does what it documents or raises and changes nothing. Nothing that
Python can pass may crash the process or write into memory that is not the library's.

CULLET_SOAK=N makes N sequences instead of a few hundred.
"""

import os
import random
import unittest

import numpy as np
from oracle import overlaps, true_pairs

import cullet
from cullet import arrays

SEQUENCES = int(os.environ.get("CULLET_SOAK", 300))
REFUSALS = (TypeError, ValueError, IndexError, OverflowError)
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, -1e300, 1e38, 5e-324, 2.0**53, 0.1)
WORDS = ("auto", "cpu", "wide", "grid", "lbvh", "frontier", "bruteForce", "boxes", "kdops", "triangles", "", "\0", "é")
DTYPES = ("f4", "f8", "f2", ">f4", ">f8", "g", "i1", "u1", "i4", "u4", "i8", "u8", ">i8", "?", "O", "c8", "S3", "U2",
          "M8[s]", "i4,f4", "V8")


def unaligned(array):
    """The array at an odd address."""
    array = np.asarray(array)
    if array.dtype.hasobject:
        return array
    return np.frombuffer(b"\0" + array.tobytes(), array.dtype, offset=1).reshape(array.shape)


class Arguments:
    """A source of arguments: good ones, good ones in odd layouts, and others."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def below(self, count):
        return self.random.randrange(count)

    def one_in(self, count):
        return self.below(count) == 0

    def pick(self, *values):
        return self.random.choice(values)

    def number(self):
        return self.pick(*SPECIAL) if self.one_in(8) else float(self.below(8))

    def rows(self, count, columns):
        return np.array([[self.number() for _ in range(columns)] for _ in range(count)]).reshape(count, columns)

    def boxes(self, count):
        boxes = self.rows(count, 6)
        if not self.one_in(4):
            boxes[:, 3:] = boxes[:, :3] + 1
        return boxes

    def perhaps(self, good):
        """The good argument, or one in its place that is of another type, shape or layout."""
        return self.odd(good) if self.one_in(4) else good

    def odd(self, good):
        kind = self.below(13)
        array = np.asarray(good)
        if kind == 0:
            return self.scalar()
        if kind == 1:
            return np.asfortranarray(array)
        if kind == 2:
            return np.repeat(array, 2, axis=0)[::2] if array.ndim > 0 else array
        if kind == 3:
            return array.tolist()
        if kind == 4:
            return array[..., np.newaxis]
        if kind == 5:
            return array[..., :-1] if array.ndim > 0 else array
        if kind == 6:
            return array[:self.below(3)] if array.ndim > 0 else array
        if kind == 7:
            return np.ma.masked_array(array)
        if kind == 8:
            return array.reshape(-1)
        if kind == 9:
            return np.zeros([self.below(3) for _ in range(self.below(4))], self.pick(*DTYPES))
        if kind == 10:
            return [[1, 2], [3]]  # ragged
        if kind == 11:
            return unaligned(array)
        with np.errstate(all="ignore"):
            return self.cast(array, self.pick(*DTYPES))

    @staticmethod
    def cast(array, dtype):
        try:
            return array.astype(dtype)
        except (TypeError, ValueError):
            return array

    def scalar(self):
        return self.pick(None, True, -1, 0, 1, 2**31, 2**32, 2**64, -(2**63), 10**30, 1.5, np.nan, 1j, "", "1", b"12",
                         (), [], {}, set(), object(), range(3), slice(3), np.float32(2), np.int64(-5), Ellipsis,
                         memoryview(b"123456"), lambda: 0, np.datetime64("now"), *WORDS)


class Model:
    """A broadphase, and what it should hold."""

    def __init__(self, source):
        self.source = source
        self.dtype = source.pick(np.float32, np.float64)
        self.broadphase = cullet.Broadphase(dtype=self.dtype, algorithm=source.pick("auto", "grid", "lbvh"), threads=1)
        self.boxes, self.filters = {}, {}
        self.highest = -1

    def ids(self):
        """Ids, most of them alive."""
        alive = list(self.boxes) or [0]
        return np.array([self.source.pick(*alive) if not self.source.one_in(16) else self.source.below(100)
                         for _ in range(self.source.below(4))], np.uint32)

    def filter(self, count):
        source = self.source
        bits = (-1, 0, 1, 2, 3, 2**31, 2**32 - 1)
        return source.pick(None, source.pick(*bits), np.array([source.pick(*bits) for _ in range(count)], np.int64))

    def expect_unchanged(self, test):
        test.assertEqual(len(self.broadphase), len(self.boxes))
        alive = np.array(sorted(self.boxes), np.uint32)
        expected = np.array([self.boxes[number] for number in alive], self.dtype).reshape(-1, 6)
        np.testing.assert_array_equal(self.broadphase.boxes(alive), expected)

    def add(self):
        source, count = self.source, self.source.below(6)
        given = source.perhaps(source.boxes(count))
        groups, masks = source.perhaps(self.filter(count)), source.perhaps(self.filter(count))
        ids = self.broadphase.add(given, groups, masks)
        rows = self.rows_of(given)
        for row, number in enumerate(ids.tolist()):
            assert number not in self.boxes
            self.boxes[number] = rows[row]
            self.filters[number] = [self.bits(value, default, row) for value, default in ((groups, 1), (masks, -1))]
            self.highest = max(self.highest, number)

    def rows_of(self, given):
        array = np.asarray(given)
        return array.astype(self.dtype).reshape(-1, 6) if len(array) > 0 else ()  # an empty one may have any type

    @staticmethod
    def bits(value, default, row):
        array = np.asarray(default if value is None else value)
        return int(array if array.ndim == 0 else array[row]) & 0xFFFFFFFF

    def move(self):
        source, ids = self.source, self.ids()
        given_ids, given = source.perhaps(ids), source.perhaps(source.boxes(len(ids)))
        self.broadphase.move(given_ids, given)
        if given_ids is None:
            given_ids = np.arange(self.highest + 1)
        rows = self.rows_of(given)
        for number, row in zip(np.asarray(given_ids).tolist(), rows):
            if number in self.boxes:
                self.boxes[number] = row

    def set_filter(self):
        ids = self.ids()
        given, groups, masks = map(self.source.perhaps, (ids, self.filter(len(ids)), self.filter(len(ids))))
        self.broadphase.set_filter(given, groups, masks)
        for row, number in enumerate(np.asarray(given).tolist()):
            self.filters[number] = [self.bits(value, default, row) for value, default in ((groups, 1), (masks, -1))]

    def remove(self):
        given = self.source.perhaps(self.ids())
        self.broadphase.remove(given)
        for number in np.asarray(given).tolist():
            del self.boxes[number], self.filters[number]

    def read(self):
        source = self.source
        call = source.pick("boxes", "query", "queries", "ray", "rays")
        points = [source.perhaps(source.rows(1, 3)) for _ in range(2)]
        if call == "boxes":
            self.broadphase.boxes(source.perhaps(self.ids()))
        elif call in ("query", "queries"):
            getattr(self.broadphase, call)(source.perhaps(source.boxes(1)[0 if call == "query" else ...]))
        else:
            getattr(self.broadphase, call)(*(points if call == "rays" else [np.asarray(p)[0] for p in points]))

    def update(self, test):
        self.broadphase.update()
        alive = sorted(self.boxes)
        boxes = np.array([self.boxes[number] for number in alive], self.dtype).reshape(-1, 6)
        groups, masks = np.array([self.filters[number] for number in alive], np.int64).reshape(-1, 2).T
        expected = np.array(alive, np.uint32)[true_pairs(boxes, groups, masks)].reshape(-1, 2)
        np.testing.assert_array_equal(self.broadphase.pairs(), expected)
        box = self.source.boxes(1)
        hit = np.array(alive, np.uint32)[overlaps(boxes, box)[:, 0]] if alive else []
        np.testing.assert_array_equal(self.broadphase.query(box[0]), hit)


class RandomArguments(unittest.TestCase):
    def call(self, function):
        """Whether the call was accepted."""
        try:
            function()
        except REFUSALS:
            return False
        return True

    def test_broadphases_do_what_they_document_or_raise_and_change_nothing(self):
        accepted = refused = 0
        for seed in range(SEQUENCES):
            source = Arguments(seed)
            model = Model(source)
            for step in range(30):
                with self.subTest(seed=seed, step=step):
                    action = source.pick(model.add, model.move, model.set_filter, model.remove, model.read)
                    is_accepted = self.call(action)
                    accepted, refused = accepted + is_accepted, refused + (not is_accepted)
                    model.expect_unchanged(self)
                    if source.one_in(4):
                        model.update(self)
        self.assertGreater(accepted, 10 * SEQUENCES)
        self.assertGreater(refused, 4 * SEQUENCES)

    def test_constructors(self):
        for seed in range(SEQUENCES):
            source = Arguments(seed)
            with self.subTest(seed=seed):
                boxes, count = source.boxes(3), 3
                good = {"boxes": boxes, "groups": np.ones(count, int), "masks": -1, "dtype": np.float32,
                        "device": "cpu", "algorithm": "auto", "threads": 1, "report_removed": True}
                some = {name: source.scalar() if source.one_in(8) else source.perhaps(value) if name == "boxes" else value
                        for name, value in good.items() if source.one_in(2)}
                self.call(lambda: cullet.Broadphase(**some).update())
                self.call(lambda: cullet.MeshSet(source.scalar() if source.one_in(2) else np.float64,
                                                 threads=source.scalar() if source.one_in(2) else 1))

    def test_arrays_in_the_memory_of_the_host(self):
        for seed in range(SEQUENCES):
            source = Arguments(seed)
            dtype = source.pick(np.float32, np.float64)
            things = cullet.Arrays(dtype, device="cpu", threads=1)
            for step in range(6):
                with self.subTest(seed=seed, step=step), np.errstate(over="ignore"):
                    count = source.below(5)
                    boxes = source.perhaps(source.boxes(count).astype(dtype))
                    filters = source.perhaps(source.pick(None, np.full((count, 2), 3, np.int32)))
                    if self.call(lambda: things.update(boxes, filters)):
                        np.testing.assert_array_equal(things.pairs(), true_pairs(np.asarray(boxes)))

    def test_unaligned_arrays_are_copied(self):
        boxes = unaligned([[0.0, 0, 0, 1, 1, 1]])
        self.assertFalse(boxes.flags.aligned)
        for converted in (arrays.as_boxes(boxes, boxes.dtype), arrays.as_points("points", boxes[:, :3]),
                          arrays.as_vertices(boxes.reshape(2, 3), boxes.dtype), arrays.as_ids(unaligned([1, 2]))):
            self.assertTrue(converted.flags.aligned and converted.flags.c_contiguous)

    def test_meshes_do_what_they_document_or_raise(self):
        for seed in range(SEQUENCES):
            source = Arguments(seed)
            meshes = cullet.MeshSet(source.pick(np.float32, np.float64), threads=1)
            counts = {}
            for step in range(12):
                with self.subTest(seed=seed, step=step):
                    self.call(lambda: self.change(source, meshes, counts))
                    self.assertEqual(len(counts), self.mesh_count(meshes))
                    self.call(lambda: source.pick(meshes.pairs, meshes.vertex_faces, meshes.edge_pairs)(
                        source.scalar() if source.one_in(4) else source.pick("boxes", "kdops", "triangles")))

    @staticmethod
    def mesh_count(meshes):
        meshes.pairs()
        return meshes.stats().meshes

    @staticmethod
    def change(source, meshes, counts):
        kind = source.below(5)
        mesh = source.scalar() if source.one_in(8) or not counts else source.pick(*counts)
        if kind == 0 or not counts:
            count = 1 + source.below(5)
            triangles = np.array([[source.below(count) for _ in range(3)] for _ in range(source.below(5))], int)
            options = {"self_collision": True, "swept": 1, "keep_shared": 0, "thickness": 0.5, "group": 1, "mask": -1}
            some = {name: source.scalar() if source.one_in(8) else value for name, value in options.items()}
            counts[meshes.add(source.perhaps(source.rows(count, 3)), source.perhaps(triangles.reshape(-1, 3)),
                              **some)] = count
        elif kind == 1:
            meshes.move(mesh, source.perhaps(source.rows(counts.get(mesh, 1), 3)))
        elif kind == 2:
            meshes.place(mesh, source.perhaps(source.rows(3, 4)))
        elif kind == 3:
            meshes.set_filter(mesh, source.scalar() if source.one_in(4) else 1)
        else:
            meshes.remove(mesh)
            del counts[mesh]


if __name__ == "__main__":
    unittest.main()
