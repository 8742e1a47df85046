// SPDX-License-Identifier: Zlib
// Memory is reused: after some updates, a further update allocates nothing. If the k-th allocation of an operation
// sequence fails, for every k, the call reports it, nothing is lost, and the repeated call succeeds.
#include "gpu/platform/memory.h"
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <deque>

using namespace test;

namespace
{

class Allocation : public testing::TestWithParam<Config>
{
protected:
    /// For k = 1, 2, ... runs the sequence with `count` failing allocations from the k-th on, until none of them is
    /// reached. Returns the number of sequences with a failed allocation.
    uint64_t failEach( uint64_t count, bool reportsDestroyed )
    {
        return failEachAllocation(
            [=]( Hooks& hooks, uint64_t k )
            {
                hooks.failAllocations( k, count );
                int saidCount = 0;
                live( hooks, reportsDestroyed, saidCount );
                EXPECT_LE( saidCount, hooks.failureCount() > 0 ? 1 : 0 ) << "calls that said that memory was lacking";
                m_silentCount += hooks.failureCount() > 0 && saidCount == 0;
            } );
    }

    int m_silentCount = 0; ///< sequences in which an allocation failed and no call reported it

private:
    static BroadphasePtr create( const cltBroadphaseDef& def, Hooks& hooks, int& saidCount )
    {
        cltBroadphase* broadphase = nullptr;
        cltStatus status = cltCreateBroadphase( &def, &broadphase );
        if ( status == clt_hostMemory )
        {
            ++saidCount;
            hooks.failAllocations( 0, 0 );
            EXPECT_EQ( nullptr, broadphase );
            EXPECT_EQ( 0u, hooks.bytesHeld() );
            status = cltCreateBroadphase( &def, &broadphase );
        }
        EXPECT_EQ( clt_ok, status );
        return BroadphasePtr( broadphase );
    }

    static void live( Hooks& hooks, bool reportsDestroyed, int& saidCount )
    {
        cltBroadphaseDef def = defOf( GetParam() );
        def.reportDestroyed = reportsDestroyed;
        hooks.installMemory( def );
        World world( create( def, hooks, saidCount ), def );
        world.onOutOfMemory = [&]
        {
            ++saidCount;
            hooks.failAllocations( 0, 0 );
            world.expectProxies(); // the failed call changed nothing
            world.expectPairs();
        };
        Random random( 1 );
        world.createAll( randomCubes( random, 60, 2 ) );
        world.update();
        for ( int step = 0; step < 2; ++step )
        {
            for ( cltProxyId proxy = 0; proxy < 60; proxy += 2 )
            {
                world.move( proxy, step == 0 ? cube( 0, 0, 0, 1 ) : randomCube( random, 2 ) );
            }
            world.updateOnly();
        }
        world.destroyAll( { 1, 3, 5, 7 } );
        world.createAll( randomCubes( random, 150, 2 ) ); // more proxies than before, so buffers grow
        world.expectPairs();
        world.update();
        world.setFilter( 2, { 1, 0 } );
        world.destroyAll( { 0 } );
        world.update();
        Ids alive;
        for ( const auto& proxy : world.proxies() )
        {
            alive.push_back( proxy.first );
        }
        world.destroyAll( alive );
        world.updateOnly();
        world.createAll( randomCubes( random, 100, 2 ) ); // reuses ids of destroyed proxies
        world.expectProxies();
        world.update();
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Allocation, testing::ValuesIn( configsWith( 3 ) ), configName );

/// No update has listed all pairs, so the list is made after the failure, from the state before it.
TEST_P( Allocation, PairsOfTheLastUpdateCanBeReadAfterAFailedOne )
{
    for ( const auto& [before, added] : { std::pair<uint32_t, uint32_t>{ 150, 20 }, { 10, 40 } } )
    {
        const uint64_t failed = failEachAllocation(
            [before = before, added = added]( Hooks& hooks, uint64_t k )
            {
                cltBroadphaseDef def = defOf( GetParam() );
                hooks.installMemory( def );
                World world( def );
                Random random( 3 );
                const Ids ids = world.createAll( randomCubes( random, before, 4 ) );
                world.updateOnly();
                world.moveAll( { ids[0], ids[1] }, randomCubes( random, 2, 4 ) );
                world.updateOnly();
                world.moveAll( { ids.begin(), ids.begin() + 8 }, randomCubes( random, 8, 4 ) );
                world.createAll( randomCubes( random, added, 4 ) );
                hooks.failAllocations( k, 1 );
                const bool hasFailed = world.tryUpdate() != clt_ok;
                hooks.failAllocations( 0, 0 );
                world.expectPairs();
                hasFailed ? world.update() : world.updateOnly();
            } );
        EXPECT_TRUE( failed > 0u || GetParam().device != clt_deviceCpu ) << "a device may need no memory of the host";
    }
}

TEST_P( Allocation, NoneAfterWarmUp )
{
    Hooks hooks;
    cltBroadphaseDef def = defOf( GetParam() );
    hooks.installMemory( def );
    World world( def );
    Random random( 2 );
    const Boxes places[] = { randomCubes( random, 300, 3 ), randomCubes( random, 300, 3 ),
                             randomCubes( random, 300, 3 ) };
    const Ids proxies = world.createAll( places[0] );
    auto cycle = [&]
    {
        for ( const auto& boxes : places )
        {
            world.moveAll( proxies, boxes );
            world.update();
        }
    };
    cycle();
    cycle();
    uint64_t warm = hooks.allocationCount();
    size_t bytes = hooks.bytesHeld();
    cycle();
    cycle();
    EXPECT_EQ( warm, hooks.allocationCount() );
    EXPECT_EQ( bytes, hooks.bytesHeld() );
    EXPECT_EQ( bytes, world.stats().hostBytes );
}

TEST_P( Allocation, NoneWhenProxiesAreReplaced )
{
    Hooks hooks;
    cltBroadphaseDef def = defOf( GetParam() );
    hooks.installMemory( def );
    World world( def );
    Random random( 3 );
    const Boxes boxes = randomCubes( random, 400, 3 );
    std::deque<cltProxyId> proxies;
    size_t next = 0;
    auto createNext = [&] { proxies.push_back( world.create( boxes[next++ % boxes.size()] ) ); };
    while ( proxies.size() < 200 )
    {
        createNext();
    }
    auto replaceAllTwice = [&] // afterwards the world has the same boxes
    {
        for ( int step = 0; step < 40; ++step )
        {
            for ( int i = 0; i < 10; ++i )
            {
                world.destroy( proxies.front() );
                proxies.pop_front();
                createNext();
            }
            world.update();
        }
    };
    replaceAllTwice();
    replaceAllTwice();
    uint64_t warm = hooks.allocationCount();
    replaceAllTwice();
    EXPECT_EQ( warm, hooks.allocationCount() );
}

TEST_P( Allocation, EachMayFailOnce )
{
    EXPECT_GT( failEach( 1, false ), 5u );
    // Without memory for the list of its next pass, `frontier` on the CPU walks down without passes, and succeeds.
    const Config& config = GetParam();
    const bool walksAtOnce =
        config.device == clt_deviceCpu && config.algorithm == clt_algorithmFrontier && !config.keepFront;
    EXPECT_EQ( walksAtOnce, m_silentCount > 0 );
}

TEST_P( Allocation, EachMayFailUntilTheCallReturns )
{
    EXPECT_GT( failEach( 1000000, true ), 5u );
    EXPECT_EQ( 0, m_silentCount );
}

/// A failed update may have enlarged some of its buffers. The next update has fewer bodies and needs no larger ones.
TEST_P( Allocation, FewerBodiesMayRemainAfterAFailedUpdate )
{
    const uint64_t triedCount = failEachAllocation(
        []( Hooks& hooks, uint64_t k )
        {
            cltBroadphaseDef def = defOf( GetParam() );
            hooks.installMemory( def );
            World world( def );
            Random random( 4 );
            const Ids first = world.createAll( randomCubes( random, 60, 2 ) );
            world.update();
            const Ids others = world.createAll( randomCubes( random, 400, 5 ) );
            hooks.failAllocations( k, 1 );
            world.tryUpdate();
            hooks.failAllocations( 0, 0 );
            world.destroyAll( others );
            world.update();
            world.moveAll( first, randomCubes( random, 60, 2 ) );
            world.update();
        } );
    EXPECT_LT( GetParam().device == clt_deviceCpu ? 1u : 0u, triedCount ) << "a device needs little memory of the host";
}

/// The list of all pairs is discarded when its memory shrinks, even if the same update then fails.
TEST( PairListMemory, MayShrinkInAFailedUpdate )
{
    const uint64_t leaving = 44; // bodies that leave the others, each in an update of its own
    const auto live = [=]( Hooks& hooks, uint64_t k, uint64_t quietCount )
    {
        cltBroadphaseDef def = defOf( clt_algorithmAuto );
        hooks.installMemory( def );
        World world( def );
        Ids ids;
        for ( int body = 0; body < 64; ++body ) // one by one, so that no update has many changes
        {
            ids.push_back( world.create( cube( 0, 0, 0, 1 ) ) );
            world.updateOnly();
        }
        world.expectPairs();
        for ( size_t i = ids.size() - leaving; i < ids.size(); ++i )
        {
            world.move( ids[i], cube( 10.0 * double( i ), 0, 0, 1 ) );
            world.updateOnly();
        }
        for ( uint64_t update = 0; update < quietCount; ++update )
        {
            world.move( ids[63], cube( 1000 + double( update ), 0, 0, 1 ) );
            world.updateOnly();
            const cltPair* pairs;
            size_t count;
            EXPECT_EQ( clt_ok, cltBroadphase_GetPairs( world.broadphase(), &pairs, &count ) );
        }
        world.moveAll( { ids.begin() + 20, ids.begin() + 30 }, Boxes( 10, cube( 0, 0, 0, 1 ) ) );
        hooks.failAllocations( k, 1 );
        world.tryUpdate();
        hooks.failAllocations( 0, 0 );
        world.expectPairs();
    };
    uint64_t failures = 0;
    for ( uint64_t before = 0; before < 4; ++before ) // updates before the one in which the memory shrinks
    {
        failures += failEachAllocation( [=]( Hooks& hooks, uint64_t k )
                                        { live( hooks, k, CLT_SHRINK_DELAY - leaving - before ); } );
    }
    EXPECT_GT( failures, 0u );
}

/// If there is no memory to make the tree of an earlier query one that moved boxes can be put back into, queries find
/// the same without it.
TEST( QueryMemory, MayRunOutWhileATreeIsReplaced )
{
    const uint64_t failures = failEachAllocation(
        []( Hooks& hooks, uint64_t k )
        {
            cltBroadphaseDef def = defOf( clt_algorithmWide );
            hooks.installMemory( def );
            World world( def );
            Random random( 5 );
            const auto moveOne = [&]( cltProxyId id ) { world.move( id, randomCube( random, 20 ) ); };
            const Ids ids = world.createAll( randomCubes( random, 300, 20 ) );
            world.updateOnly();
            world.moveAll( ids, randomCubes( random, 300, 20 ) );
            world.expectQueries( random, 300 ); // so many that one builds a tree, which the next move keeps
            moveOne( ids[0] );
            world.createAll( randomCubes( random, 25, 20 ) );
            world.expectQueries( random, 300 );
            hooks.failAllocations( k, 1 );
            moveOne( ids[0] );
            hooks.failAllocations( 0, 0 );
            moveOne( ids[1] );
            world.expectQueries( random, 12 ); // so few that the next move puts boxes back
            moveOne( ids[2] );
            world.expectQueries( random, 50 );
        } );
    EXPECT_GT( failures, 0u );
}
