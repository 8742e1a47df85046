// SPDX-License-Identifier: Zlib
// Bodies that are created and destroyed step after step in a world that mostly rests. `wide` finds lanes for them
// between the others, and does not sort all lanes again.
#include "tests/behaviour/backends/block_edges.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <algorithm>

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
            const bool isCrowd = m_random.below( 4 ) == 0;
            id = world.create( randomCube( m_random, isCrowd ? reach / 2 : reach ), restingFilter );
        }
    }

    void moveSome( World& world, const Ids& moving )
    {
        for ( const cltProxyId id : moving )
        {
            world.move( id, shifted( world.boxOf( id ), m_random.between( -0.1, 0.1 ) ) );
        }
    }

    /// So large that they do not jump.
    Boxes unitCubes( int count )
    {
        const auto coordinate = [this] { return m_random.between( -reach, reach ); };
        return boxesOf( count, [&]( int ) { return cube( coordinate(), coordinate(), coordinate(), 0.5 ); } );
    }

    cltAabbD movedAlongAnAxis( cltAabbD box )
    {
        const size_t axis = m_random.below( 3 );
        const double distance = m_random.between( -1.5, 1.5 );
        box.lower[axis] += distance;
        box.upper[axis] += distance;
        return box;
    }

    const cltFilter restingFilter = { 2, -3 }; // rejects its like
    Random m_random = Random( 1 );
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Churn, testing::ValuesIn( allPrecisions ), precisionName );

/// Work is counted in iterations of parallel loops. A sort takes several for each lane. 9,600 bodies are replaced: the
/// first ones cause a sort that leaves gaps, and where later ones find no free lane, a window is rebalanced.
TEST_P( Churn, OnlyTheFirstBodyCausesASortOfAllLanes )
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
    std::vector<int> sorts;
    for ( int step = 0; step < 300; ++step )
    {
        replaceSome( world, resting );
        moveSome( world, moving );
        workCount = 0;
        step % 50 == 49 ? world.update() : world.updateOnly();
        if ( workCount > restingCount / 2 )
        {
            sorts.push_back( step );
        }
    }
    world.expectPairs();
    EXPECT_EQ( sorts, std::vector<int>{ 0 } );
}

/// Bodies that are searched together lie near each other, however far they have moved.
TEST_P( Churn, MoversThatMixStayInSmallBlocks )
{
    World world( defOf( clt_algorithmWide, GetParam() ) );
    world.createAll( randomCubes( m_random, restingCount, reach ), restingFilter );
    const Ids moving = world.createAll( unitCubes( 400 ) );
    double edgeAtFirst = 0;
    for ( int step = 0; step < 200; ++step )
    {
        for ( const cltProxyId id : moving )
        {
            world.move( id, movedAlongAnAxis( world.boxOf( id ) ) );
        }
        step % 50 == 49 ? world.update() : world.updateOnly();
        edgeAtFirst = step == 1 ? meanBlockEdge( world, moving ) : edgeAtFirst;
    }
    EXPECT_LT( meanBlockEdge( world, moving ), 1.6 * edgeAtFirst );
}
