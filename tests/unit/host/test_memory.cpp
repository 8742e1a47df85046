// SPDX-License-Identifier: Zlib
// Buffers: a size that the machine cannot address is refused, not truncated.
#include "gpu/platform/memory.h"

#include <gtest/gtest.h>

TEST( Buffer, RefusesSizesBeyondTheAddressSpace )
{
    const cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltMemory memory;
    cltMemory_Init( &memory, &def );
    cltBuffer buffer = {};
    ASSERT_EQ( clt_ok, cltBuffer_Reserve( &buffer, &memory, 10, 8 ) );
    for ( const uint64_t count : { uint64_t( SIZE_MAX ) / 8, UINT64_MAX, UINT64_MAX - UINT32_MAX + 5 } )
    {
        EXPECT_EQ( clt_hostMemory, cltBuffer_Reserve( &buffer, &memory, count, 8 ) ) << count;
        EXPECT_EQ( clt_hostMemory, cltBuffer_Grow( &buffer, &memory, count, 8 ) ) << count;
    }
    cltBuffer_Release( &buffer, &memory );
    EXPECT_EQ( 0u, memory.bytes );
}
