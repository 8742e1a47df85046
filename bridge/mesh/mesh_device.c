// SPDX-License-Identifier: Zlib
// Selects where a set searches for triangles, and handles the failure of a device. The host has every mesh and its
// tree, so nothing must be copied back.

#include "bridge/mesh/mesh_device.h"

#include <stdio.h>

cltStatus cltMeshHome_Create( cltMeshHome* home, const cltBroadphaseDef* def, cltMemory* memory )
{
    home->log = def->hooks.log;
    home->userContext = def->hooks.userContext;
    return def->device == clt_deviceCuda ? cltCreateCudaMeshDevice( def, memory, &home->device ) : clt_ok;
}

void cltMeshHome_Release( cltMeshHome* home )
{
    if ( home->device != NULL )
    {
        home->device->destroy( home->device );
    }
    home->device = NULL;
}

static void TellOfFailure( const cltMeshHome* home, cltStatus failure )
{
    if ( home->log != NULL )
    {
        const char* said = home->device->failure;
        char line[320];
        snprintf( line, sizeof line, "%s: %s; from this search on the CPU finds the pairs of this set, the same ones",
                  cltDeviceName( clt_deviceCuda ), said[0] != '\0' ? said : cltStatusName( failure ) );
        home->log( failure, line, home->userContext );
    }
}

cltStatus cltMeshHome_FindPairs( cltMeshHome* home, cltMeshFinder* finder, const cltMeshSearch* search,
                                 const void** pairs, size_t* count, cltMeshStats* stats )
{
    const cltStatus status = cltMeshFinder_FindPairs( finder, home->device, search, pairs, count, stats );
    if ( status != clt_deviceMemory && status != clt_deviceFailed && status != clt_noDevice )
    {
        return status;
    }
    TellOfFailure( home, status );
    cltMeshHome_Release( home );
    ++home->failureCount;
    return cltMeshFinder_FindPairs( finder, NULL, search, pairs, count, stats );
}
