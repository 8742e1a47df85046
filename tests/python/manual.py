# SPDX-License-Identifier: Zlib
"""The snippets of the manual's page on Python. test_manual.py runs this file."""

#! [boxes]
import cullet
import numpy as np

random = np.random.default_rng(1)
lower = random.uniform(0, 100, (100_000, 3)).astype(np.float32)
broadphase = cullet.Broadphase(np.hstack([lower, lower + 1]))   # (n, 6): the lower corner, then the upper one
began, ended = broadphase.update()                              # (m, 2) ids, which count from 0

lower += random.normal(0, 0.1, lower.shape).astype(np.float32)
broadphase.move(None, np.hstack([lower, lower + 1]))            # all of them, in order; or move(ids, boxes)
began, ended = broadphase.update()                              # the changes of this step
pairs = broadphase.pairs()                                      # all pairs
#! [boxes]
assert len(began) > 0 and len(ended) > 0 and len(pairs) > len(began)

#! [queries]
found = broadphase.query([0, 0, 0, 10, 10, 10])                 # ids of boxes that overlap it; queries() for many
hit, fraction = broadphase.ray([0, 0, 0], [100, 100, 100])      # boxes that it meets; rays(): first hits of many
#! [queries]
assert len(found) > 0 and len(hit) == len(fraction) > 0

#! [filters]
floors, balls = 1, 2
ids = broadphase.add([[0, 0, 0, 9, 1, 9], [1, 0, 1, 2, 2, 2]], groups=[floors, balls], masks=[balls, floors | balls])
broadphase.set_filter(ids[1:], balls, 0)                        # meets nothing from the next update on
broadphase.remove(ids)
#! [filters]

#! [meshes]
corners = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]
meshes = cullet.MeshSet(dtype=np.float32)
still = meshes.add(corners, faces)                              # (n, 3) and (m, 3)
moving = meshes.add(corners + 2, faces, self_collision=True, thickness=0.001)
meshes.move(moving, corners + np.float32(0.2))                  # or place(moving, matrix)
crossing = meshes.pairs()                                       # (n, 4): mesh, triangle, mesh, triangle; they meet
near = meshes.pairs("kdops")                                    # their 18-DOPs, wider by the thicknesses, overlap
vertices, edges = meshes.vertex_faces(), meshes.edge_pairs()    # the same for vertices and triangles, and for edges
#! [meshes]
assert len(near) >= len(crossing) > 0 and len(vertices) > 0 and len(edges) == 0

boxes = np.hstack([lower, lower + 1])
#! [arrays]
arrays = cullet.Arrays(device="cpu")                            # "cuda": boxes and pairs in the memory of a device
began, ended = arrays.update(boxes)                             # float32 (n, 6), all of them; n may change
pairs = arrays.pairs()
#! [arrays]
assert len(pairs) == len(began) > 0
