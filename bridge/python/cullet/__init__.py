# SPDX-License-Identifier: Zlib
"""Every pair of overlapping boxes among a thousand or a million that move, exactly, and what began and what ended.

    import cullet
    broadphase = cullet.Broadphase(boxes)        # (n, 6): the lower corner, then the upper one
    began, ended = broadphase.update()           # (m, 2) ids; an id is the place in `boxes`
    broadphase.move(None, boxes)                 # all of them, in order
    began, ended = broadphase.update()

And every pair of triangles of meshes that move and deform: see MeshSet.

The words are those of the C API, bridge/cullet.h and cullet_mesh.h, which are the reference for what is exact and in
what order.
"""

from .broadphase import Broadphase, Changes, Hits
from .library import Device, Stats, devices, version
from .meshes import MeshSet, MeshStats

__version__ = version()
__all__ = ["Broadphase", "Changes", "Device", "Hits", "MeshSet", "MeshStats", "Stats", "devices", "version"]
