# SPDX-License-Identifier: Zlib
"""Meshes with NumPy's arrays."""

from __future__ import annotations

import ctypes
import operator
from ctypes import byref
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from . import arrays
from .library import LIBRARY, Array, MeshOptions, RawMeshStats, check, choice, keep, take, thread_count

TESTS = {"boxes": 0, "kdops": 1, "triangles": 2}  # cltMeshTest

UNKNOWN = 11  # clt_unknownProxy; its message is about boxes


class MeshStats(NamedTuple):
    """What the last search of a `MeshSet` did. Times are milliseconds, of stages and of the whole."""

    meshes: int  #: that were there
    triangles: int  #: of all of them
    hidden: int  #: of these, with a NaN in a corner
    fits: int  #: meshes that moved, so that their trees were fitted again
    sorts: int  #: of these, meshes with triangles that were sorted again
    redone: int  #: searches that were done again with more room
    mesh_pairs: int  #: meshes near each other, and those that are searched for pairs of their own
    candidates: int  #: pairs of triangles with boxes that overlapped in the tree
    shared: int  #: of these, or of their vertices and edges, not looked at because they share a vertex
    pairs: int
    fit_ms: float
    mesh_ms: float
    find_ms: float
    order_ms: float
    total_ms: float
    host_bytes: int
    device: str  #: that looks for triangles
    device_failures: int
    device_bytes: int


class MeshSet:
    """Triangle meshes that move and deform, and the pairs of their triangles that come near each other or meet.

    Triangles are closed: those that only touch meet, and whether they do is decided exactly for all finite vertices. A
    triangle with a NaN in a corner has no pairs until good vertices take the place of the bad ones. The id of a removed
    mesh may be used again after the next search.

        meshes = cullet.MeshSet(dtype=np.float32)
        body = meshes.add(body_vertices, body_triangles)
        shirt = meshes.add(shirt_vertices, shirt_triangles, self_collision=True)
        meshes.move(shirt, shirt_vertices)
        meshes.pairs()  # (n, 4): mesh, triangle, mesh, triangle

    Returned arrays belong to the caller, and given arrays are copied. A call that raises has changed nothing. Threads may use one set at the same time: its calls take turns, and other Python threads run meanwhile. An
    array must not be written to while a call reads it. In the child of a fork a set that another thread was using
    raises; others go on.
    """

    def __init__(self, dtype: npt.DTypeLike = np.float64, *, threads: int = 0) -> None:
        """
        :param dtype: float32 or float64, what vertices are kept in and decided with
        :param threads: that take part in a search; 0: as many as the process has processors. The pairs and their order
            are the same bytes on any number
        """
        self._dtype = arrays.box_type(None, dtype)
        meshes = ctypes.c_void_p()
        check(LIBRARY.cltMeshes_Create(int(self._dtype == np.float64), thread_count(threads), byref(meshes)))
        self._meshes: int = meshes.value  # type: ignore[assignment]
        keep(self, self._meshes, LIBRARY.cltMeshes_Destroy, LIBRARY.cltMeshes_AfterFork)

    @property
    def dtype(self) -> np.dtype[Any]:
        """What vertices are kept in and decided with."""
        return self._dtype

    def add(self, vertices: npt.ArrayLike, triangles: npt.ArrayLike, *, group: int = 1, mask: int = -1,
            self_collision: bool = False, keep_shared: bool = False, swept: bool = False,
            thickness: float = 0.0) -> int:
        """Adds a mesh.

        :param vertices: (n, 3)
        :param triangles: (m, 3), three vertices each
        :param group, mask: 32 bits. Two meshes may pair if the group of each has a bit of the other's mask
        :param self_collision: whether its own triangles pair with each other too
        :param keep_shared: also those that share a vertex, which always touch there
        :param swept: boxes and 18-DOPs are around a triangle now and before the mesh was last moved
        :param thickness: by which boxes and 18-DOPs are wider on each side; what float32 does not hold is rounded up
        :return: the mesh's id
        """
        points = arrays.as_vertices(vertices, self._dtype)
        corners = arrays.as_triangles(triangles, len(points))
        group_bits, mask_bits = _filter(group, mask)
        options = MeshOptions(points.ctypes.data, len(points), corners.ctypes.data, len(corners), group_bits, mask_bits,
                              bool(self_collision), bool(keep_shared), bool(swept), _thickness(thickness))
        mesh = ctypes.c_uint32()
        check(LIBRARY.cltMeshes_Add(self._meshes, byref(options), byref(mesh)))
        return mesh.value

    def move(self, mesh: int, vertices: npt.ArrayLike) -> None:
        """Sets all vertices of a mesh, (n, 3), as many as it was added with."""
        points = arrays.as_vertices(vertices, self._dtype)
        self._check(mesh, LIBRARY.cltMeshes_Move(self._meshes, _id(mesh), len(points), points.ctypes.data))

    def place(self, mesh: int, matrix: npt.ArrayLike) -> None:
        """Moves a mesh as a whole, from where its vertices were given last, by `add` or `move`.

        :param matrix: (3, 4): each vertex becomes matrix[:, :3] @ vertex + matrix[:, 3], in the set's precision
        """
        rows = arrays.as_matrix(matrix, self._dtype)
        self._check(mesh, LIBRARY.cltMeshes_Place(self._meshes, _id(mesh), rows.ctypes.data))

    def set_filter(self, mesh: int, group: int = 1, mask: int = -1) -> None:
        """Gives a mesh a new group and mask, as for `add`."""
        bits = (ctypes.c_int * 2)(*_filter(group, mask))
        self._check(mesh, LIBRARY.cltMeshes_Filter(self._meshes, _id(mesh), bits))

    def remove(self, mesh: int) -> None:
        """Removes a mesh."""
        self._check(mesh, LIBRARY.cltMeshes_Remove(self._meshes, _id(mesh)))

    def pairs(self, test: str = "triangles") -> npt.NDArray[np.uint32]:
        """All pairs of triangles, of meshes that may pair and of meshes with themselves where they asked for it.

        :param test: "boxes": the boxes around the triangles overlap; "kdops": and no plane across a diagonal of two
            axes separates them; "triangles": and they meet as they are now, whatever is swept and thick
        :return: (n, 4), mesh, triangle, mesh and triangle, the smaller mesh and triangle first, ascending
        """
        return self._find(LIBRARY.cltMeshes_FindPairs, test, 4)

    def vertex_faces(self, test: str = "kdops") -> npt.NDArray[np.uint32]:
        """All pairs of a vertex and a triangle, of the same meshes as `pairs`, each once: what methods start from that
        look for when the two meet, or keep them apart. Vertices are thick and swept as their mesh's triangles are.

        :param test: as of `pairs`
        :return: (n, 4), the vertex's mesh and number, the triangle's mesh and number, ascending
        """
        return self._find(LIBRARY.cltMeshes_FindVertexFaces, test, 4)

    def edge_pairs(self, test: str = "kdops") -> npt.NDArray[np.uint32]:
        """All pairs of edges of triangles, each once whatever number of triangles has them; else as `vertex_faces`.

        :return: (n, 6), twice a mesh and the two vertices that the edge joins, the lower one first; ascending
        """
        return self._find(LIBRARY.cltMeshes_FindEdgePairs, test, 6)

    def _find(self, function: Any, test: str, columns: int) -> npt.NDArray[np.uint32]:
        pairs = Array()
        check(function(self._meshes, choice("test", test, TESTS), byref(pairs)))
        return take(pairs, np.uint32, (columns,))

    def stats(self) -> MeshStats:
        """What the last search did."""
        raw = RawMeshStats()
        check(LIBRARY.cltMeshes_GetStats(self._meshes, byref(raw)))
        values = {name: getattr(raw, name) for name, *_ in RawMeshStats._fields_}
        values["device"] = LIBRARY.cltDeviceName(raw.device).decode()
        return MeshStats(*values.values())

    def close(self) -> None:
        """Releases memory and threads, after other calls have returned. Later calls other than this one raise
        ValueError."""
        LIBRARY.cltMeshes_Close(self._meshes)

    def _check(self, mesh: int, status: int) -> None:
        if status == UNKNOWN:
            raise IndexError(f"there is no mesh {mesh}")
        check(status)

    def __enter__(self) -> MeshSet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a MeshSet cannot be copied or pickled")


def _id(mesh: int) -> int:
    number = operator.index(mesh)
    if not 0 <= number <= 0xFFFFFFFF:
        raise IndexError(f"there is no mesh {mesh}")
    return number


def _filter(group: int, mask: int) -> Any:
    filters = arrays.as_filters(group, mask, 1)
    assert filters is not None
    return filters[0].tolist()


def _thickness(thickness: float) -> float:
    """In float32, rounded up."""
    single = ctypes.c_float(thickness).value
    if single < thickness:
        single = float(np.nextafter(np.float32(single), np.float32(np.inf)))
    if not 0 <= single < np.inf:
        raise ValueError(f"thickness must be finite and not negative, not {thickness}")
    return single
