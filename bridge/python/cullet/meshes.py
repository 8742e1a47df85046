# SPDX-License-Identifier: Zlib
"""Meshes with NumPy's arrays."""

from __future__ import annotations

import contextlib
import ctypes
import operator
from ctypes import byref, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Iterator, NamedTuple

import numpy as np
import numpy.typing as npt

from . import arrays
from .library import LIBRARY, Handle, RawMeshStats, choice, copied, definition_of

TESTS = {"boxes": 0, "kdops": 1, "triangles": 2}  # cltMeshTest


class MeshStats(NamedTuple):
    """What the last search of a `MeshSet` did. Times are milliseconds, of stages and of the whole."""

    meshes: int  #: in the set
    triangles: int  #: of all meshes
    hidden: int  #: of these triangles, those with a NaN in a corner
    fits: int  #: meshes that moved, so that their trees were fitted again
    sorts: int  #: of these, meshes with triangles that were sorted again
    redone: int  #: searches that were repeated with larger buffers
    mesh_pairs: int  #: pairs of meshes near each other, plus the number of meshes with self_collision
    candidates: int  #: pairs of triangles with boxes that overlapped in the tree
    shared: int  #: of these, or of their vertices and edges, pairs that were skipped because they share a vertex
    pairs: int
    fit_ms: float
    mesh_ms: float
    find_ms: float
    order_ms: float
    total_ms: float
    host_bytes: int
    device: str  #: the device that searches for triangles
    device_failures: int
    device_bytes: int


class MeshSet(Handle):
    """Triangle meshes that move and deform, and the pairs of their triangles that come near each other or intersect.

    Triangles are closed: those that only touch intersect. This is decided exactly for all finite vertices. A triangle
    with a NaN in a corner has no pairs until the mesh is given vertices without one. The id of a removed
    mesh may be used again after the next search.

        meshes = cullet.MeshSet(dtype=np.float32)
        body = meshes.add(body_vertices, body_triangles)
        shirt = meshes.add(shirt_vertices, shirt_triangles, self_collision=True)
        meshes.move(shirt, shirt_vertices)
        meshes.pairs()  # (n, 4): mesh, triangle, mesh, triangle

    Returned arrays belong to the caller, and given arrays are copied. A call that raises has changed nothing. Threads
    may use one set at the same time: its calls take turns, and other Python threads run meanwhile. An array must not be
    written to while a call reads it. In a forked child, a set that another thread was using raises; others work.
    """

    def __init__(self, dtype: npt.DTypeLike = np.float64, *, threads: int = 0) -> None:
        """
        :param dtype: float32 or float64, the precision in which vertices are kept and pairs are decided
        :param threads: number that take part in a search; 0: as many as the process has processors. The pairs and
            their order are the same bytes on any number
        """
        self._dtype = arrays.box_type(None, dtype)
        definition = definition_of(self._dtype, threads)
        super().__init__(LIBRARY.cltCreateMeshSet, definition, LIBRARY.cltDestroyMeshSet, "set of meshes")
        is_double = self._dtype == np.float64
        self._move = LIBRARY.cltMeshSet_MoveVerticesD if is_double else LIBRARY.cltMeshSet_MoveVertices
        self._place = LIBRARY.cltMeshSet_PlaceD if is_double else LIBRARY.cltMeshSet_Place

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type in which vertices are kept and pairs are decided."""
        return self._dtype

    def add(self, vertices: npt.ArrayLike, triangles: npt.ArrayLike, *, group: int = 1, mask: int = -1,
            self_collision: bool = False, keep_shared: bool = False, swept: bool = False,
            thickness: float = 0.0) -> int:
        """Adds a mesh.

        :param vertices: (n, 3)
        :param triangles: (m, 3), three vertices each
        :param group, mask: 32 bits. Two meshes may pair if the group of each has a bit of the other's mask
        :param self_collision: whether its own triangles pair with each other too
        :param keep_shared: with self_collision, also pairs that share a vertex, which always touch
        :param swept: boxes and 18-DOPs enclose a triangle's current position and that before the mesh last moved
        :param thickness: widens boxes and 18-DOPs on each side; rounded up to a float32
        :return: the mesh's id
        """
        points = arrays.as_vertices(vertices, self._dtype)
        corners = arrays.as_triangles(triangles, len(points))
        if max(len(points), len(corners)) > 0xFFFFFFFF:
            raise ValueError("vertices and triangles: more than 32 bits can count")
        definition = LIBRARY.cltDefaultMeshDef()
        setattr(definition, "verticesD" if self._dtype == np.float64 else "vertices", points.ctypes.data)
        definition.vertexCount = definition.userData = len(points)
        definition.triangles = corners.ctypes.data
        definition.triangleCount = len(corners)
        definition.filter[:] = _filter(group, mask)
        definition.selfCollision = bool(self_collision)
        definition.keepShared = bool(keep_shared)
        definition.isSwept = bool(swept)
        definition.thickness = _thickness(thickness)
        mesh = c_uint32()
        with self._lock:
            LIBRARY.cltMeshSet_CreateMesh(self._open(), byref(definition), byref(mesh))
        return mesh.value

    def move(self, mesh: int, vertices: npt.ArrayLike) -> None:
        """Sets all vertices of a mesh, (n, 3), as many as it was added with."""
        points, count = arrays.as_vertices(vertices, self._dtype), c_uint64()
        with self._lock, _known(mesh) as known:
            LIBRARY.cltMeshSet_GetUserData(self._open(), known, byref(count))
            if len(points) != count.value:
                raise ValueError("A mesh needs as many vertices as it was added with.")
            self._move(self._open(), known, points)

    def place(self, mesh: int, matrix: npt.ArrayLike) -> None:
        """Moves a mesh as a whole. The matrix is applied to the vertices last given to `add` or `move`.

        :param matrix: (3, 4): each vertex becomes matrix[:, :3] @ vertex + matrix[:, 3], in the set's precision
        """
        rows = arrays.as_matrix(matrix, self._dtype)
        with self._lock, _known(mesh) as known:
            self._place(self._open(), known, rows)

    def set_filter(self, mesh: int, group: int = 1, mask: int = -1) -> None:
        """Gives a mesh a new group and mask, as for `add`."""
        bits = _filter(group, mask)
        with self._lock, _known(mesh) as known:
            LIBRARY.cltMeshSet_SetFilter(self._open(), known, bits)

    def remove(self, mesh: int) -> None:
        """Removes a mesh."""
        with self._lock, _known(mesh) as known:
            LIBRARY.cltMeshSet_DestroyMesh(self._open(), known)

    def pairs(self, test: str = "triangles") -> npt.NDArray[np.uint32]:
        """All pairs of triangles, between meshes that may pair and within meshes with self_collision.

        :param test: "boxes": the boxes around the triangles overlap; "kdops": and no plane across a diagonal of two
            axes separates them; "triangles": and they intersect now; `swept` and `thickness` do not apply
        :return: (n, 4), mesh, triangle, mesh and triangle, the smaller mesh and triangle first, ascending
        """
        return self._find(LIBRARY.cltMeshSet_FindPairs, test, 4)

    def vertex_faces(self, test: str = "kdops") -> npt.NDArray[np.uint32]:
        """All pairs of a vertex and a triangle, of the same meshes as `pairs`, each once: the input of methods that
        compute or prevent contacts. Vertices are thick and swept as their mesh's triangles are.

        :param test: as of `pairs`
        :return: (n, 4), the vertex's mesh and number, the triangle's mesh and number, ascending
        """
        return self._find(LIBRARY.cltMeshSet_FindVertexFaces, test, 4)

    def edge_pairs(self, test: str = "kdops") -> npt.NDArray[np.uint32]:
        """All pairs of edges of triangles, each once even if several triangles share an edge; else as `vertex_faces`.

        :return: (n, 6), for each of the two edges its mesh and two vertices, the lower one first; ascending
        """
        return self._find(LIBRARY.cltMeshSet_FindEdgePairs, test, 6)

    def _find(self, function: Any, test: str, columns: int) -> npt.NDArray[np.uint32]:
        pairs, count = c_void_p(), c_size_t()
        number = choice("test", test, TESTS)
        with self._lock:
            function(self._open(), number, byref(pairs), byref(count))
            return copied(pairs.value, count.value, columns)

    def stats(self) -> MeshStats:
        """What the last search did."""
        raw = RawMeshStats()
        with self._reading() as meshes:
            LIBRARY.cltMeshSet_GetStats(meshes, byref(raw))
        values = {name: getattr(raw, name) for name, _ in raw._fields_}
        return MeshStats(**{**values, "device": LIBRARY.cltDeviceName(raw.device).decode()})


@contextlib.contextmanager
def _known(mesh: int) -> Iterator[int]:
    """The checked id of a mesh. An IndexError inside the context becomes one that names the mesh."""
    try:
        number = operator.index(mesh)
        if not 0 <= number <= 0xFFFFFFFF:
            raise IndexError
        yield number
    except IndexError:
        raise IndexError(f"there is no mesh {mesh}") from None


def _filter(group: int, mask: int) -> Any:
    filters = arrays.as_filters(group, mask, 1)
    assert filters is not None
    return filters[0]


def _thickness(thickness: float) -> float:
    """The thickness rounded up to a float32."""
    single = ctypes.c_float(thickness).value
    if single < thickness:
        single = float(np.nextafter(np.float32(single), np.float32(np.inf)))
    if not 0 <= single < np.inf:
        raise ValueError(f"thickness must be finite and not negative, not {thickness}")
    return single
