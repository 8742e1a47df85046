// SPDX-License-Identifier: Zlib
// Pair keys: encoding, decoding, and the canonical order.
#include "gpu/core/bits.h"
#include "gpu/core/pair_key.h"

#include <gtest/gtest.h>

TEST( PairKey, ConvertsBothWaysInEitherOrder )
{
    for ( uint32_t slotBits : { 1u, 2u, 7u, 16u, 29u } )
    {
        uint32_t last = ( 1u << slotBits ) - 1u;
        for ( uint64_t flag : { uint64_t( 0 ), cltPairKey_BeganBit( slotBits ) } )
        {
            uint64_t key = cltPairKey( last, 0, slotBits ) | flag;
            EXPECT_EQ( key, cltPairKey( 0, last, slotBits ) | flag );
            EXPECT_EQ( 0u, cltPairKey_Pair( key, slotBits ).proxyA );
            EXPECT_EQ( last, cltPairKey_Pair( key, slotBits ).proxyB );
            EXPECT_NE( CLT_NO_KEY, key );
        }
    }
}

TEST( PairKey, OrdersEndedBeforeBeganThenBySlots )
{
    const uint32_t slotBits = 5;
    uint64_t previous = 0;
    for ( uint64_t flag : { uint64_t( 0 ), cltPairKey_BeganBit( slotBits ) } )
    {
        for ( uint32_t low = 0; low < 31; ++low )
        {
            for ( uint32_t high = low + 1; high < 32; ++high )
            {
                uint64_t key = cltPairKey( high, low, slotBits ) | flag;
                ASSERT_GT( key, previous );
                previous = key;
            }
        }
    }
    EXPECT_LT( previous, uint64_t( 1 ) << ( 2 * slotBits + 1 ) );
}

TEST( PairKey, IndexBitsHoldEveryIndex )
{
    EXPECT_EQ( 0u, cltIndexBits( 0 ) );
    EXPECT_EQ( 0u, cltIndexBits( 1 ) );
    for ( uint32_t bits = 1; bits < 32; ++bits )
    {
        EXPECT_EQ( bits, cltIndexBits( 1u << bits ) );
        EXPECT_EQ( bits + 1, cltIndexBits( ( 1u << bits ) + 1u ) );
    }
    EXPECT_EQ( 32u, cltIndexBits( UINT32_MAX ) );
}
