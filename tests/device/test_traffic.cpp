// SPDX-License-Identifier: Zlib
// The cost of an update without timing: waits, allocations and bytes across the bus. The results do not depend on the
// order of blocks and threads.
#include "tests/device/emulation/emulation.h"
#include "tests/support/config.h"
#include "tests/support/random_operations.h"

using namespace test;

namespace
{

/// An algorithm and the output of its search.
using Searcher = std::pair<cltAlgorithm, cltOutput>;

class Traffic : public testing::TestWithParam<Searcher>
{
protected:
    cltBroadphaseDef def( cltPrecision precision = clt_precisionFloat )
    {
        cltBroadphaseDef def = defOf( GetParam().first, precision );
        m_research.output = GetParam().second;
        def.research = &m_research;
        return def;
    }

    /// A row of overlapping cubes. Each call gives them other positions.
    Boxes row( int count )
    {
        return boxesOf( count, [this]( int i )
                        { return cube( 0.5 * i, 0.001 * ( i % 7 ), m_random.between( 0, 0.1 ), 0.4 ); } );
    }

    emulation::Cleanup m_cleanup;
    cltResearchDef m_research = cltDefaultResearchDef();
    Random m_random{ 3 };
};

INSTANTIATE_TEST_SUITE_P(, Traffic,
                         testing::Values( Searcher( clt_algorithmBruteForce, clt_outputKeys ),
                                          Searcher( clt_algorithmBruteForce, clt_outputBits ),
                                          Searcher( clt_algorithmGrid, clt_outputKeys ),
                                          Searcher( clt_algorithmLbvh, clt_outputKeys ),
                                          Searcher( clt_algorithmWide, clt_outputKeys ),
                                          Searcher( clt_algorithmFrontier, clt_outputKeys ) ),
                         []( const auto& info )
                         {
                             const bool hasBits = info.param.second == clt_outputBits;
                             return cltAlgorithmName( info.param.first ) + std::string( hasBits ? "_bits" : "" );
                         } );

} // namespace

/// From the third update on, each update waits once and allocates nothing.
TEST_P( Traffic, WaitsOnceAndAllocatesNothingAfterWarmUp )
{
    World world( def() );
    world.createAll( row( 600 ) );
    for ( int step = 0; step < 6; ++step )
    {
        const emulation::Counts before = emulation::counts;
        world.updateOnly();
        if ( step >= 2 )
        {
            EXPECT_EQ( 1u, emulation::counts.waits - before.waits );
            EXPECT_EQ( before.allocations, emulation::counts.allocations );
            EXPECT_EQ( 0u, world.researchStats().redoCount );
        }
        world.moveAll( 600, nullptr, row( 600 ) );
    }
}

TEST_P( Traffic, SendsOnlyWhatChanged )
{
    World world( def() );
    world.createAll( row( 1000 ) );
    world.updateOnly();
    world.moveAll( 10, nullptr, row( 10 ) );
    const emulation::Counts before = emulation::counts;
    world.updateOnly();
    const uint64_t perSlot = sizeof( cltAabb ) + sizeof( uint32_t ); // the filters are on the device
    EXPECT_GE( emulation::counts.bytesToDevice - before.bytesToDevice, 10 * perSlot );
    EXPECT_LE( emulation::counts.bytesToDevice - before.bytesToDevice, 10 * perSlot + 64 );
}

/// All bodies jump: there are twice the leaves, and many pairs.
TEST_P( Traffic, GrowsBuffersWithinTheUpdate )
{
    World world( def() );
    const int count = 1030; // more bodies than the least capacity for extra leaves
    world.createAll( cubesInARow( count, 3, 0.4 ) );
    world.updateOnly();
    world.moveAll( count, nullptr, boxesOf( count, []( int i ) { return cube( i % 8 * 10, 0, 1e6, 1 ); } ) );
    world.updateOnly();
    EXPECT_EQ( 65792u, world.pairCount() );
    EXPECT_GE( world.researchStats().redoCount, 2u );
}

/// Runs blocks and threads in descending order. The other tests of this file run them in ascending order.
TEST_P( Traffic, DoesNotDependOnTheOrderOfExecution )
{
    emulation::machine.order = emulation::Order::backward;
    World world( def( clt_precisionDouble ) );
    runRandomOperations( world, 8 );
}
