# SPDX-License-Identifier: Zlib
"""Meshes: what a set finds, which meshes may pair, what is refused."""

import unittest

import numpy as np

import cullet

TESTS = ("boxes", "kdops", "triangles")
SIDE = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]  # a triangle in the plane z = 0


def moved(by, vertices=SIDE):
    return (np.array(vertices) + by).astype(float)


class Meshes(unittest.TestCase):
    def test_what_each_search_finds(self):
        for dtype in (np.float32, np.float64):
            meshes = cullet.MeshSet(dtype)
            meshes.add(np.array(SIDE, dtype), [[0, 1, 2]])
            spike = np.array([[1, 1, 0], [1, 2, 0], [2, 2, 3]], dtype)  # an edge in the plane of the other triangle
            meshes.add(spike, np.array([[0, 1, 2]], np.uint8))
            faces, edges = [[1, 0, 0, 0], [1, 1, 0, 0]], [[0, 1, 2, 1, 0, 1], [0, 1, 2, 1, 0, 2], [0, 1, 2, 1, 1, 2]]
            for test, expected in zip(TESTS, (edges, edges[1:], [])):
                self.assertEqual(meshes.vertex_faces(test).tolist(), faces)
                self.assertEqual(meshes.edge_pairs(test).tolist(), expected)
            self.assertEqual(len(meshes.edge_pairs()), 2)  # the default test is kdops
            self.assertEqual(meshes.edge_pairs().dtype, np.uint32)
            for by, counts in (((0, 0, -1), (1, 1, 1)), ((2, 0, -1), (1, 1, 0)), ((2, 1, -1), (1, 0, 0)),
                               ((0, 0, 1), (0, 0, 0))):
                matrix = np.eye(3, 4, dtype=dtype)
                matrix[:, 3] = by
                meshes.move(1, spike)
                meshes.place(1, matrix)
                meshes.place(1, matrix.tolist())  # transforms the given vertices, not the placed ones
                placed = [meshes.pairs(test) for test in TESTS]
                meshes.move(1, spike + matrix[:, 3])
                for found in placed, [meshes.pairs(test) for test in TESTS]:
                    self.assertEqual([rows.tolist() for rows in found], [count * [[0, 0, 1, 0]] for count in counts])
                self.assertEqual(len(meshes.pairs()), counts[2])

    def test_a_mesh_with_itself(self):
        vertices = np.vstack([SIDE, moved([1, 1, 0]), [[9, 9, 9]]])
        triangles = [[0, 1, 2], [3, 4, 5], [2, 3, 6]]
        meshes = cullet.MeshSet()
        mesh = meshes.add(vertices, triangles, self_collision=True)
        np.testing.assert_array_equal(meshes.pairs(), [[mesh, 0, mesh, 1]])
        self.assertGreater(meshes.stats().shared, 0)
        meshes.add(vertices + 100, triangles)
        self.assertEqual(len(meshes.pairs("boxes")), 1)  # without self-collision
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

    def test_meshes_come_and_go(self):
        meshes = cullet.MeshSet()
        self.assertEqual((meshes.pairs().shape, meshes.edge_pairs().shape), ((0, 4), (0, 6)))
        self.assertEqual([meshes.add(SIDE, [[0, 1, 2]]) for _ in range(3)], [0, 1, 2])
        self.assertEqual(meshes.add([], []), 3)
        meshes.remove(1)
        np.testing.assert_array_equal(meshes.pairs(), [[0, 0, 2, 0]])
        meshes.add([[np.nan, 0, 0]] * 3, [[0, 1, 2]])
        np.testing.assert_array_equal(meshes.pairs(), [[0, 0, 2, 0]])
        stats = meshes.stats()
        self.assertEqual((stats.meshes, stats.triangles, stats.hidden, stats.pairs, stats.device), (4, 3, 1, 1, "cpu"))
        self.assertGreater(stats.total_ms, 0)
        self.assertGreater(stats.host_bytes, 0)
        self.assertEqual(meshes.add(SIDE, [[2, 1, 0]]), 4)

class Input(unittest.TestCase):
    def setUp(self):
        self.meshes = cullet.MeshSet(np.float32)
        for _ in range(2):
            self.meshes.add(np.array(SIDE, np.float32), [[0, 1, 2]])

    def tearDown(self):
        """A refused call changes nothing."""
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


if __name__ == "__main__":
    unittest.main()
