// SPDX-License-Identifier: Zlib
// The pairs that began and ended between two lists of pairs, compared with std::set_difference.
extern "C" {
#include "gpu/core/pair_key.h"
#include "gpu/host/pair_difference.h"
}

#include "tests/support/random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <vector>

using namespace test;

namespace
{

using Keys = std::vector<uint64_t>;

const uint32_t widthOfSlots = 10;
const uint64_t bitOfBegan = cltPairKey_BeganBit( widthOfSlots );

class PairDifference : public testing::TestWithParam<int>
{
protected:
    PairDifference()
    {
        m_def.threadCount = GetParam();
        cltMemory_Init( &m_memory, &m_def );
        EXPECT_EQ( clt_ok, cltCreateWorkerPool( &m_def, &m_memory, &m_pool ) );
    }

    ~PairDifference() override
    {
        cltPairDifference_Release( &m_difference, &m_memory );
        cltDestroyWorkerPool( m_pool, &m_memory );
        EXPECT_EQ( 0u, m_memory.bytes );
    }

    void expectDifference( const Keys& before, const Keys& now )
    {
        Keys expected;
        std::set_difference( before.begin(), before.end(), now.begin(), now.end(), std::back_inserter( expected ) );
        std::transform( expected.begin(), expected.end(), expected.begin(),
                        []( uint64_t key ) { return key & ~bitOfBegan; } );
        std::set_difference( now.begin(), now.end(), before.begin(), before.end(), std::back_inserter( expected ) );
        ASSERT_EQ( clt_ok, cltPairDifference_Find( &m_difference, { before.data(), before.size() },
                                                   { now.data(), now.size() }, widthOfSlots, m_pool, &m_memory ) );
        const uint64_t* keys = static_cast<const uint64_t*>( m_difference.changes.data );
        EXPECT_EQ( expected, Keys( keys, keys + m_difference.count ) );
    }

private:
    cltBroadphaseDef m_def = cltDefaultBroadphaseDef();
    cltMemory m_memory;
    cltWorkerPool* m_pool = nullptr;
    cltPairDifference m_difference = {};
};

/// \param share  how many of a thousand keys below `end` are in the list
Keys randomKeys( Random& random, uint64_t end, uint32_t share )
{
    Keys keys;
    for ( uint64_t key = 0; key < end; ++key )
    {
        if ( random.below( 1000 ) < share )
        {
            keys.push_back( key | bitOfBegan );
        }
    }
    return keys;
}

} // namespace

INSTANTIATE_TEST_SUITE_P( Threads, PairDifference, testing::Values( 1, 3 ) );

TEST_P( PairDifference, EqualsTheOracleForFewKeys )
{
    Random random( 1 );
    for ( int round = 0; round < 500; ++round )
    {
        expectDifference( randomKeys( random, random.below( 12 ), 500 ),
                          randomKeys( random, random.below( 12 ), 500 ) );
    }
}

TEST_P( PairDifference, EqualsTheOracleForManyKeys )
{
    Random random( 2 );
    const uint64_t end = 100000; // about ten ranges
    for ( const uint32_t before : { 0u, 10u, 500u, 1000u } )
    {
        for ( const uint32_t now : { 0u, 10u, 500u, 1000u } )
        {
            SCOPED_TRACE( testing::Message() << before << " and " << now );
            expectDifference( randomKeys( random, end, before ), randomKeys( random, end, now ) );
        }
    }
}

TEST_P( PairDifference, EqualsTheOracleForNearlyDisjointLists )
{
    Keys low;
    Keys high;
    for ( uint64_t key = 0; key < 50000; ++key )
    {
        low.push_back( key | bitOfBegan );
        high.push_back( ( key + 49999 ) | bitOfBegan );
    }
    expectDifference( low, high );
    expectDifference( high, low );
    expectDifference( low, low );
}
