# SPDX-License-Identifier: Zlib
"""Finds every pair of overlapping boxes among thousands of moving boxes, exactly, and which pairs began and ended.

    import cullet
    broadphase = cullet.Broadphase(boxes)        # (n, 6): the lower corner, then the upper one
    began, ended = broadphase.update()           # (m, 2) ids, which count from 0
    broadphase.move(None, boxes)                 # all of them, in order
    began, ended = broadphase.update()

Arrays finds pairs of boxes that are in the memory of a CUDA device. MeshSet finds pairs of triangles of meshes that move
and deform.

The headers of the C API, bridge/cullet.h and cullet_mesh.h, define exactness, order and terms.
"""

from .broadphase import Broadphase, Changes, Hits, Stats
from .device_arrays import ArrayChanges, Arrays, DevicePairs
from .library import Device, devices, version
from .meshes import MeshSet, MeshStats

__version__ = version()
__all__ = ["ArrayChanges", "Arrays", "Broadphase", "Changes", "Device", "DevicePairs", "Hits", "MeshSet", "MeshStats",
           "Stats", "devices", "version"]
