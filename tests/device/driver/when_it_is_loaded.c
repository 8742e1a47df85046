// SPDX-License-Identifier: Zlib
// Uses cullet without a device and checks after each step that the driver library is not loaded. Runs with a
// replacement of that library in the search path.

#include "cullet.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

static int failureCount;

static void Expect( bool holds, const char* what )
{
    failureCount += holds ? 0 : 1;
    fprintf( stderr, "%s: %s\n", holds ? "right" : "wrong", what );
}

static bool IsDriverLoaded( void )
{
    return dlopen( "libcuda.so.1", RTLD_NOW | RTLD_NOLOAD ) != NULL;
}

static void UpdateOn( cltDevice device )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = device;
    cltBroadphase* broadphase;
    Expect( cltCreateBroadphase( &def, &broadphase ) == clt_ok, "a broadphase is created" );
    for ( int i = 0; i < 2; ++i )
    {
        const cltAabb box = { { (float)i, 0.0f, 0.0f }, { (float)i + 1.5f, 1.0f, 1.0f } };
        cltProxyId proxy;
        Expect( cltBroadphase_CreateProxy( broadphase, &box, NULL, 0, &proxy ) == clt_ok, "a proxy is created" );
    }
    cltPairChanges changes;
    Expect( cltBroadphase_Update( broadphase, &changes ) == clt_ok && changes.beganCount == 1, "neighbours pair" );
    cltDestroyBroadphase( broadphase );
}

int main( void )
{
    Expect( !IsDriverLoaded(), "nothing in a static constructor loads the driver" );
    UpdateOn( clt_deviceCpu );
    Expect( !IsDriverLoaded(), "nothing on the CPU does" );
    UpdateOn( clt_deviceAuto );
    Expect( !IsDriverLoaded(), "nor does auto while little moves" );
    Expect( dlopen( "libcuda.so.1", RTLD_NOW ) != NULL && IsDriverLoaded(), "the replacement is found and detected" );
    return failureCount == 0 ? 0 : 1;
}
