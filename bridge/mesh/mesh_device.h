// SPDX-License-Identifier: Zlib
/// \file mesh_device.h
/// A set's device, until it fails.
#ifndef CLT_BRIDGE_MESH_DEVICE_H
#define CLT_BRIDGE_MESH_DEVICE_H

#include "gpu/mesh/meshes.h"

/// Zero-initialised it is empty and valid: all is looked for on the CPU.
typedef struct cltMeshHome
{
    cltMeshDevice* device;
    cltLogFcn* log;
    void* userContext;
    uint32_t failureCount;
} cltMeshHome;

/// Without a device unless the def asks for one by name.
/// \return clt_noDevice if none answers
cltStatus cltMeshHome_Create( cltMeshHome* home, const cltBroadphaseDef* def, cltMemory* memory );

void cltMeshHome_Release( cltMeshHome* home );

/// Finds pairs where the set lives. A device that fails is given up, with a line for the log, and the CPU finds the
/// same pairs from what it has, in this search and in all later ones.
cltStatus cltMeshHome_FindPairs( cltMeshHome* home, cltMeshFinder* finder, const cltMeshSearch* search,
                                 const void** pairs, size_t* count, cltMeshStats* stats );

#endif
