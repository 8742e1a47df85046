// SPDX-License-Identifier: Zlib
// The first program with cullet: boxes in, pairs out. Four boxes in a row; the first two overlap, the third touches the
// second, the fourth stands alone. Prints "0 meets 1" and "1 meets 2": touching counts.

#include "cullet.h"

#include <stdio.h>

static int failed( cltStatus status )
{
    if ( status != clt_ok )
    {
        fprintf( stderr, "hello: %s\n", cltStatusMessage( status ) );
    }
    return status != clt_ok;
}

int main( void )
{
    const cltAabb boxes[4] = { { { 0, 0, 0 }, { 2, 1, 1 } },
                               { { 1, 0, 0 }, { 3, 1, 1 } },
                               { { 3, 0, 0 }, { 4, 1, 1 } },
                               { { 9, 0, 0 }, { 10, 1, 1 } } };
    const cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltBroadphase* broadphase;
    cltPairChanges changes;
    if ( failed( cltCreateBroadphase( &def, &broadphase ) ) )
    {
        return 1;
    }
    if ( failed( cltBroadphase_CreateProxies( broadphase, 4, boxes, NULL, NULL, NULL ) ) ||
         failed( cltBroadphase_Update( broadphase, &changes ) ) )
    {
        cltDestroyBroadphase( broadphase );
        return 1;
    }
    for ( size_t k = 0; k < changes.beganCount; ++k )
    {
        printf( "%u meets %u\n", (unsigned)changes.began[k].proxyA, (unsigned)changes.began[k].proxyB );
    }
    cltDestroyBroadphase( broadphase );
    return 0;
}
