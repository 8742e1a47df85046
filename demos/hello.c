// SPDX-License-Identifier: Zlib
// A first program with cullet: finds the pairs of four boxes in a row. The first two overlap, the third touches the
// second, and the fourth is alone. Prints "0 meets 1" and "1 meets 2", because touching counts as overlapping.

#include "cullet.h"

#include <stdio.h>

int main( void )
{
    const cltAabb boxes[4] = { { { 0, 0, 0 }, { 2, 1, 1 } },
                               { { 1, 0, 0 }, { 3, 1, 1 } },
                               { { 3, 0, 0 }, { 4, 1, 1 } },
                               { { 9, 0, 0 }, { 10, 1, 1 } } };
    const cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltBroadphase* broadphase = NULL;
    cltPairChanges changes = { 0 };
    cltStatus status = cltCreateBroadphase( &def, &broadphase );
    if ( status == clt_ok )
    {
        status = cltBroadphase_CreateProxies( broadphase, 4, boxes, NULL, NULL, NULL );
    }
    if ( status == clt_ok )
    {
        status = cltBroadphase_Update( broadphase, &changes );
    }
    for ( size_t k = 0; k < changes.beganCount; ++k )
    {
        printf( "%u meets %u\n", (unsigned)changes.began[k].proxyA, (unsigned)changes.began[k].proxyB );
    }
    cltDestroyBroadphase( broadphase );
    if ( status != clt_ok )
    {
        fprintf( stderr, "hello: %s\n", cltStatusMessage( status ) );
    }
    return status == clt_ok ? 0 : 1;
}
