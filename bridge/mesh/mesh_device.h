// SPDX-License-Identifier: Zlib
/// \file mesh_device.h
/// The device that searches a set of meshes, until the device fails.
#ifndef CLT_BRIDGE_MESH_DEVICE_H
#define CLT_BRIDGE_MESH_DEVICE_H

#include "gpu/mesh/meshes.h"

/// Zero-initialized it is empty and valid: all searches run on the CPU.
typedef struct cltMeshHome
{
    cltMeshDevice* device;
    cltLogFcn* log;
    void* userContext;
    uint32_t failureCount;
} cltMeshHome;

/// Creates a device only if the def requests clt_deviceCuda.
/// \return clt_noDevice if there is no usable device
cltStatus cltMeshHome_Create( cltMeshHome* home, const cltBroadphaseDef* def, cltMemory* memory );

void cltMeshHome_Release( cltMeshHome* home );

/// Finds pairs on the device or the CPU. A device that fails is released, with one line for the log. The CPU then finds
/// the same pairs, in this search and all later ones.
cltStatus cltMeshHome_FindPairs( cltMeshHome* home, cltMeshFinder* finder, const cltMeshSearch* search,
                                 const void** pairs, size_t* count, cltMeshStats* stats );

#endif
