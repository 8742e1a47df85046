// SPDX-License-Identifier: Zlib
// A program that does with cullet what needs no device, and looks after each step whether the driver's library has been
// loaded. Started with a stand-in for that library where the loader finds it first.

#include "cullet.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int failureCount;

static void Expect( bool holds, const char* what )
{
    if ( !holds )
    {
        ++failureCount;
        fprintf( stderr, "wrong: %s\n", what );
    }
}

static bool IsDriverLoaded( void )
{
    return getenv( "CULLET_TEST_DRIVER" ) != NULL;
}

static void LiveOn( cltDevice device )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = device;
    cltBroadphase* broadphase;
    Expect( cltCreateBroadphase( &def, &broadphase ) == clt_ok, "a broadphase is created" );
    for ( int i = 0; i < 100; ++i )
    {
        const float x = (float)i;
        const cltAabb box = { { x, 0.0f, 0.0f }, { x + 1.5f, 1.0f, 1.0f } };
        cltProxyId proxy;
        Expect( cltBroadphase_CreateProxy( broadphase, &box, NULL, 0, &proxy ) == clt_ok, "a proxy is created" );
    }
    cltPairChanges changes;
    Expect( cltBroadphase_Update( broadphase, &changes ) == clt_ok && changes.beganCount == 99, "neighbours pair" );
    cltDestroyBroadphase( broadphase );
}

int main( void )
{
    Expect( !IsDriverLoaded(), "nothing in a static constructor loads the driver" );
    LiveOn( clt_deviceCpu );
    Expect( !IsDriverLoaded(), "nothing on the CPU does" );
    LiveOn( clt_deviceAuto );
    Expect( !IsDriverLoaded(), "nor does auto while little moves" );

    // the stand-in is where it should be, or nothing of the above would mean anything
    Expect( dlopen( "libcuda.so.1", RTLD_NOW ) != NULL && IsDriverLoaded(), "the stand-in notes when it is loaded" );
    return failureCount == 0 ? 0 : 1;
}
