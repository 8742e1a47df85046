// SPDX-License-Identifier: Zlib
// The same calls give the same pair array, with any algorithm and number of threads: CT-46. The order of the array
// determines the order of the solver, and so the positions of bodies.
#include "contestants.h"

using namespace test;

/// The pair arrays of twelve updates with random operations in between.
static std::vector<IdPair> recordPairs( Arena& arena, std::vector<IdPair> ( *read )( const btOverlappingPairCache& ) )
{
    std::vector<IdPair> record;
    arena.bodies.createRandom( 600 );
    for ( int step = 0; step < 12; ++step )
    {
        arena.bodies.update();
        const std::vector<IdPair> array = read( arena.cache );
        record.insert( record.end(), array.begin(), array.end() );
        arena.bodies.runRandomOperations( 100 );
    }
    arena.bodies.destroyAll();
    return record;
}

static std::vector<IdPair> recordPairs( const RigKind& kind,
                                        std::vector<IdPair> ( *read )( const btOverlappingPairCache& ) = arrayOf )
{
    Arena arena( kind, 46, 6 );
    return recordPairs( arena, read );
}

/// Two runs with one thread are the same, too.
TEST_P( Contract, CT46_PairArrayIsTheSameForEachThreadCountAndAlgorithm )
{
    RigKind kind = GetParam();
    kind.algorithm = clt_algorithmLbvh;
    kind.threadCount = 1;
    const std::vector<IdPair> reference = recordPairs( kind );
    ASSERT_GT( reference.size(), 1000u );
    for ( int threadCount : { 1, 2, 3, 8 } )
    {
        kind = GetParam();
        kind.threadCount = threadCount;
        ASSERT_EQ( reference, recordPairs( kind ) ) << threadCount << " threads";
    }
}

/// The order may differ: in cullet's own cache, pairs that begin take the places of pairs that ended.
TEST_P( Contract, CT46_PairsAreTheSameWithAGivenCache )
{
    RigKind given = GetParam();
    if ( given.engine == Engine::cullet )
    {
        given.engine = Engine::culletHashed;
    }
    ASSERT_EQ( recordPairs( given, pairsOf ), recordPairs( GetParam(), pairsOf ) );
}

TEST_P( Contract, CT46_PairArrayIsTheSameAfterResetPool )
{
    Arena arena( GetParam(), 47, 6 );
    const std::vector<IdPair> first = recordPairs( arena, arrayOf );
    arena.broadphase.resetPool( nullptr );
    arena.bodies = Bodies( arena.broadphase, 47, 6 );
    EXPECT_EQ( first, recordPairs( arena, arrayOf ) );
}
