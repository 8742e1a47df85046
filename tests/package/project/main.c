// SPDX-License-Identifier: Zlib
// A program that knows cullet only as an installed package: four boxes in a row, of which neighbours overlap.
#include <cullet.h>

#include <stdio.h>

int main( void )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltBroadphase* broadphase;
    cltStatus status = cltCreateBroadphase( &def, &broadphase );
    if ( status != clt_ok )
    {
        fprintf( stderr, "%s\n", cltStatusMessage( status ) );
        return 1;
    }

    const cltAabb boxes[4] = { { { 0, 0, 0 }, { 2, 1, 1 } },
                               { { 1, 0, 0 }, { 3, 1, 1 } },
                               { { 3, 0, 0 }, { 5, 1, 1 } },
                               { { 6, 0, 0 }, { 7, 1, 1 } } };
    cltPairChanges changes = { 0 };
    status = cltBroadphase_CreateProxies( broadphase, 4, boxes, NULL, NULL, NULL );
    if ( status == clt_ok )
    {
        status = cltBroadphase_Update( broadphase, &changes );
    }
    for ( size_t i = 0; i < changes.beganCount; ++i )
    {
        printf( "%u %u\n", (unsigned)changes.began[i].proxyA, (unsigned)changes.began[i].proxyB );
    }
    cltDestroyBroadphase( broadphase );
    return status == clt_ok ? 0 : 1;
}
