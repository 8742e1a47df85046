// SPDX-License-Identifier: Zlib
// Unique ids and repeatability: CT-45 and CT-46.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

using namespace test;

class Identity : public RigTest
{
};

INSTANTIATE_TEST_SUITE_P(, Identity, testing::ValuesIn( culletRigs() ), rigName );

TEST_P( Identity, CT45_UidsCountUpwardsAndAreNeverUsedAgain )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 45, 3 );
    bodies.createRandom( 10 );
    for ( int i = 0; i < 300; ++i )
    {
        bodies.randomOperation();
        if ( i % 7 == 0 )
        {
            bodies.update();
        }
        for ( size_t k = 0; k < bodies.size(); ++k )
        {
            ASSERT_EQ( bodies.at( k ).id, bodies.at( k ).proxies[0]->m_uniqueId );
        }
    }
}

TEST_P( Identity, CT45_ResetPoolRestartsOnlyWhenEmpty )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 46, 2 );
    bodies.createRandom( 50 );
    bodies.update();
    bodies.destroy( 49 );
    const std::vector<char> before = bytesOf( rig.cache() );
    rig.broadphase->resetPool( nullptr );
    EXPECT_EQ( before, bytesOf( rig.cache() ) );
    bodies.createRandom( 1 );
    EXPECT_EQ( 51, bodies.at( 49 ).proxies[0]->m_uniqueId );
    bodies.update();
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );

    bodies.destroyAll();
    rig.broadphase->resetPool( nullptr );
    bodies.createRandom( 5 );
    EXPECT_EQ( 1, bodies.at( 0 ).proxies[0]->m_uniqueId );
    EXPECT_EQ( 5, bodies.at( 4 ).proxies[0]->m_uniqueId );
    bodies.update();
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
}

/// Every pair array of a life with all that can happen, one after the other, in array order.
static std::vector<IdPair> liveAndRecord( const Rig& rig, int stepCount )
{
    std::vector<IdPair> record;
    Bodies bodies( *rig.broadphase, 47, 6 );
    bodies.createRandom( 600 );
    for ( int step = 0; step < stepCount; ++step )
    {
        bodies.update();
        const std::vector<IdPair> array = arrayOf( rig.cache() );
        record.insert( record.end(), array.begin(), array.end() );
        for ( int i = 0; i < 100; ++i )
        {
            bodies.randomOperation();
        }
    }
    bodies.destroyAll();
    return record;
}

/// Bullet sorts nothing after us: the array's order decides the solver's. What it must be is what a hashed cache makes
/// of "ended ascending, then began ascending", computed here from the oracle.
static std::vector<IdPair> canonicalRecord( int stepCount )
{
    std::vector<IdPair> record, array, current;
    Bodies bodies( std::vector<btBroadphaseInterface*>{}, 47, 6 );
    bodies.createRandom( 600 );
    const auto erase = [&]( const IdPair& pair )
    {
        const auto at = std::find( array.begin(), array.end(), pair );
        *at = array.back();
        array.pop_back();
    };
    for ( int step = 0; step < stepCount; ++step )
    {
        std::set<int> alive;
        for ( size_t i = 0; i < bodies.size(); ++i )
        {
            alive.insert( bodies.at( i ).id );
        }
        const std::vector<IdPair> next = bodies.expectedPairs();
        for ( const IdPair& pair : current )
        {
            const bool bothLive = alive.count( pair.first ) && alive.count( pair.second );
            if ( bothLive && !std::binary_search( next.begin(), next.end(), pair ) )
            {
                erase( pair );
            }
        }
        for ( const IdPair& pair : next )
        {
            if ( !std::binary_search( current.begin(), current.end(), pair ) )
            {
                array.push_back( pair );
            }
        }
        current = next;
        record.insert( record.end(), array.begin(), array.end() );
        for ( int i = 0; i < 100; ++i )
        {
            // Destroying takes pairs out in array order, last pair into the hole, before the next operation.
            std::set<int> before;
            for ( size_t k = 0; k < bodies.size(); ++k )
            {
                before.insert( bodies.at( k ).id );
            }
            bodies.randomOperation();
            for ( size_t k = 0; k < bodies.size(); ++k )
            {
                before.erase( bodies.at( k ).id );
            }
            for ( size_t k = 0; k < array.size(); )
            {
                if ( before.count( array[k].first ) || before.count( array[k].second ) )
                {
                    array[k] = array.back();
                    array.pop_back();
                }
                else
                {
                    ++k;
                }
            }
        }
    }
    return record;
}

TEST_P( Identity, CT46_SameArrayWhateverComputesIt )
{
    const int stepCount = 12;
    const std::vector<IdPair> canonical = canonicalRecord( stepCount );
    ASSERT_GT( canonical.size(), 1000u );
    for ( int threadCount : { 1, 2, 5 } )
    {
        RigKind kind = GetParam();
        kind.threadCount = threadCount;
        const Rig rig = makeRig( kind );
        rig.cullet->m_deferedcollide = true; // all pairs by calculateOverlappingPairs, which has an order of its own
        ASSERT_EQ( canonical, liveAndRecord( rig, stepCount ) ) << threadCount << " threads";
    }
}

TEST_P( Identity, CT46_PairsFoundAtOnceComeInTheSameOrderToo )
{
    const std::vector<IdPair> first = liveAndRecord( makeRig( culletAuto ), 12 );
    ASSERT_GT( first.size(), 1000u );
    for ( int threadCount : { 1, 2, 5 } )
    {
        RigKind kind = GetParam();
        kind.threadCount = threadCount;
        ASSERT_EQ( first, liveAndRecord( makeRig( kind ), 12 ) ) << threadCount << " threads";
    }
}

TEST_P( Identity, CT46_SameArrayAfterResetPool )
{
    const Rig rig = makeRig( GetParam() );
    const std::vector<IdPair> first = liveAndRecord( rig, 4 );
    rig.broadphase->resetPool( nullptr );
    EXPECT_EQ( first, liveAndRecord( rig, 4 ) );
}
