// SPDX-License-Identifier: Zlib
// The parallelFor hook: any order of ranges on any threads gives the same bytes.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/support/threads.h"
#include "tests/support/world.h"

using namespace test;

class ParallelFor : public testing::TestWithParam<Config>
{
protected:
    /// Creates, moves and destroys proxies of a world with this loop, and compares it with the oracle in each step.
    void expectExactPairsWith( cltParallelForFcn* loop )
    {
        Hooks hooks;
        cltBroadphaseDef def = defOf( GetParam() );
        hooks.installMemory( def ); // sees allocations that happen inside a loop
        hooks.installLoop( def, loop );
        {
            World world( def );
            Random random( 1 );
            std::vector<cltProxyId> proxies = world.createAll( randomCubes( random, 5000, 14 ) );
            world.updateOnly();
            for ( int step = 0; step < 2; ++step )
            {
                for ( size_t i = static_cast<size_t>( step ); i < proxies.size(); i += 2 )
                {
                    world.move( proxies[i], randomCube( random, 12 ) );
                }
                world.destroy( proxies.back() );
                proxies.pop_back();
                proxies.push_back( world.create( randomCube( random, 12 ) ) );
                world.updateOnly();
            }
            world.expectPairs();
        }
        if ( GetParam().device == clt_deviceCpu )
        {
            EXPECT_GT( hooks.rangeCount(), hooks.loopCount() ) << "no loop was large enough to be divided";
        }
        EXPECT_EQ( 0u, hooks.bytesHeld() );
    }
};

INSTANTIATE_TEST_SUITE_P(, ParallelFor, testing::ValuesIn( configsWith( 1 ) ), configName );

TEST_P( ParallelFor, MayRunRangesBackwards )
{
    expectExactPairsWith( Hooks::backwardLoop );
}

TEST_P( ParallelFor, MayRunRangesOnOtherThreads )
{
    if ( !test::hasThreads )
    {
        GTEST_SKIP();
    }
    expectExactPairsWith( Hooks::threadedLoop );
}
