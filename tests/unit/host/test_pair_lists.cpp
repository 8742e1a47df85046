// SPDX-License-Identifier: Zlib
// Lists of pairs: the pairs that began and ended between two lists, against std::set_difference; and changes merged
// into a list, against std::set.
extern "C" {
#include "gpu/core/pair_key.h"
#include "gpu/host/pair_difference.h"
#include "gpu/host/pair_list.h"
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

const uint32_t slotBits = 10;
const uint64_t beganBit = cltPairKey_BeganBit( slotBits );

Keys keysOf( const cltBuffer& buffer, size_t count )
{
    const uint64_t* keys = static_cast<const uint64_t*>( buffer.data );
    return Keys( keys, keys + count );
}

class PairLists : public testing::TestWithParam<int>
{
protected:
    PairLists()
    {
        m_def.threadCount = GetParam();
        cltMemory_Init( &m_memory, &m_def );
        EXPECT_EQ( clt_ok, cltCreateWorkerPool( &m_def, &m_memory, &m_pool ) );
        cltBuffer none = {};
        cltPairList_Take( &m_list, &none, 0, slotBits );
    }

    ~PairLists() override
    {
        cltPairDifference_Release( &m_difference, &m_memory );
        cltPairList_Release( &m_list, &m_memory );
        cltDestroyWorkerPool( m_pool, &m_memory );
        EXPECT_EQ( 0u, m_memory.bytes );
    }

    /// Compares two lists, and merges the result into the first.
    void expectDifference( const Keys& before, const Keys& now )
    {
        Keys expected;
        std::set_difference( before.begin(), before.end(), now.begin(), now.end(), std::back_inserter( expected ) );
        std::transform( expected.begin(), expected.end(), expected.begin(),
                        []( uint64_t key ) { return key & ~beganBit; } );
        std::set_difference( now.begin(), now.end(), before.begin(), before.end(), std::back_inserter( expected ) );
        ASSERT_EQ( clt_ok, cltPairDifference_Find( &m_difference, { before.data(), before.size() },
                                                   { now.data(), now.size() }, slotBits, m_pool, &m_memory ) );
        ASSERT_EQ( expected, keysOf( m_difference.changes, m_difference.count ) );
        ASSERT_EQ( clt_ok, cltBuffer_Reserve( &m_list.keys, &m_memory, before.size() + 1, sizeof( uint64_t ) ) );
        std::copy( before.begin(), before.end(), static_cast<uint64_t*>( m_list.keys.data ) );
        m_list.count = before.size();
        ASSERT_EQ( clt_ok, cltPairList_Apply( &m_list, &m_memory, expected.data(), expected.size() ) );
        ASSERT_EQ( now, keysOf( m_list.keys, m_list.count ) );
    }

    /// \param share  how many of a thousand keys from `first` to `end` are in the list
    Keys randomKeys( uint64_t first, uint64_t end, uint32_t share )
    {
        Keys keys;
        for ( uint64_t key = first; key < end; ++key )
        {
            if ( m_random.below( 1000 ) < share )
            {
                keys.push_back( key | beganBit );
            }
        }
        return keys;
    }

    Random m_random{ 1 };
    cltBroadphaseDef m_def = cltDefaultBroadphaseDef();
    cltMemory m_memory;
    cltWorkerPool* m_pool = nullptr;
    cltPairDifference m_difference = {};
    cltPairList m_list = {};
};

} // namespace

INSTANTIATE_TEST_SUITE_P( Threads, PairLists, testing::Values( 1, 3 ) );

TEST_P( PairLists, DifferenceEqualsTheOracleAndMergesIntoTheList )
{
    for ( int round = 0; round < 500; ++round )
    {
        ASSERT_NO_FATAL_FAILURE( expectDifference( randomKeys( 0, m_random.below( 12 ), 500 ),
                                                   randomKeys( 0, m_random.below( 12 ), 500 ) ) );
    }
    const uint64_t end = 100000; // about ten ranges
    for ( const uint32_t before : { 0u, 10u, 500u, 1000u } )
    {
        for ( const uint32_t now : { 0u, 10u, 500u, 1000u } )
        {
            SCOPED_TRACE( testing::Message() << before << " and " << now );
            ASSERT_NO_FATAL_FAILURE( expectDifference( randomKeys( 0, end, before ), randomKeys( 0, end, now ) ) );
        }
    }
    const Keys low = randomKeys( 0, 50000, 1000 );
    const Keys high = randomKeys( 49999, 99999, 1000 ); // one key in common
    expectDifference( low, high );
    expectDifference( high, low );
}

TEST_P( PairLists, ListKnowsWhetherItIsCurrent )
{
    cltPairList_Commit( &m_list, slotBits - 1, true );
    EXPECT_EQ( clt_pairListOneBehind, m_list.age ) << "as long as it is empty, whatever the width of its keys to come";
    m_list.count = 1;
    m_list.slotBits = slotBits;
    m_list.age = clt_pairListCurrent;
    cltPairList_BeginUpdate( &m_list );
    EXPECT_EQ( clt_pairListCurrent, m_list.age ) << "through an update that fails";
    cltPairList_Commit( &m_list, slotBits, true );
    EXPECT_EQ( clt_pairListOneBehind, m_list.age );
    cltPairList_BeginUpdate( &m_list );
    EXPECT_EQ( clt_pairListUnknown, m_list.age ) << "after two updates";
    m_list.age = clt_pairListCurrent;
    cltPairList_Commit( &m_list, slotBits, false );
    EXPECT_EQ( clt_pairListUnknown, m_list.age ) << "after pairs ended silently";
    m_list.age = clt_pairListCurrent;
    cltPairList_Commit( &m_list, slotBits + 1, true );
    EXPECT_EQ( clt_pairListUnknown, m_list.age ) << "after keys changed their width";
}
