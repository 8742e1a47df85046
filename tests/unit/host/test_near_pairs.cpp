// SPDX-License-Identifier: Zlib
// Near pairs that an update tests, on one thread and on several, beside a plain loop over the pairs.
extern "C" {
#include "gpu/rest/near_pairs.h"
}

#include "tests/support/boxes.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

using namespace test;

namespace
{

constexpr uint32_t slotCount = 1000;

/// Boxes and states of slots, of which one in twenty changed, and one of these in two was destroyed.
struct Slots
{
    explicit Slots( Random& random ) : boxes( slotCount ), states( slotCount, CLT_SLOT_LIVE )
    {
        for ( uint32_t slot = 0; slot < slotCount; ++slot )
        {
            const float x = float( random.between( 0, 4 ) );
            boxes[slot] = { { x, 0, 0 }, { x + 1, 1, 1 } };
            states[slot] = uint8_t( states[slot] | ( random.oneIn( 20 ) ? CLT_SLOT_CHANGED : 0 ) );
            states[slot] = uint8_t( states[slot] | ( random.oneIn( 40 ) ? CLT_SLOT_CHANGED | CLT_SLOT_DESTROYED : 0 ) );
        }
        view = { boxes.data(), boxes.data(), states.data(), false, slotCount };
    }

    std::vector<cltAabb> boxes;
    std::vector<uint8_t> states;
    cltSlots view;
};

/// What a test of near pairs finds.
struct Found
{
    std::vector<cltNearPairRevision> revisions;
    std::vector<cltNearPairChange> changes;

    bool operator==( const Found& other ) const
    {
        return haveSameBytes( revisions, other.revisions ) && haveSameBytes( changes, other.changes );
    }

    template <typename Item>
    static bool haveSameBytes( const std::vector<Item>& a, const std::vector<Item>& b )
    {
        return a.size() == b.size() &&
               ( a.empty() || std::memcmp( a.data(), b.data(), a.size() * sizeof( Item ) ) == 0 );
    }
};

std::vector<cltNearPair> randomPairs( Random& random, uint32_t count )
{
    std::vector<cltNearPair> pairs( count );
    for ( cltNearPair& pair : pairs )
    {
        pair.slotA = random.below( slotCount );
        pair.slotB = random.below( slotCount );
        pair.restBoxesOverlap = random.oneIn( 2 );
        pair.isPair = random.oneIn( 2 );
    }
    return pairs;
}

Found expectedOf( const std::vector<cltNearPair>& pairs, const Slots& slots, bool endsAll )
{
    Found expected;
    for ( uint32_t i = 0; i < pairs.size(); ++i )
    {
        const cltNearPair& pair = pairs[i];
        const uint32_t states = slots.states[pair.slotA] | slots.states[pair.slotB];
        const bool isRemoved = endsAll || ( states & CLT_SLOT_CHANGED ) != 0;
        const bool overlap = cltAabb_Overlaps( &slots.boxes[pair.slotA], &slots.boxes[pair.slotB] );
        if ( isRemoved || overlap != ( pair.isPair != 0 ) )
        {
            expected.revisions.push_back( { i, isRemoved } );
            const uint32_t after = isRemoved ? pair.restBoxesOverlap : overlap;
            const bool isGone = isRemoved && ( states & CLT_SLOT_DESTROYED ) != 0;
            if ( after != pair.isPair && !isGone )
            {
                expected.changes.push_back( { pair.slotA, pair.slotB, cltPairChange( pair.isPair, after ) } );
            }
        }
    }
    return expected;
}

Found find( const std::vector<cltNearPair>& pairs, const Slots& slots, bool endsAll, int threadCount )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = threadCount;
    cltMemory memory;
    cltMemory_Init( &memory, &def );
    cltWorkerPool* pool = nullptr;
    EXPECT_EQ( clt_ok, cltCreateWorkerPool( &def, &memory, &pool ) );
    cltNearPairs near = {};
    EXPECT_EQ( clt_ok, cltBuffer_Reserve( &near.pairs, &memory, pairs.size(), sizeof( cltNearPair ) ) );
    std::memcpy( near.pairs.data, pairs.data(), pairs.size() * sizeof( cltNearPair ) );
    near.count = uint32_t( pairs.size() );
    EXPECT_EQ( clt_ok, cltNearPairs_Test( &near, &slots.view, endsAll, pool, &memory ) );
    const auto* revisions = static_cast<const cltNearPairRevision*>( near.revisions.data );
    const auto* changes = static_cast<const cltNearPairChange*>( near.changes.data );
    const Found found = { { revisions, revisions + near.revisionCount }, { changes, changes + near.changeCount } };
    cltNearPairs_Release( &near, &memory );
    cltDestroyWorkerPool( pool, &memory );
    EXPECT_EQ( 0u, memory.bytes );
    return found;
}

} // namespace

TEST( NearPairs, AreTheSameOnAnyNumberOfThreads )
{
    Random random( 5 );
    const Slots slots( random );
    for ( const uint32_t count : { 1u, 100u, 8191u, 8192u, 8193u, 524287u, 524288u, 600000u } )
    {
        const std::vector<cltNearPair> pairs = randomPairs( random, count );
        for ( const bool endsAll : { false, true } )
        {
            const Found expected = expectedOf( pairs, slots, endsAll );
            for ( const int threadCount : { 1, 4 } )
            {
                EXPECT_TRUE( expected == find( pairs, slots, endsAll, threadCount ) )
                    << count << " pairs, " << threadCount << " threads, ends all: " << endsAll;
            }
        }
    }
}
