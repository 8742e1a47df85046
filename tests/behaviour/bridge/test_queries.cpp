// SPDX-License-Identifier: Zlib
// Box and volume queries see every change at once, with the tree of an update, with no tree, with trees that queries
// build, and without memory for such trees; also on many threads and in callbacks.
#include "cullet_queries.h"
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/support/threads.h"
#include "tests/support/world.h"

#include <thread>

using namespace test;

namespace
{

/// How often a sequence of steps makes changes, queries and updates.
struct Pattern
{
    const char* name;
    int stepCount;
    int changeCount;       ///< per step
    int queryCount;        ///< per step
    double smallShare;     ///< share of the changes that are small moves
    uint32_t updateOneIn;  ///< one step in so many begins with an update
    uint32_t moveAllOneIn; ///< one step in so many moves all proxies
    uint64_t failureCount; ///< consecutive allocations that fail; if not 0, all changes are moves
};

constexpr uint32_t never = UINT32_MAX;
constexpr Pattern patterns[] = {
    { "a query after each change", 3000, 1, 1, 0, 400, 4000, 0 },
    { "a query after each small move", 2700, 1, 1, 0.9, 900, 900, 0 },
    { "many queries after a few changes", 8, 20, 60, 0, 2, 4, 0 },
    { "many queries after many changes", 8, 300, 60, 0, 2, 4, 0 },
    { "few queries after many changes", 20, 100, 3, 0, 4, 4, 0 },
    { "some allocations fail", 300, 1, 1, 1, never, never, 3 },
    { "all allocations fail", 6, 100, 60, 0, never, never, UINT64_MAX / 2 },
};

class Queries : public testing::TestWithParam<Config>
{
protected:
    static cltBroadphaseDef defWith( Hooks& hooks )
    {
        cltBroadphaseDef def = defOf( GetParam() );
        hooks.installMemory( def );
        return def;
    }

    Hooks hooks; // outlives the world
    World world{ defWith( hooks ) };
    Random random{ 5 };
    Ids proxies;

    cltAabbD oddBox()
    {
        switch ( random.below( 12 ) )
        {
        case 0:
            return { { 0, notANumber, 0 }, { 1, 1, 1 } };
        case 1:
            return span( -infinity, infinity );
        case 2:
            return span( 3, -3 );
        default:
            return randomCube( random, 4 );
        }
    }

    void create( size_t count )
    {
        for ( size_t i = 0; i < count; ++i )
        {
            proxies.push_back( world.create( oddBox() ) );
        }
    }

    void change( bool isMove = false, double smallShare = 0 )
    {
        const size_t i = random.below( uint32_t( proxies.size() ) );
        if ( random.between( 0, 1 ) < smallShare )
        {
            world.move( proxies[i], shifted( world.boxOf( proxies[i] ), random.between( -0.1, 0.1 ) ) );
            return;
        }
        switch ( isMove ? 3 : random.below( 10 ) )
        {
        case 0:
            world.destroy( proxies[i] );
            proxies[i] = proxies.back();
            proxies.pop_back();
            break;
        case 1:
            create( 1 + random.below( 3 ) );
            break;
        case 2: // queries ignore filters
            world.setFilter( proxies[i], { 0, int32_t( random.below( 2 ) ) } );
            break;
        default:
            world.move( proxies[i], oddBox() );
        }
    }

    void step( const Pattern& pattern )
    {
        if ( random.oneIn( pattern.updateOneIn ) )
        {
            random.oneIn( 2 ) ? world.update() : world.updateOnly(); // listing all pairs builds a tree, too
            world.expectQueries( random, random.oneIn( 2 ) ? 40 : 0 );
        }
        if ( random.oneIn( pattern.moveAllOneIn ) )
        {
            world.moveAll( proxies, randomCubes( random, proxies.size(), 4 ) );
        }
        for ( int i = 0; i < pattern.changeCount; ++i )
        {
            change( pattern.failureCount > 0, pattern.smallShare );
        }
        world.expectQueries( random, pattern.queryCount );
        world.expectQuery( span( -infinity, infinity ) );
    }
};

/// `auto` runs `wide`, the only algorithm with a tree that queries use.
std::vector<Config> queryConfigs()
{
    std::vector<Config> configs;
    for ( cltPrecision precision : allPrecisions )
    {
        configs.push_back( { testDevice, clt_algorithmAuto, precision, 1 } );
        configs.push_back( { testDevice, clt_algorithmBruteForce, precision, 1 } );
    }
    return configs;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, Queries, testing::ValuesIn( queryConfigs() ), configName );

TEST_P( Queries, SeeEveryChangeAtOnce )
{
    world.expectQueries( random, 5 ); // the world is empty
    for ( const Pattern& pattern : patterns )
    {
        SCOPED_TRACE( pattern.name );
        const uint64_t failureCount = hooks.failureCount();
        for ( uint64_t call = 1; call <= ( pattern.failureCount == 3 ? 11 : 1 ); ++call )
        {
            World fresh( defWith( hooks ) );
            std::swap( world, fresh );
            proxies.clear();
            create( 300 );
            world.update();
            hooks.failAllocations( call, pattern.failureCount );
            for ( int i = 0; i < pattern.stepCount && !HasFailure(); ++i )
            {
                step( pattern );
            }
            hooks.failAllocations( 1, 0 );
            world.expectQueries( random, 40 );
            world.update();
        }
        EXPECT_EQ( pattern.failureCount > 0, hooks.failureCount() > failureCount );
    }
}

/// Queries build an overview of all proxies, which joins the forest when a box moves (gpu/queries.h). Then many proxies
/// are created, queries build another overview of all proxies, and the update discards it.
TEST_P( Queries, MayBuildATreeForProxiesThatTheOtherTreesLack )
{
    create( 300 );
    world.updateOnly();
    world.moveAll( proxies, randomCubes( random, proxies.size(), 4 ) );
    world.expectQueries( random, 60 );
    world.move( proxies[0], randomCube( random, 4 ) );
    world.createAll( randomCubes( random, 3000, 4 ) );
    world.expectQueries( random, 100 );
    world.update();
    world.expectQueries( random, 10 );
}

/// Queries build a tree. A change of any kind keeps this tree, for which the broadphase then uses more memory.
TEST_P( Queries, BuildATreeThatAnyChangeKeeps )
{
    void ( *const changes[] )( World& ) = { []( World& it ) { it.create( span( 0, 1 ) ); },
                                            []( World& it ) { it.move( 0, span( 0, 1 ) ); },
                                            []( World& it ) {
                                                it.setFilter( 0, cltFilter{ 2, 3 } );
                                            },
                                            []( World& it ) { it.destroy( 0 ); } };
    for ( const auto& change : changes )
    {
        World fresh( defOf( GetParam() ) );
        fresh.createAll( randomCubes( random, 1000, 4 ) );
        fresh.expectQueries( random, 20 );
        const size_t bytes = fresh.stats().hostBytes;
        change( fresh );
        EXPECT_GT( fresh.stats().hostBytes, bytes + 1000 * sizeof( cltAabb ) );
    }
}

/// A failed update may leave its tree in any state. Queries do not use this tree; a later update makes a new one.
TEST_P( Queries, AreRightAfterAFailedUpdate )
{
    create( 300 );
    world.update();
    for ( int call = 1; call < 12; ++call )
    {
        create( 100 ); // needs memory in every stage
        for ( int i = 0; i < 100; ++i )
        {
            change();
        }
        hooks.failAllocations( uint64_t( call ), UINT64_MAX / 2 );
        const cltStatus status = cltBroadphase_Update( world.broadphase(), nullptr );
        hooks.failAllocations( 1, 0 );
        for ( int i = 0; i < 150; ++i ) // so many that queries build a tree
        {
            world.expectQueries( random, 1 );
            world.move( proxies[size_t( i )], randomCube( random, 4 ) );
        }
        const cltPair* pairs;
        size_t count;
        ASSERT_EQ( clt_ok, cltBroadphase_GetPairs( world.broadphase(), &pairs, &count ) );
        world.expectQueries( random, 40 );
        if ( status == clt_ok )
        {
            break;
        }
    }
    ASSERT_EQ( clt_ok, cltBroadphase_Update( world.broadphase(), nullptr ) );
    world.expectQueries( random, 40 );
    change();
    world.expectQueries( random, 40 );
}

TEST_P( Queries, IncludeTouchingBoxesIgnoreFiltersAndAreNotRounded )
{
    const cltProxyId proxy = world.create( span( 0, 1 ), { 0, 0 } );
    EXPECT_EQ( Ids{ proxy }, world.query( span( 1, 2 ) ) );
    EXPECT_EQ( Ids(), world.query( span( 1.0001, 2 ) ) );
    world.expectQuery( { { notANumber, 0, 0 }, { 1, 1, 1 } } );
    int calls = 0;
    const auto count = []( cltProxyId, uint64_t, void* context ) { return ++*static_cast<int*>( context ) > 0; };
    const cltAabbD beside = span( 1 + 1e-12, 2 ); // its lower corner rounds to the float 1
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBoxD( world.broadphase(), &beside, count, &calls ) );
    EXPECT_EQ( 0, calls );
}

TEST_P( Queries, PassUserDataAndStopIfTheCallbackReturnsFalse )
{
    const cltAabb box = toFloat( span( 0, 1 ) );
    const std::vector<cltAabb> boxes( 10, box );
    const std::vector<uint64_t> userData( 10, UINT64_MAX - 7 );
    ASSERT_EQ( clt_ok,
               cltBroadphase_CreateProxies( world.broadphase(), 10, boxes.data(), nullptr, userData.data(), nullptr ) );
    int calls = 0;
    const auto stopAtThird = []( cltProxyId, uint64_t data, void* context )
    {
        EXPECT_EQ( UINT64_MAX - 7, data );
        return ++*static_cast<int*>( context ) < 3;
    };
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBox( world.broadphase(), &box, stopAtThird, &calls ) );
    EXPECT_EQ( 3, calls );
    calls = 0;
    const auto touchAll = []( const cltBoxLanes*, void* ) { return uint32_t( UINT16_MAX ); };
    EXPECT_EQ( clt_ok, cltBroadphase_QueryVolume( world.broadphase(), touchAll, stopAtThird, &calls ) );
    EXPECT_EQ( 3, calls );
}

/// Every hit is the last one once, so that a query stops in each of its trees, among the outliers, among the proxies
/// that are in no tree, and among bodies at rest, which tremble before.
TEST_P( Queries, StopAtAnyHit )
{
    const Boxes outliers = boxesOf( 20, []( int i ) { return span( -200 - i, 200 ); } ); // tested in two batches
    proxies = world.createAll( joined( cubesInARow( 120, 1.5, 0.5 ), outliers ) );
    for ( int step = 0; step < 24; ++step )
    {
        for ( const cltProxyId proxy : proxies )
        {
            world.move( proxy, shifted( world.boxOf( proxy ), step % 2 == 0 ? 1e-4 : -1e-4 ) );
        }
        world.updateOnly();
    }
    const cltAabbD everything = span( -500, 500 );
    const cltAabb box = toFloat( everything );
    struct Count
    {
        size_t calls;
        size_t most;
    } count;
    const auto stop = []( cltProxyId, uint64_t, void* context )
    {
        Count* hits = static_cast<Count*>( context );
        return ++hits->calls < hits->most;
    };
    for ( int round = 0; round < 3; ++round )
    {
        for ( size_t most = 1; most <= world.proxies().size() + 1; ++most )
        {
            count = { 0, most };
            EXPECT_EQ( clt_ok, cltBroadphase_QueryBox( world.broadphase(), &box, stop, &count ) );
            EXPECT_EQ( std::min( most, world.proxies().size() ), count.calls ) << "round " << round;
        }
        for ( size_t i = 0; i < 40; ++i ) // moved proxies leave the tree of the update
        {
            world.move( proxies[i], shifted( world.boxOf( proxies[i] ), 1 ) );
        }
        world.create( cube( 0, 5, 0, 1 ) );
    }
}

namespace
{

/// The half space of all x up to a limit, as a volume that the application defines.
struct HalfSpace
{
    const World& world;
    double limit;
    Ids hits;
};

uint32_t touchesHalfSpace( const cltBoxLanes* boxes, void* context )
{
    uint32_t mask = 0;
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        mask |= uint32_t( boxes->lower[0][lane] <= static_cast<HalfSpace*>( context )->limit ) << lane;
    }
    return mask;
}

/// touchesHalfSpace gets boxes rounded outward to float, so the exact box in double is tested again.
bool collectInHalfSpace( cltProxyId proxy, uint64_t, void* context )
{
    HalfSpace* space = static_cast<HalfSpace*>( context );
    cltAabbD box;
    EXPECT_EQ( clt_ok, cltBroadphase_GetBoxD( space->world.broadphase(), proxy, &box ) );
    if ( box.lower[0] <= space->limit )
    {
        space->hits.push_back( proxy );
    }
    return true;
}

} // namespace

TEST_P( Queries, VolumesFindWhatTheyTouch )
{
    proxies = world.createAll( randomCubes( random, 500, 4 ) );
    world.create( { { 0, 0, 0 }, { 1, notANumber, 1 } } ); // touchesHalfSpace would accept it
    for ( int i = 0; i < 200; ++i )
    {
        HalfSpace space = { world, random.between( -4, 4 ), {} };
        Ids expected;
        for ( const auto& [id, proxy] : world.proxies() )
        {
            if ( !hasNan( proxy.box ) && proxy.box.lower[0] <= space.limit )
            {
                expected.push_back( id );
            }
        }
        ASSERT_EQ( clt_ok,
                   cltBroadphase_QueryVolume( world.broadphase(), touchesHalfSpace, collectInHalfSpace, &space ) );
        std::sort( space.hits.begin(), space.hits.end() );
        ASSERT_EQ( expected, space.hits ) << "query " << i;
        if ( i % 50 == 20 )
        {
            world.updateOnly();
            const Ids moved( proxies.begin(), proxies.begin() + ( i < 100 ? 100 : 500 ) );
            world.moveAll( moved, randomCubes( random, moved.size(), 4 ) );
        }
    }
}

/// Callbacks make queries, nested three deep.
TEST_P( Queries, AreReentrant )
{
    using Visit = std::function<void()>;
    const auto call = []( cltProxyId, uint64_t, void* visit ) { return ( *static_cast<Visit*>( visit ) )(), true; };
    const auto query = [&]( Visit visit )
    {
        const cltAabb box = toFloat( span( 0, 1 ) );
        EXPECT_EQ( clt_ok, cltBroadphase_QueryBox( world.broadphase(), &box, call, &visit ) );
    };
    world.createAll( Boxes( 5, span( 0, 1 ) ) );
    int calls = 0;
    const Visit count = [&] { ++calls; };
    query( [&] { count(), query( [&] { count(), query( count ); } ); } );
    EXPECT_EQ( 5 + 5 * 5 + 5 * 5 * 5, calls );
}

/// The first queries after a change come from all threads at once, and one of them builds a tree.
TEST_P( Queries, RunOnManyThreads )
{
    if ( !test::hasThreads )
    {
        GTEST_SKIP();
    }
    World shared( defOf( GetParam() ) ); // without hooks, which belong to one thread
    proxies = shared.createAll( randomCubes( random, 500, 4 ) );
    for ( int round = 0; round < 4; ++round )
    {
        shared.moveAll( proxies, randomCubes( random, proxies.size(), 4 ) );
        if ( round % 2 == 1 )
        {
            shared.update();
            shared.move( proxies[0], span( 0, 1 ) ); // a change that no update has seen
        }
        std::vector<std::thread> threads;
        for ( uint64_t seed = 0; seed < 8; ++seed )
        {
            threads.emplace_back(
                [&shared, seed]
                {
                    Random threadRandom( seed );
                    shared.expectQueries( threadRandom, 60 );
                } );
        }
        for ( std::thread& thread : threads )
        {
            thread.join();
        }
    }
}
