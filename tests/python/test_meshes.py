# SPDX-License-Identifier: Zlib
"""Meshes: boxes and 18-DOPs against trying all triangles, triangles against what is known of them; who may pair, what
moves, what is refused, and threads."""

import gc
import threading
import time
import unittest

import numpy as np

import cullet

TESTS = ("boxes", "kdops", "triangles")
AXES = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]])
SIDE = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]  # a triangle in the plane z = 0
NO_PAIRS = np.empty((0, 4), np.uint32)


def soup(seed, count=60, side=12):
    """Small triangles, each of three vertices in a row of a random walk on a lattice, so that nothing rounds."""
    random = np.random.default_rng(seed)
    vertices = np.cumsum(random.integers(-3, 4, (count, 3)), axis=0) % side
    starts = random.integers(0, count - 2, count)
    return vertices.astype(float), np.stack([starts, starts + 1, starts + 2], axis=1)


def true_pairs(a, b, axes):
    """Of two that are vertices, and (n, any number) of them that belong together: whose intervals overlap on every
    axis, (n, 2)."""
    low_a, high_a = (f(a[0][a[1]] @ axes.T, axis=1)[:, np.newaxis] for f in (np.min, np.max))
    low_b, high_b = (f(b[0][b[1]] @ axes.T, axis=1)[np.newaxis] for f in (np.min, np.max))
    return np.argwhere(np.all((low_a <= high_b) & (low_b <= high_a), axis=2))


def edges_of(triangles):
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return np.unique(np.sort(sides), axis=0)


def moved(by, vertices=SIDE):
    return (np.array(vertices) + by).astype(float)


class Meshes(unittest.TestCase):
    def set_of(self, *meshes, dtype=np.float64, **options):
        made = cullet.MeshSet(dtype, **options)
        for vertices, triangles in meshes:
            made.add(np.asarray(vertices, dtype), triangles)
        return made

    def test_pairs_of_boxes_and_kdops_are_those_of_trying_all(self):
        for dtype in (np.float32, np.float64):
            a, b = soup(1), soup(2)
            meshes = self.set_of(a, b, dtype=dtype)
            for step in range(3):
                for test, axes in (("boxes", AXES[:3]), ("kdops", AXES)):
                    found = meshes.pairs(test)
                    self.assertEqual((found.dtype, found.shape[1]), (np.uint32, 4))
                    np.testing.assert_array_equal(found[:, [0, 2]], np.tile([0, 1], (len(found), 1)))
                    np.testing.assert_array_equal(found[:, [1, 3]], true_pairs(a, b, axes))
                b = soup(10 + step)[0], b[1]
                meshes.move(1, b[0].astype(dtype))

    def test_vertices_and_edges_are_those_of_trying_all(self):
        for dtype in (np.float32, np.float64):
            a, b = soup(1), soup(2)
            meshes = self.set_of(a, b, dtype=dtype)
            for test, axes in (("boxes", AXES[:3]), ("kdops", AXES)):
                expected = []
                for mesh, (points, faces) in enumerate(((a, b), (b, a))):
                    used = np.unique(points[1])
                    for vertex, triangle in true_pairs((points[0], used[:, np.newaxis]), faces, axes):
                        expected.append([mesh, used[vertex], 1 - mesh, triangle])
                np.testing.assert_array_equal(meshes.vertex_faces(test), expected)
                edges_a, edges_b = edges_of(a[1]), edges_of(b[1])
                expected = [[0, *edges_a[i], 1, *edges_b[j]]
                            for i, j in true_pairs((a[0], edges_a), (b[0], edges_b), axes)]
                np.testing.assert_array_equal(meshes.edge_pairs(test), expected)
            np.testing.assert_array_equal(meshes.edge_pairs(), expected)
            self.assertTrue(0 < len(meshes.vertex_faces("triangles")) < len(meshes.vertex_faces()))
            self.assertTrue(0 < len(meshes.edge_pairs("triangles")) < len(meshes.edge_pairs()))

    def test_each_test_finds_a_part_of_what_the_one_before_does(self):
        meshes = self.set_of(soup(1), soup(2), soup(3))
        boxes, kdops, triangles = (set(map(tuple, meshes.pairs(test).tolist())) for test in TESTS)
        self.assertTrue(triangles < kdops < boxes)
        self.assertTrue(triangles)
        np.testing.assert_array_equal(meshes.pairs(), meshes.pairs("triangles"))
        self.assertEqual(meshes.pairs().tolist(), [list(pair) for pair in sorted(triangles)])

    def test_triangles_meet_where_they_do(self):
        upright = [[1, 1, -1], [1, 1, 1], [1, 3, 1]]
        for by, meets in (([0, 0, 0], True), ([0, 0, 1], True), ([0, 0, 1.5], False), ([2, 0, 0], True),
                          ([2.25, 0, 0], False), ([-1, -1, 0], True), ([-1.25, 0, 0], False)):
            meshes = self.set_of((SIDE, [[0, 1, 2]]), (moved(by, upright), [[0, 1, 2]]))
            self.assertEqual(len(meshes.pairs()), int(meets), by)

    def test_a_mesh_with_itself(self):
        vertices = np.vstack([SIDE, moved([1, 1, 0]), [[9, 9, 9]]])
        triangles = [[0, 1, 2], [3, 4, 5], [2, 3, 6]]
        meshes = cullet.MeshSet()
        mesh = meshes.add(vertices, triangles, self_collision=True)
        np.testing.assert_array_equal(meshes.pairs(), [[mesh, 0, mesh, 1]])
        self.assertGreater(meshes.stats().shared, 0)
        meshes.add(vertices + 100, triangles)
        self.assertEqual(len(meshes.pairs("boxes")), 1)  # not asked for
        shared = cullet.MeshSet()
        shared.add(vertices, triangles, self_collision=True, keep_shared=True)
        np.testing.assert_array_equal(shared.pairs(), [[0, 0, 0, 1], [0, 0, 0, 2], [0, 1, 0, 2]])

    def test_groups_and_masks(self):
        meshes = cullet.MeshSet()
        for group, mask in ((1, -1), (0x80000000, 0xFFFFFFFF), (2, 2)):
            meshes.add(SIDE, [[0, 1, 2]], group=group, mask=mask)
        np.testing.assert_array_equal(meshes.pairs(), [[0, 0, 1, 0]])
        meshes.set_filter(1, 2)
        np.testing.assert_array_equal(meshes.pairs(), [[0, 0, 1, 0], [1, 0, 2, 0]])

    def test_place(self):
        matrix = [[0, -1, 0, 5], [1, 0, 0, -2], [0, 0, 2, 1]]
        for dtype in (np.float32, np.float64):
            a, b = soup(1), soup(2)
            placed, other = self.set_of(a, b, dtype=dtype), self.set_of(a, b, dtype=dtype)
            for _ in range(2):  # from where they were given, not from where they are
                placed.place(1, matrix)
                placed.place(1, np.array(matrix, dtype))
                other.move(1, (b[0] @ np.array(matrix)[:, :3].T + np.array(matrix)[:, 3]).astype(dtype))
                for test in TESTS:
                    np.testing.assert_array_equal(placed.pairs(test), other.pairs(test))
        self.assertGreater(len(other.pairs()), 0)

    def test_swept_and_thick(self):
        far, one = moved([100, 0, 0]), [[0, 1, 2]]
        for swept in (False, True):
            meshes = cullet.MeshSet()
            meshes.add(SIDE, one)
            mesh = meshes.add(moved([-100, 0, 0]), one, swept=swept)
            meshes.move(mesh, far)
            self.assertEqual([len(meshes.pairs(test)) for test in TESTS], [int(swept), int(swept), 0])
        for thickness in (0.0, 0.25, 0.7):
            meshes = cullet.MeshSet()
            meshes.add(SIDE, one)
            meshes.add(moved([0, 0, thickness]), one, thickness=thickness)  # 0.7 is a little more than its float32
            self.assertEqual(len(meshes.pairs("boxes")), 1)
            meshes.move(1, moved([0, 0, 0.75]))
            self.assertEqual(len(meshes.pairs("boxes")), 0)

    def test_a_nan_hides_a_triangle_until_good_vertices_come(self):
        meshes = self.set_of((SIDE, [[0, 1, 2]]), (SIDE, [[0, 1, 2]]))
        bad = moved(0)
        bad[1, 1] = np.nan
        meshes.move(1, bad)
        np.testing.assert_array_equal(meshes.pairs("boxes"), NO_PAIRS)
        self.assertEqual(meshes.stats().hidden, 1)
        meshes.move(1, SIDE)
        self.assertEqual(len(meshes.pairs()), 1)

    def test_meshes_come_and_go(self):
        meshes = cullet.MeshSet()
        self.assertEqual((meshes.pairs().shape, meshes.edge_pairs().shape), ((0, 4), (0, 6)))
        self.assertEqual([meshes.add(SIDE, [[0, 1, 2]]) for _ in range(3)], [0, 1, 2])
        self.assertEqual(meshes.add([], []), 3)
        meshes.remove(1)
        np.testing.assert_array_equal(meshes.pairs(), [[0, 0, 2, 0]])
        stats = meshes.stats()
        self.assertEqual((stats.meshes, stats.triangles, stats.pairs), (3, 2, 1))
        self.assertGreater(stats.total_ms, 0)
        self.assertGreater(stats.host_bytes, 0)
        self.assertEqual(meshes.add(SIDE, [[2, 1, 0]]), 1)

    def test_any_number_of_threads_gives_the_same_bytes(self):
        first, *others = (self.set_of(soup(1, 900, 60), soup(2, 900, 60), threads=threads) for threads in (1, 2, 5))
        for test in TESTS:
            expected = first.pairs(test)
            for other in others:
                self.assertEqual(other.pairs(test).tobytes(), expected.tobytes())


class Input(unittest.TestCase):
    def setUp(self):
        self.meshes = cullet.MeshSet(np.float32)
        for _ in range(2):
            self.meshes.add(np.array(SIDE, np.float32), [[0, 1, 2]])

    def tearDown(self):
        """Nothing that is refused leaves a trace."""
        np.testing.assert_array_equal(self.meshes.pairs(), [[0, 0, 1, 0]])
        self.assertEqual(self.meshes.stats().meshes, 2)

    def refused(self, error, words, *calls):
        for call in calls:
            with self.assertRaisesRegex(error, words):
                call()

    def test_vertices(self):
        add, move = (lambda v: self.meshes.add(v, [[0, 1, 2]])), (lambda v: self.meshes.move(1, v))
        for call in add, move:
            self.refused(ValueError, r"vertices must have the shape \(n, 3\)", lambda: call([[0, 0]] * 3),
                         lambda: call([0, 0, 0]), lambda: call(0))
            self.refused(TypeError, "vertices must be numbers", lambda: call([["a", "b", "c"]]), lambda: call(None))
            self.refused(TypeError, "float64 and the set of meshes keeps float32", lambda: call(np.zeros((3, 3))))
            self.refused(ValueError, "integers that float32 does not hold", lambda: call(np.full((3, 3), 2**24 + 1)))
        self.refused(ValueError, "as many vertices", lambda: move([[0, 0, 0]] * 2), lambda: move([[0, 0, 0]] * 4))

    def test_triangles(self):
        def add(triangles):
            return lambda: self.meshes.add(SIDE, triangles)

        self.refused(IndexError, "and there are 3", add([[0, 1, 3]]), add([[-1, 0, 1]]), add([[0, 1, 2**32]]))
        self.refused(ValueError, r"triangles must have the shape \(n, 3\)", add([0, 1, 2]), add([[0, 1]]))
        self.refused(TypeError, "triangles must be integers", add([[0.0, 1, 2]]), add(np.zeros((1, 3), bool)))
        self.assertEqual(self.meshes.add(SIDE, np.array([[0, 2, 1]], np.uint8), group=0), 2)
        self.meshes.remove(2)

    def test_meshes_that_are_none(self):
        for wrong in (2, -1, 2**32 - 1, 2**32, 2**64):
            self.refused(IndexError, f"there is no mesh {wrong}", lambda: self.meshes.move(wrong, SIDE),
                         lambda: self.meshes.place(wrong, np.eye(3, 4, dtype=np.float32)),
                         lambda: self.meshes.set_filter(wrong), lambda: self.meshes.remove(wrong))
        self.refused(TypeError, "integer", lambda: self.meshes.remove(0.0))

    def test_numbers_out_of_range(self):
        for wrong in (-1, np.nan, np.inf, 1e300):
            self.refused(ValueError, "thickness must be", lambda: self.meshes.add(SIDE, [[0, 1, 2]], thickness=wrong))
        self.refused(ValueError, "32 bits", lambda: self.meshes.set_filter(0, 2**32),
                     lambda: self.meshes.set_filter(0, 1, 2**33))
        self.refused(ValueError, "threads must be", lambda: cullet.MeshSet(threads=-1),
                     lambda: cullet.MeshSet(threads=257))
        self.refused(TypeError, "dtype must be", lambda: cullet.MeshSet(int))
        self.refused(ValueError, "test must be one of boxes, kdops, triangles", lambda: self.meshes.pairs("all"),
                     lambda: self.meshes.pairs(2))
        single = np.float32
        self.refused(ValueError, "matrix", lambda: self.meshes.place(0, np.eye(4, dtype=single)),
                     lambda: self.meshes.place(0, np.eye(3, dtype=single)), lambda: self.meshes.place(0, []))
        self.refused(TypeError, "matrix: float64", lambda: self.meshes.place(0, np.eye(3, 4)))


class Life(unittest.TestCase):
    def test_results_outlive_the_set_and_given_arrays_may_change(self):
        vertices, triangles = soup(1)
        with cullet.MeshSet() as meshes:
            meshes.add(vertices, triangles)
            meshes.add(vertices, triangles)
            found = meshes.pairs()
            kept = found.copy()
            vertices[:] = 100
            triangles[:] = 0
            np.testing.assert_array_equal(meshes.pairs(), kept)
        del meshes
        gc.collect()
        np.testing.assert_array_equal(found, kept)
        found[:] = 7  # it may be written to

    def test_use_after_close(self):
        meshes = cullet.MeshSet()
        meshes.close()
        for call in (meshes.pairs, meshes.vertex_faces, meshes.edge_pairs, meshes.stats,
                     lambda: meshes.add(SIDE, [[0, 1, 2]]), lambda: meshes.move(0, SIDE),
                     lambda: meshes.place(0, np.eye(3, 4)), lambda: meshes.set_filter(0), lambda: meshes.remove(0)):
            with self.assertRaisesRegex(ValueError, "The set of meshes is closed"):
                call()
        meshes.close()

    def test_threads_take_turns(self):
        """Each moves a mesh of its own between two places; whatever the others do, its pair is there or not."""
        meshes = cullet.MeshSet()
        for i in range(4):
            meshes.add(moved([10 * i, 0, 0]), [[0, 1, 2]])
            meshes.add(moved([10 * i, 0, 0]), [[0, 1, 2]])
        errors = []

        def life(i):
            for step in range(200):
                away = step % 2
                meshes.move(2 * i, moved([10 * i, 0, 50 * away]))
                if ([2 * i, 0, 2 * i + 1, 0] in meshes.pairs().tolist()) == bool(away):
                    errors.append((i, step))

        threads = [threading.Thread(target=life, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])

    def test_closing_while_others_use_it(self):
        for _ in range(20):
            meshes = cullet.MeshSet()
            vertices, triangles = soup(1, 500, 60)
            meshes.add(vertices, triangles)
            meshes.add(vertices, triangles)
            closed = []

            def use():
                try:
                    while True:
                        meshes.pairs()
                        meshes.move(0, vertices)
                except ValueError as error:
                    closed.append(str(error))

            threads = [threading.Thread(target=use) for _ in range(2)]
            for thread in threads:
                thread.start()
            time.sleep(0.005)
            meshes.close()
            for thread in threads:
                thread.join()
            self.assertEqual(closed, ["The set of meshes is closed."] * 2)


if __name__ == "__main__":
    unittest.main()
