// SPDX-License-Identifier: Zlib
// The memory of a module that may not grow ends like any other memory: with a status, and the world goes on.
#include "cullet.h"

#include <gtest/gtest.h>

#include <cstring>

TEST( Memory, ThatCannotGrowGivesAStatus )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltBroadphase* broadphase = nullptr;
    ASSERT_EQ( clt_ok, cltCreateBroadphase( &def, &broadphase ) );
    cltStatus status = clt_ok;
    uint32_t count = 0;
    for ( ; status == clt_ok && count < 100000000u; ++count )
    {
        const auto x = 3.f * float( count );
        const cltAabb box = { { x, 0, 0 }, { x + 1, 1, 1 } };
        cltProxyId id;
        status = cltBroadphase_CreateProxies( broadphase, 1, &box, nullptr, nullptr, &id );
    }
    EXPECT_EQ( clt_hostMemory, status ) << "after " << count << " proxies";
    EXPECT_GT( std::strlen( cltStatusMessage( status ) ), 20u );
    cltDestroyBroadphase( broadphase );
}

/// Every box overlaps every other: the proxies have memory, their pairs have not.
TEST( Memory, ThatCannotGrowGivesAStatusForPairsToo )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltBroadphase* broadphase = nullptr;
    ASSERT_EQ( clt_ok, cltCreateBroadphase( &def, &broadphase ) );
    const cltAabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
    cltProxyId ids[20000];
    for ( cltProxyId& id : ids )
    {
        ASSERT_EQ( clt_ok, cltBroadphase_CreateProxies( broadphase, 1, &box, nullptr, nullptr, &id ) );
    }
    cltPairChanges changes = {};
    EXPECT_EQ( clt_hostMemory, cltBroadphase_Update( broadphase, &changes ) );
    for ( size_t i = 100; i < 20000; ++i )
    {
        ASSERT_EQ( clt_ok, cltBroadphase_DestroyProxy( broadphase, ids[i] ) );
    }
    EXPECT_EQ( clt_ok, cltBroadphase_Update( broadphase, &changes ) );
    EXPECT_EQ( 4950u, changes.beganCount );
    cltDestroyBroadphase( broadphase );
}
