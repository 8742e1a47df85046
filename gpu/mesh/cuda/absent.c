// SPDX-License-Identifier: Zlib
// Takes the place of the device's search for triangles in builds without a CUDA compiler.

#include "gpu/mesh/meshes.h"

cltStatus cltCreateCudaMeshDevice( const cltBroadphaseDef* def, cltMemory* memory, cltMeshDevice** device )
{
    (void)def;
    (void)memory;
    *device = NULL;
    return clt_noDevice;
}
