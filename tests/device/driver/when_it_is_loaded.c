// SPDX-License-Identifier: Zlib
// Uses cullet without a device and checks after each step that the driver library is not loaded. Runs with a
// replacement of that library in the search path.

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

static void UpdateOn( cltDevice device )
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
    UpdateOn( clt_deviceCpu );
    Expect( !IsDriverLoaded(), "nothing on the CPU does" );
    UpdateOn( clt_deviceAuto );
    Expect( !IsDriverLoaded(), "nor does auto while little moves" );

    // proves that the replacement is found and detects loading
    Expect( dlopen( "libcuda.so.1", RTLD_NOW ) != NULL && IsDriverLoaded(), "the stand-in notes when it is loaded" );
    return failureCount == 0 ? 0 : 1;
}
