// SPDX-License-Identifier: Zlib
// Bodies that are created and destroyed step after step in a world that mostly rests. `wide` finds lanes for them
// between the others, and does not sort all lanes again.
#include "tests/support/config.h"
#include "tests/support/world.h"

using namespace test;

namespace
{

/// A loop on the calling thread that counts the indices that it was called for.
void countingLoop( cltTask* task, uint32_t count, uint32_t grain, void* taskContext, void* total )
{
    *static_cast<uint64_t*>( total ) += count;
    for ( uint32_t first = 0; first < count; first += grain )
    {
        task( first, std::min( first + grain, count ), taskContext );
    }
}

class Churn : public testing::TestWithParam<cltPrecision>
{
protected:
    static constexpr size_t restingCount = 5000, movingCount = 60, replacedCount = 24;
    static constexpr double reach = 20;

    static cltBroadphaseDef def( uint64_t* workCount )
    {
        cltBroadphaseDef def = defOf( clt_algorithmWide, GetParam() );
        def.hooks.parallelFor = countingLoop;
        def.hooks.userContext = workCount;
        return def;
    }

    void replaceSome( World& world, Ids& resting )
    {
        for ( size_t i = 0; i < replacedCount; ++i )
        {
            cltProxyId& id = resting[m_random.below( resting.size() )];
            world.destroy( id );
            id = world.create( randomCube( m_random, reach ), restingFilter );
        }
    }

    void moveSome( World& world, const Ids& moving )
    {
        for ( const cltProxyId id : moving )
        {
            world.move( id, shifted( world.boxOf( id ), m_random.between( -0.1, 0.1 ) ) );
        }
    }

    const cltFilter restingFilter = { 2, -3 }; // rejects its like
    Random m_random = Random( 1 );
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Churn, testing::ValuesIn( allPrecisions ), precisionName );

/// Work is counted in iterations of parallel loops. A sort alone takes several for each lane, and is due if one in 32
/// lanes is unsorted. 3,600 bodies are replaced.
TEST_P( Churn, HardlyAnyUpdateProcessesAllLanes )
{
    if ( testDevice != clt_deviceCpu )
    {
        GTEST_SKIP() << "on the CPU alone the application runs the loops";
    }
    uint64_t workCount = 0;
    World world( def( &workCount ) );
    Ids resting = world.createAll( randomCubes( m_random, restingCount, reach ), restingFilter );
    const Ids moving = world.createAll( randomCubes( m_random, movingCount, reach ) );
    world.updateOnly();
    EXPECT_LT( restingCount, workCount ) << "the first update processes all lanes";
    int sortCount = 0;
    for ( int step = 0; step < 150; ++step )
    {
        replaceSome( world, resting );
        moveSome( world, moving );
        workCount = 0;
        world.updateOnly();
        sortCount += workCount > restingCount / 2;
    }
    world.expectPairs();
    EXPECT_GE( 2, sortCount ) << "and 18 if no body found a lane between others";
}
