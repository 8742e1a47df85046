// SPDX-License-Identifier: Zlib
// frontier finds the same pairs from every entry level and with every depth step. In dense scenes the buffers of the
// first update are too small for most pairs that a pass finds.
#include "tests/behaviour/backends/each_config.h"

#include <tuple>

using namespace test;

using PassesParam = std::tuple<int, int, cltPrecision>;

class Passes : public testing::TestWithParam<PassesParam>
{
protected:
    cltBroadphaseDef def( int threadCount = 2 )
    {
        const auto [entryLevel, depthStep, precision] = GetParam();
        m_research.entryLevel = entryLevel;
        m_research.depthStep = depthStep;
        cltBroadphaseDef def = defOf( clt_algorithmFrontier, precision, threadCount );
        def.research = &m_research;
        return def;
    }

    /// Number of pairs of `nodeCount` nodes, including each node with itself.
    static uint64_t pairsOf( uint64_t nodeCount )
    {
        return nodeCount * ( nodeCount + 1 ) / 2;
    }

    cltResearchDef m_research = cltDefaultResearchDef();
};

static std::string passesName( const testing::TestParamInfo<PassesParam>& info )
{
    const auto [entryLevel, depthStep, precision] = info.param;
    return ( entryLevel < 0 ? "auto" : "entry" + std::to_string( entryLevel ) ) + "_step" +
           std::to_string( depthStep ) + "_" + nameOf( precision );
}

INSTANTIATE_TEST_SUITE_P(, Passes,
                         testing::Combine( testing::Values( -1, 0, 3, CLT_MAX_ENTRY_LEVEL ),
                                           testing::Values( 1, 2, 3, 4 ), testing::ValuesIn( allPrecisions ) ),
                         passesName );

TEST_P( Passes, AreExactForFewBodiesAndDenseScenes )
{
    for ( uint32_t count : { 0u, 1u, 2u, 3u, 5u, 17u, 64u, 65u, 300u } )
    {
        World world( def() );
        Random random( count );
        Ids ids = world.createAll( randomCubes( random, count, 3 ) );
        world.update();
        for ( int step = 0; step < 3; ++step )
        {
            for ( size_t i = 0; i < ids.size(); i += step == 0 ? 1 : 5 ) // all bodies, then few
            {
                world.move( ids[i], randomCube( random, 3 ) );
            }
            world.update();
        }
    }
}

/// All nodes of a level overlap each other, so the numbers of pairs found and tested follow from the number of nodes.
/// These numbers are the same with any number of threads.
TEST_P( Passes, CountTheNodePairsOfAHeap )
{
    const bool isCpu = testDevice == clt_deviceCpu;
    const int top = isCpu ? 8 : 9; // a device's tree has twice as many leaves; the additional nodes are empty
    const int asked = std::get<0>( GetParam() );
    uint64_t peak = 0;
    uint64_t testCount = 0;
    uint32_t passCount = 0;
    int above = top; // the first pass, and a pass that follows the root's, test empty nodes too
    for ( int level = top - std::min( top, asked >= 0 ? asked : isCpu ? 5 : 10 );; )
    {
        testCount += pairsOf( ( above == top ? 1u << top : 256u ) >> level );
        ++passCount;
        if ( level == 0 )
        {
            break;
        }
        peak = pairsOf( std::max( 1u, 256u >> level ) );
        above = level;
        level = std::max( 0, level - std::get<1>( GetParam() ) );
    }
    for ( const int threadCount : { 1, 3 } )
    {
        World world( def( threadCount ) );
        Random random( 256 );
        world.createAll(
            boxesOf( 256, [&]( int ) { return cube( random.unit(), random.unit(), random.unit(), 1.0 ); } ) );
        world.update();
        EXPECT_EQ( 256u * 255u / 2u, world.pairCount() );
        EXPECT_EQ( testCount, world.researchStats().nodeTestCount );
        EXPECT_EQ( passCount, world.researchStats().passCount );
        EXPECT_EQ( peak, world.researchStats().frontierPeak );
    }
}
