// SPDX-License-Identifier: Zlib
// Which pairs there are after calculateOverlappingPairs: CT-01 to CT-04.
#include "contestants.h"

#include <cmath>

using namespace test;

static void liveRandomly( const RigKind& kind, int bodyCount, int operationCount )
{
    Arena arena( kind, uint64_t( bodyCount ), spreadFor( bodyCount ) );
    arena.bodies.createRandom( bodyCount );
    arena.bodies.update();
    ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) );
    for ( int operation = 0; operation < operationCount; )
    {
        const int burst = 1 + int( arena.bodies.random().below( 20 ) );
        for ( int i = 0; i < burst; ++i, ++operation )
        {
            arena.bodies.randomOperation();
        }
        arena.bodies.update();
        ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) ) << "operation " << operation;
    }
}

TEST_P( Contract, CT01_SetEqualsOracle )
{
    for ( int bodyCount : { 1, 2, 5, 40, 300, 1500 } )
    {
        SCOPED_TRACE( bodyCount );
        liveRandomly( GetParam(), bodyCount, 200 );
    }
}

TEST_P( Contract, CT01Large_TwentyThousandBodies )
{
    Arena arena( GetParam(), 1, spreadFor( 19000 ) );
    arena.bodies.createRandom( 19000 );
    arena.bodies.update();
    ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) );
    for ( int i = 0; i < 5000; ++i )
    {
        arena.bodies.randomOperation();
    }
    arena.bodies.update();
    ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) );
}
