// SPDX-License-Identifier: Zlib
// The same calls give the same pair array, whoever computes it on however many threads: CT-46. The array's order
// decides the solver's, and so where bodies end up.
#include "contestants.h"

#include <algorithm>

using namespace test;

enum class Order
{
    ofTheArray,
    ofTheIds
};

/// Every pair array of a life with all that can happen, one after the other.
static std::vector<IdPair> liveAndRecord( Arena& arena, int stepCount, Order order = Order::ofTheArray )
{
    std::vector<IdPair> record;
    arena.bodies.createRandom( 600 );
    for ( int step = 0; step < stepCount; ++step )
    {
        arena.bodies.update();
        std::vector<IdPair> array = arrayOf( arena.cache() );
        if ( order == Order::ofTheIds )
        {
            std::sort( array.begin(), array.end() );
        }
        record.insert( record.end(), array.begin(), array.end() );
        for ( int i = 0; i < 100; ++i )
        {
            arena.bodies.randomOperation();
        }
    }
    arena.bodies.destroyAll();
    return record;
}

static std::vector<IdPair> liveAndRecord( const RigKind& kind, int stepCount, Order order = Order::ofTheArray )
{
    Arena arena( kind, 46, 6 );
    return liveAndRecord( arena, stepCount, order );
}

TEST_P( Contract, CT46_TwoRunsAreEqual )
{
    const std::vector<IdPair> first = liveAndRecord( GetParam(), 20 );
    ASSERT_GT( first.size(), 1000u );
    ASSERT_EQ( first, liveAndRecord( GetParam(), 20 ) );
}

TEST_P( Contract, CT46_EqualOnAnyNumberOfThreadsAndToLbvhsOnOne )
{
    const int stepCount = 12;
    RigKind kind = GetParam();
    kind.algorithm = clt_algorithmLbvh;
    kind.threadCount = 1;
    const std::vector<IdPair> reference = liveAndRecord( kind, stepCount );
    for ( int threadCount : { 1, 2, 3, 8 } )
    {
        kind = GetParam();
        kind.threadCount = threadCount;
        ASSERT_EQ( reference, liveAndRecord( kind, stepCount ) ) << threadCount << " threads";
    }
}

/// Bullet's own cache and ours hold the same pairs. Who walks them meets them in another order: in ours, what begins
/// takes the place of what ended.
TEST_P( Contract, CT46_EqualWithAGivenCache )
{
    RigKind given = GetParam();
    if ( given.engine == Engine::cullet )
    {
        given.engine = Engine::culletHashed;
    }
    ASSERT_EQ( liveAndRecord( given, 12, Order::ofTheIds ), liveAndRecord( GetParam(), 12, Order::ofTheIds ) );
}

TEST_P( Contract, CT46_EqualAgainAfterResetPool )
{
    Arena arena( GetParam(), 47, 6 );
    const std::vector<IdPair> first = liveAndRecord( arena, 8 );
    arena.broadphase.resetPool( nullptr );
    arena.bodies = Bodies( arena.broadphase, 47, 6 );
    EXPECT_EQ( first, liveAndRecord( arena, 8 ) );
}
