// SPDX-License-Identifier: Zlib
// The number of launches, copies, clears and waits of an update is small and bounded at any size.
#include "tests/device/device_world.h"

using namespace test;

/// Counts spread, gather, climb, find, three steps of the sort of pairs, copy, wait and commit, and a copy for each
/// piece of the upload. An order that is not kept adds keys and their sort. A new region adds two clears and two
/// launches.
static uint32_t operationsOfTree( cltLeafOrder order, uint32_t pieceCount )
{
    return 10 + pieceCount + ( order == clt_orderKept ? 0 : 2 ) + ( order == clt_orderNewRegion ? 4 : 0 );
}

/// The maximum that gpu/cuda/README.md promises for up to a million bodies, which are sent in three pieces.
static uint32_t mostOperations( cltLeafOrder order )
{
    return order == clt_orderKept ? 13 : 19;
}

/// Counts the operations of tree updates in which all bodies move, with a kept and with a new order. In every second
/// step each cube of a row overlaps its neighbours, so there are as many changes as bodies.
TEST( Operations, AreFewForTheTreeAtAnySize )
{
    constexpr int count = 140000;
    const auto flickering = []( int step )
    {
        const double half = step % 2 == 0 ? 0.26 : 0.24;
        return boxesOf( count, [=]( int i ) { return cube( 0.5 * ( i % 1000 ), i / 1000, 0.001 * ( i % 7 ), half ); } );
    };
    DeviceWorld world( clt_algorithmLbvh );
    cltCudaBackend& cuda = *world.cuda;
    world.createAll( flickering( 0 ) );
    world.updateOnly(); // finds the initial pairs
    for ( int step = 1; step <= 6; ++step )
    {
        const size_t pairCountBefore = world.pairCount();
        world.moveAll( count, nullptr, flickering( step ) );
        if ( step % 2 == 0 ) // a body hides, and comes back
        {
            world.move( 0, span( notANumber, 0 ) );
        }
        cuda.leaves.regionUses = step < 5 ? cuda.leaves.regionUses : 0u;
        world.updateOnly();
        const cltLeafOrder order = cuda.leaves.order;
        const uint32_t found = world.researchStats().operationCount;
        EXPECT_EQ( step == 3 ? clt_orderLastRegion : step == 5 ? clt_orderNewRegion : clt_orderKept, order );
        EXPECT_LE( 0.99 * count, std::max( pairCountBefore, world.pairCount() ) );
        EXPECT_EQ( 0u, std::min( pairCountBefore, world.pairCount() ) );
        EXPECT_GE( mostOperations( order ), found + 1 );
        EXPECT_EQ( operationsOfTree( order, 2 ), found );
    }
}

/// Counts the operations of three updates that follow six others. Two keep the order, and the last one sorts, because a
/// body appears. The grid sorts in each update.
TEST( Operations, AreFewForTheOtherAlgorithms )
{
    for ( const cltAlgorithm algorithm : { clt_algorithmWide, clt_algorithmFrontier, clt_algorithmGrid } )
    {
        SCOPED_TRACE( cltAlgorithmName( algorithm ) );
        DeviceWorld world( algorithm );
        Random random( 5 );
        for ( int step = 0; step < 9; ++step )
        {
            const Boxes boxes = boxesOf(
                4500, [&]( int i ) { return cube( 0.5 * i, 0.001 * ( i % 7 ), random.between( 0, 0.1 ), 0.4 ); } );
            step == 0 ? (void)world.createAll( boxes ) : world.moveAll( boxes.size(), nullptr, boxes );
            if ( step == 7 ) // a body hides, and comes back
            {
                world.move( 0, span( notANumber, 0 ) );
            }
            world.updateOnly();
            const bool isNew = algorithm == clt_algorithmGrid || step == 8;
            const uint32_t found = world.researchStats().operationCount;
            EXPECT_TRUE( step < 6 || found <= ( isNew ? 31u : 17u ) ) << found;
            EXPECT_LE( 8u, found );
        }
    }
}

/// The number of operations of the last of three brute-force updates.
static uint32_t operationsOfAllPairs( cltOutput output, uint32_t count )
{
    cltResearchDef research = cltDefaultResearchDef();
    research.output = output;
    cltBroadphaseDef def = defOf( clt_algorithmBruteForce );
    def.research = &research;
    World world( def );
    Random random( 7 );
    const Ids ids = world.createAll( randomCubes( random, count, 5 ) );
    for ( int step = 0; step < 2; ++step )
    {
        world.updateOnly();
        for ( const cltProxyId id : ids )
        {
            world.move( id, shifted( world.boxOf( id ), random.between( 0, 0.1 ) ) );
        }
    }
    world.updateOnly();
    EXPECT_EQ( count * ( count - 1u ) / 2u, world.researchStats().candidateCount );
    return world.researchStats().operationCount;
}

/// A launch tests a bounded number of candidates, 131,072 in the tests (CMakeLists.txt). A thousand bodies have a
/// capacity of two thousand leaves, so their pairs take sixteen launches.
TEST( Slices, SplitBruteForceIntoLaunchesThatFindTheSame )
{
    EXPECT_LE( operationsOfAllPairs( clt_outputKeys, 100 ) + 15u, operationsOfAllPairs( clt_outputKeys, 1000 ) );
    EXPECT_LE( operationsOfAllPairs( clt_outputBits, 100 ) + 30u, operationsOfAllPairs( clt_outputBits, 1000 ) );
}
