// SPDX-License-Identifier: Zlib
// Merging changes into the list of all pairs, against std::set.
extern "C" {
#include "gpu/core/pair_key.h"
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

const uint32_t slotBits = 8;

uint64_t withBeganBit( uint64_t key )
{
    return key | cltPairKey_BeganBit( slotBits );
}

class PairList : public testing::Test
{
protected:
    PairList()
    {
        const cltBroadphaseDef def = cltDefaultBroadphaseDef();
        cltMemory_Init( &m_memory, &def );
        cltBuffer none = {};
        cltPairList_Take( &m_list, &none, 0, slotBits );
    }

    ~PairList() override
    {
        cltPairList_Release( &m_list, &m_memory );
        EXPECT_EQ( 0u, m_memory.bytes );
    }

    void apply( const std::set<uint64_t>& ended, const std::set<uint64_t>& began )
    {
        std::vector<uint64_t> changes( ended.begin(), ended.end() );
        std::transform( began.begin(), began.end(), std::back_inserter( changes ), withBeganBit );
        cltPairList_BeginUpdate( &m_list );
        cltPairList_Commit( &m_list, slotBits, true );
        ASSERT_EQ( clt_pairListOneBehind, m_list.age );
        ASSERT_EQ( clt_ok, cltPairList_Apply( &m_list, &m_memory, changes.data(), changes.size() ) );
        ASSERT_EQ( clt_pairListCurrent, m_list.age );
    }

    void expectPairs( const std::set<uint64_t>& pairs )
    {
        std::vector<uint64_t> expected;
        std::transform( pairs.begin(), pairs.end(), std::back_inserter( expected ), withBeganBit );
        const uint64_t* keys = static_cast<const uint64_t*>( m_list.keys.data );
        ASSERT_EQ( expected, std::vector<uint64_t>( keys, keys + m_list.count ) );
    }

    cltMemory m_memory;
    cltPairList m_list = {};
};

} // namespace

TEST_F( PairList, FollowsRandomChangesUntilAllPairsEnd )
{
    Random random( 91 );
    std::set<uint64_t> pairs;
    for ( int round = 0; round < 300; ++round )
    {
        std::set<uint64_t> ended;
        std::set<uint64_t> began;
        for ( uint32_t i = random.below( 40 ); i > 0; --i )
        {
            const uint64_t key = random.below( 1u << 9 );
            ( pairs.count( key ) > 0 ? ended : began ).insert( key );
        }
        for ( uint64_t key : ended )
        {
            pairs.erase( key );
        }
        pairs.insert( began.begin(), began.end() );
        ASSERT_NO_FATAL_FAILURE( apply( ended, began ) );
        ASSERT_NO_FATAL_FAILURE( expectPairs( pairs ) );
    }
    apply( pairs, {} );
    expectPairs( {} );
}

TEST_F( PairList, KnowsWhetherItIsCurrent )
{
    cltPairList_Commit( &m_list, slotBits - 1, true );
    EXPECT_EQ( clt_pairListOneBehind, m_list.age ) << "as long as it is empty, whatever the width of its keys to come";
    cltPairList_Commit( &m_list, slotBits, true );
    m_list.age = clt_pairListCurrent;
    apply( {}, { 5 } );
    cltPairList_BeginUpdate( &m_list );
    EXPECT_EQ( clt_pairListCurrent, m_list.age ) << "through an update that fails";
    cltPairList_Commit( &m_list, slotBits, true );
    cltPairList_BeginUpdate( &m_list );
    EXPECT_EQ( clt_pairListUnknown, m_list.age ) << "after two updates";
    m_list.age = clt_pairListCurrent;
    cltPairList_Commit( &m_list, slotBits, false );
    EXPECT_EQ( clt_pairListUnknown, m_list.age ) << "after pairs ended silently";
    m_list.age = clt_pairListCurrent;
    cltPairList_Commit( &m_list, slotBits + 1, true );
    EXPECT_EQ( clt_pairListUnknown, m_list.age ) << "after keys changed their width";
}
