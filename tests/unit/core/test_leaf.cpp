// SPDX-License-Identifier: Zlib
// The leaves of a slot, and the key that a pair of leaves reports. Exactly one pair of leaves reports each change.
#include "gpu/core/leaf.h"
#include "tests/support/boxes.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

const cltAabbD nowhere = span( notANumber, notANumber );

/// Two slots with their previous and current boxes and filters.
struct TwoSlots
{
    cltAabbD before[2];
    cltAabbD now[2];
    cltFilter filtersBefore[2] = { defaultFilter, defaultFilter };
    cltFilter filters[2] = { defaultFilter, defaultFilter };
    bool changed[2] = { true, true };
    bool destroyed[2] = { false, false };
};

struct Seed
{
    uint32_t kind;
    float lower, upper; ///< on all axes
};

std::vector<cltLeafSeed> seedsOf( const TwoSlots& world, uint32_t slot )
{
    uint8_t states[2];
    for ( int i = 0; i < 2; ++i )
    {
        states[i] =
            uint8_t( ( world.changed[i] ? CLT_SLOT_CHANGED : 0 ) | ( world.destroyed[i] ? CLT_SLOT_DESTROYED : 0 ) );
    }
    const cltSlots slots = { world.now, world.before, states, true, 2 };
    cltLeafSeed seeds[2];
    uint32_t count = cltSlots_Seed( &slots, slot, seeds );
    return std::vector<cltLeafSeed>( seeds, seeds + count );
}

void expectSeeds( const TwoSlots& world, uint32_t slot, const std::vector<Seed>& expected )
{
    const std::vector<cltLeafSeed> seeds = seedsOf( world, slot );
    ASSERT_EQ( expected.size(), seeds.size() );
    for ( size_t i = 0; i < seeds.size(); ++i )
    {
        EXPECT_EQ( expected[i].kind, seeds[i].kind );
        for ( int axis = 0; axis < 3; ++axis )
        {
            EXPECT_EQ( expected[i].lower, seeds[i].box.lower[axis] );
            EXPECT_EQ( expected[i].upper, seeds[i].box.upper[axis] );
        }
    }
}

/// The number of times that a pair is reported if each leaf that is not CLT_LEAF_STILL is tested against all others.
int countMoverKeys( const cltLeaves& leaves, uint32_t i, uint32_t j )
{
    int count = 0;
    for ( uint32_t mover : { i, j } )
    {
        const uint32_t other = mover == i ? j : i;
        const bool walks = cltLeafRef_Kind( cltLeaves_Ref( &leaves, mover ) ) != CLT_LEAF_STILL;
        count += walks && cltLeaves_MoverKey( &leaves, mover, other ) != CLT_NO_KEY;
        EXPECT_EQ( CLT_NO_KEY, cltLeaves_MoverKey( &leaves, mover, mover ) );
    }
    return count;
}

/// The keys of all pairs of leaves of different slots. A search tests only pairs of leaves whose covers overlap.
std::vector<uint64_t> findKeys( const TwoSlots& world, cltFind find )
{
    std::vector<cltLeafD> records;
    std::vector<cltAabb> covers;
    for ( uint32_t slot = 0; slot < 2; ++slot )
    {
        for ( const cltLeafSeed& seed : seedsOf( world, slot ) )
        {
            const cltAabbD& before = world.changed[slot] ? world.before[slot] : world.now[slot];
            records.push_back( { world.now[slot], before, cltLeafRef_Make( slot, seed.kind ), {} } );
            covers.push_back( seed.box );
        }
    }
    cltLeaves leaves = { records.data(),
                         { find == clt_findPairs ? world.filtersBefore : world.filters, world.filtersBefore },
                         true,
                         1,
                         static_cast<uint32_t>( records.size() ) };
    std::vector<uint64_t> keys;
    for ( uint32_t i = 0; i < records.size(); ++i )
    {
        for ( uint32_t j = i + 1; j < records.size(); ++j )
        {
            bool isOneSlot = cltLeafRef_Slot( records[i].ref ) == cltLeafRef_Slot( records[j].ref );
            if ( !isOneSlot && cltAabb_Overlaps( &covers[i], &covers[j] ) )
            {
                uint64_t key = cltLeaves_Key( &leaves, find, i, j );
                EXPECT_EQ( key, cltLeaves_Key( &leaves, find, j, i ) );
                if ( find == clt_findChanges )
                {
                    EXPECT_EQ( key != CLT_NO_KEY, countMoverKeys( leaves, i, j ) );
                }
                if ( key != CLT_NO_KEY )
                {
                    keys.push_back( key );
                }
            }
        }
    }
    return keys;
}

/// The change that the leaves of two bodies report.
template <typename Leaf, typename Box>
uint32_t changeOf( const Box before[2], const Box now[2], bool isDouble )
{
    Leaf records[2] = { { now[0], before[0], 0, {} }, { now[1], before[1], 1, {} } };
    const cltLeaves leaves = { records, {}, isDouble, 1, 2 };
    return cltLeaves_Change( &leaves, 0, 1 );
}

/// Slots 0 and 1 have the key 0b01; began sets the bit above both.
std::vector<uint64_t> expectedKeys( const TwoSlots& world )
{
    bool was =
        overlaps( world.before[0], world.before[1] ) && mayPair( world.filtersBefore[0], world.filtersBefore[1] );
    bool is = overlaps( world.now[0], world.now[1] ) && mayPair( world.filters[0], world.filters[1] );
    if ( was == is )
    {
        return {};
    }
    return { is ? uint64_t( 0b101 ) : uint64_t( 0b001 ) };
}

} // namespace

TEST( Leaf, ChangeFollowsTheBoxesInBothPrecisions )
{
    const cltAabbD apart[2] = { span( 0, 1 ), span( 2, 3 ) };
    const cltAabbD together[2] = { span( 0, 1 ), span( 1, 3 ) };
    EXPECT_EQ( uint32_t( CLT_PAIR_BEGAN ), changeOf<cltLeafD>( apart, together, true ) );
    EXPECT_EQ( uint32_t( CLT_PAIR_ENDED ), changeOf<cltLeafD>( together, apart, true ) );
    const cltAabb floatApart[2] = { toFloat( apart[0] ), toFloat( apart[1] ) };
    const cltAabb floatTogether[2] = { toFloat( together[0] ), toFloat( together[1] ) };
    EXPECT_EQ( uint32_t( CLT_PAIR_BEGAN ), changeOf<cltLeaf>( floatApart, floatTogether, false ) );
    EXPECT_EQ( uint32_t( CLT_PAIR_KEPT ), changeOf<cltLeaf>( floatTogether, floatTogether, false ) );
    EXPECT_EQ( uint32_t( CLT_PAIR_NOTHING ), changeOf<cltLeaf>( floatApart, floatApart, false ) );
}

TEST( Leaf, ReferenceContainsSlotAndKind )
{
    for ( uint32_t slot : { 0u, 1u, CLT_MAX_PROXIES - 1u } )
    {
        for ( uint32_t kind : { CLT_LEAF_STILL, CLT_LEAF_MOVED, CLT_LEAF_CURRENT, CLT_LEAF_PREVIOUS } )
        {
            cltLeafRef ref = cltLeafRef_Make( slot, kind );
            EXPECT_EQ( slot, cltLeafRef_Slot( ref ) );
            EXPECT_EQ( kind, cltLeafRef_Kind( ref ) );
            EXPECT_EQ( slot, cltLeafRef_Slot( ref | CLT_LEAF_OUTLIER ) );
            EXPECT_EQ( kind, cltLeafRef_Kind( ref | CLT_LEAF_OUTLIER ) );
        }
    }
}

TEST( Leaf, SeedsFollowTheStateOfTheSlot )
{
    TwoSlots world = { { span( 0, 1 ), nowhere }, { span( 0, 1 ), nowhere } };
    for ( bool changed : { true, false } )
    {
        world.changed[0] = world.changed[1] = changed;
        expectSeeds( world, 0, { { uint32_t( changed ? CLT_LEAF_MOVED : CLT_LEAF_STILL ), 0, 1 } } );
        expectSeeds( world, 1, {} ); // hidden before and now: no leaf
    }
    world.changed[0] = true;
    world.now[0] = span( 1, 2 );
    expectSeeds( world, 0, { { CLT_LEAF_MOVED, 0, 2 } } );
    world.now[0] = span( 50, 51 ); // jumped
    expectSeeds( world, 0, { { CLT_LEAF_CURRENT, 50, 51 }, { CLT_LEAF_PREVIOUS, 0, 1 } } );
    world = { { nowhere, span( 0, 1 ) }, { span( 7, 8 ), nowhere } };
    expectSeeds( world, 0, { { CLT_LEAF_CURRENT, 7, 8 } } );
    expectSeeds( world, 1, { { CLT_LEAF_PREVIOUS, 0, 1 } } );
    world.destroyed[1] = true; // its pairs ended when it was destroyed
    expectSeeds( world, 1, {} );
}

TEST( Leaf, ChangesAreReportedOnceWhicheverBodyMoved )
{
    // Boxes between which bodies rest, move a little, jump, appear and disappear, overlapping or not.
    const cltAabbD places[] = { span( 0, 1 ),       span( 0.5, 1.5 ), span( 100, 101 ),
                                span( 100.5, 102 ), nowhere,          span( -infinity, infinity ) };
    const cltFilter filters[] = { defaultFilter, { 1, 0 } };
    int changes = 0;
    for ( int choice = 0; choice < 6 * 6 * 6 * 6 * 4; ++choice )
    {
        TwoSlots world = { { places[choice % 6], places[choice / 6 % 6] },
                           { places[choice / 36 % 6], places[choice / 216 % 6] } };
        world.filtersBefore[0] = filters[choice / 1296 % 2];
        world.filters[0] = filters[choice / 1296 / 2];
        ASSERT_EQ( expectedKeys( world ), findKeys( world, clt_findChanges ) ) << "choice " << choice;
        changes += !expectedKeys( world ).empty();
    }
    EXPECT_GT( changes, 500 );
}

TEST( Leaf, StillLeavesReportNoChangesButPairs )
{
    TwoSlots world = { { span( 0, 1 ), span( 1, 2 ) }, { span( 0, 1 ), span( 1, 2 ) } };
    world.changed[0] = world.changed[1] = false;
    EXPECT_TRUE( findKeys( world, clt_findChanges ).empty() );
    EXPECT_EQ( std::vector<uint64_t>{ 0b101 }, findKeys( world, clt_findPairs ) );
    world.filtersBefore[1] = { 0, 0 };
    EXPECT_TRUE( findKeys( world, clt_findPairs ).empty() );
}
