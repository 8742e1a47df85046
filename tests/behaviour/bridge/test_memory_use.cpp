// SPDX-License-Identifier: Zlib
// Memory depends on the number of bodies and pairs: little for few bodies. After a peak, memory is freed, with a delay.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include "bridge/cullet_queries.h"

using namespace test;

namespace
{

/// After so many updates, a buffer that is too large has been shrunk.
const int updatesUntilShrunk = 260;

const uint32_t crowdCount = 4000;
const uint32_t fewCount = 100;

bool isWide( const Config& config )
{
    return config.device == clt_deviceCpu &&
           ( config.algorithm == clt_algorithmWide || config.algorithm == clt_algorithmAuto );
}

std::vector<Config> wideConfigs()
{
    std::vector<Config> wide;
    for ( const Config& config : configsWith( 3 ) )
    {
        isWide( config ) ? wide.push_back( config ) : void();
    }
    return wide;
}

class MemoryUse : public testing::TestWithParam<Config>
{
protected:
    MemoryUse()
    {
        m_def = defOf( GetParam() );
        m_hooks.installMemory( m_def );
        m_world = std::make_unique<World>( m_def );
    }

    void TearDown() override
    {
        m_world.reset();
        EXPECT_EQ( 0u, m_hooks.bytesHeld() );
    }

    Ids create( uint32_t count, double size )
    {
        const Ids ids = m_world->createAll( randomCubes( m_random, count, size ) );
        m_world->updateOnly();
        return ids;
    }

    /// Runs updates; before each, one body of `few` moves.
    void moveOne( const Ids& few, int updateCount )
    {
        for ( int update = 0; update < updateCount; ++update )
        {
            m_world->move( few[size_t( update ) % few.size()], randomCube( m_random, 5 ) );
            m_world->updateOnly();
        }
    }

    Hooks m_hooks;
    cltBroadphaseDef m_def;
    std::unique_ptr<World> m_world;
    Random m_random{ 7 };
};

/// While bodies tremble, wide keeps their places of rest and the pairs that are close to a change.
class MemoryOfTremblingBodies : public MemoryUse
{
protected:
    void tremble( const Ids& ids, const Boxes& rest )
    {
        for ( size_t i = 0; i < ids.size(); ++i )
        {
            m_world->move( ids[i], shifted( rest[i], m_random.between( -0.002, 0.002 ) ) );
        }
    }
};

INSTANTIATE_TEST_SUITE_P(, MemoryUse, testing::ValuesIn( configsWith( 3 ) ), configName );
INSTANTIATE_TEST_SUITE_P(, MemoryOfTremblingBodies, testing::ValuesIn( wideConfigs() ), configName );

void expectSmall( size_t bodyCount, cltPrecision precision, size_t mostBytes )
{
    SCOPED_TRACE( testing::Message() << bodyCount << " bodies of precision " << precision );
    Hooks hooks;
    cltBroadphaseDef def = defOf( clt_algorithmAuto, precision, 0 );
    hooks.installMemory( def );
    World world( def );
    Random random( 3 );
    Boxes boxes = randomCubes( random, bodyCount, 2 );
    const Ids ids = world.createAll( boxes );
    for ( size_t update = 0; update < 20; ++update )
    {
        boxes[update % bodyCount] = shifted( boxes[update % bodyCount], 0.01 );
        world.moveAll( ids, boxes );
        world.updateOnly();
    }
    EXPECT_LE( hooks.bytesHeld(), mostBytes );
    for ( int update = 0; update < 100; ++update )
    {
        world.moveAll( ids, randomCubes( random, bodyCount, 50 ) );
        world.updateOnly();
    }
    EXPECT_LE( hooks.bytesHeld(), mostBytes ) << "though all jump in each update";
}
} // namespace

TEST_P( MemoryUse, ShrinksAfterManyBodiesWereDestroyed )
{
    const Ids few = create( fewCount, 5 );
    const size_t before = m_hooks.bytesHeld();
    for ( int round = 0; round < 2; ++round )
    {
        const Ids crowd = create( crowdCount, 12 );
        m_world->expectPairs();
        const size_t most = m_hooks.bytesHeld();
        m_world->destroyAll( crowd );
        moveOne( few, 100 );
        EXPECT_GT( m_hooks.bytesHeld(), most / 2 ) << "it might come again";
        moveOne( few, 2 * updatesUntilShrunk );
        EXPECT_LT( m_hooks.bytesHeld(), isWide( GetParam() ) ? 3 * before : most );
        m_world->expectPairs();
        m_world->expectProxies();
        m_world->expectQueries( m_random, 20 );
    }
    create( 3, 5 ); // with the ids of freed memory
    m_world->expectPairs();
    create( crowdCount, 12 );
    m_world->update();
}

TEST_P( MemoryOfTremblingBodies, IsFreedAfterTheyWereDestroyed )
{
    const Ids few = create( fewCount, 5 );
    const size_t before = m_hooks.bytesHeld();
    const Boxes rest = randomCubes( m_random, crowdCount, 12 );
    const Ids crowd = m_world->createAll( rest );
    const auto goOn = []( cltProxyId, uint64_t, void* ) { return true; };
    for ( int update = 0; update < 20; ++update )
    {
        tremble( crowd, rest );
        for ( const cltProxyId proxy : crowd )
        {
            ASSERT_EQ( clt_ok, cltBroadphase_QueryNew( m_world->broadphase(), proxy, goOn, nullptr ) );
        }
        m_world->updateOnly();
    }
    m_world->expectPairs();
    m_world->destroyAll( crowd );
    moveOne( few, 3 * updatesUntilShrunk );
    EXPECT_LT( m_hooks.bytesHeld(), 3 * before );
    create( crowdCount, 12 );
    m_world->update();
    m_world->expectQueries( m_random, 20 );
}

/// New ids follow from it, so it must not depend on which moves an algorithm calls a change.
TEST_P( MemoryUse, OfIdsShrinksWhileNothingChanges )
{
    const Ids few = create( fewCount, 5 );
    m_world->destroyAll( create( crowdCount, 12 ) );
    for ( int update = 0; update < 2 * updatesUntilShrunk; ++update )
    {
        m_world->updateOnly();
    }
    EXPECT_EQ( fewCount, create( 1, 5 )[0] );
    m_world->update();
    m_world->expectQueries( m_random, 20 );
}

/// Bodies tremble on after an update that failed for lack of memory: it may have begun to copy their boxes.
TEST_P( MemoryOfTremblingBodies, MayBeLackingForAWhile )
{
    Boxes rest = randomCubes( m_random, 600, 5 );
    const Ids bodies = m_world->createAll( rest );
    int failedCount = 0;
    for ( uint32_t step = 0; step < 120 && !HasFailure(); ++step )
    {
        for ( int jumps = 0; jumps < 5 && step % 3 == 1; ++jumps )
        {
            rest[m_random.below( rest.size() )] = randomCube( m_random, 5 );
        }
        tremble( bodies, rest );
        if ( step % 3 == 1 )
        {
            m_world->create( randomCube( m_random, 5 ) ); // so that an update needs memory now and then
            m_hooks.failAllocations( 1 + step / 3 % 4, UINT32_MAX );
            failedCount += m_world->tryUpdate() != clt_ok;
            m_hooks.failAllocations( 1, 0 );
            tremble( bodies, rest );
        }
        m_world->updateOnly();
    }
    EXPECT_LT( 0, failedCount );
}

/// An update that reports the pairs of destroyed proxies keeps their places until the next one, and nothing changes.
TEST_P( MemoryUse, OfReportedIdsShrinksWhileNothingChanges )
{
    m_def.reportDestroyed = true;
    m_world = std::make_unique<World>( m_def );
    create( fewCount, 5 );
    m_world->destroyAll( create( crowdCount, 12 ) );
    for ( int update = 0; update < 2 * updatesUntilShrunk; ++update )
    {
        m_world->updateOnly();
    }
    create( 1, 5 );
    m_world->update();
    m_world->expectQueries( m_random, 20 );
}

/// The remaining bodies have the highest ids. Memory indexed by id stays, and shrinking is not tried repeatedly.
TEST_P( MemoryUse, SettlesIfTheHighestIdsRemain )
{
    const Ids crowd = create( crowdCount, 12 );
    const Ids few = create( fewCount, 5 );
    m_world->destroyAll( crowd );
    moveOne( few, 2 * updatesUntilShrunk );
    m_world->update();
    const uint64_t warm = m_hooks.allocationCount();
    moveOne( few, 2 * updatesUntilShrunk );
    if ( isWide( GetParam() ) )
    {
        EXPECT_GE( warm + 8, m_hooks.allocationCount() ); // one of the updates sorted the bodies again
    }
    m_world->update();
    create( crowdCount, 12 );
    m_world->update();
}

/// Shrinking a buffer needs memory for the smaller one. If this is lacking, the buffer stays, and no update fails.
TEST_P( MemoryUse, StaysIfThereIsNoMemoryForSmallerBuffers )
{
    const Ids few = create( fewCount, 5 );
    m_world->destroyAll( create( crowdCount, 12 ) );
    moveOne( few, 100 );
    m_hooks.failAllocations( 1, UINT64_MAX / 2 );
    for ( int update = 0; update < 2 * updatesUntilShrunk; ++update )
    {
        m_world->move( few[0], update % 2 == 0 ? span( 0, 1 ) : span( 0, 1.001 ) );
        m_world->updateOnly();
    }
    m_world->expectQueries( m_random, 20 );
    m_hooks.failAllocations( 1, 0 );
    create( crowdCount, 12 );
    m_world->update();
}

/// A program may have hundreds of small worlds.
TEST( MemoryOfAWorld, OfFewBodiesIsSmall )
{
    if ( testDevice != clt_deviceCpu )
    {
        GTEST_SKIP() << "a device's world is larger";
    }
    expectSmall( 5, clt_precisionFloat, 4700 );
    expectSmall( 20, clt_precisionFloat, 5400 );
    expectSmall( 20, clt_precisionDouble, 6000 );
    expectSmall( 60, clt_precisionDouble, 13800 );
}
