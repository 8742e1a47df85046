// SPDX-License-Identifier: Zlib
// Box and volume queries see every create, move and destroy at once, from any number of threads, and nested.
#include "cullet_queries.h"
#include "gpu/core/box_lanes.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <thread>

using namespace test;

namespace
{

class Queries : public testing::TestWithParam<cltPrecision>
{
protected:
    World world{ defOf( clt_algorithmAuto, GetParam() ) };
    Random random{ 1 };

    void expectAll()
    {
        world.expectQueries( random, 20 );
        world.expectQuery( span( -infinity, infinity ) );
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Queries, testing::ValuesIn( allPrecisions ), precisionName );

TEST_P( Queries, SeeEveryChangeAtOnce )
{
    expectAll(); // the world is empty
    Ids proxies = world.createAll( randomCubes( random, 200, 3 ) );
    expectAll(); // before any update
    world.update();
    expectAll();
    for ( size_t i = 0; i < proxies.size(); i += 3 )
    {
        world.move( proxies[i], randomCube( random, 3 ) );
    }
    expectAll();
    for ( size_t i = 1; i < proxies.size(); i += 3 )
    {
        world.destroy( proxies[i] );
    }
    expectAll();
    world.createAll( randomCubes( random, 20, 3 ) );
    expectAll();
    world.update();
    expectAll();
}

TEST_P( Queries, OddBoxes )
{
    world.createAll( randomCubes( random, 20, 3 ) );
    const cltProxyId hidden = world.create( { { 0, notANumber, 0 }, { 1, 1, 1 } } );
    world.create( span( 1, -1 ) );
    world.create( span( -infinity, infinity ) );
    expectAll();
    world.expectQuery( { { notANumber, 0, 0 }, { 1, 1, 1 } } );
    world.expectQuery( span( 0.5, -0.5 ) );
    world.move( hidden, span( 0, 1 ) );
    expectAll();
}

TEST_P( Queries, TouchingIsFoundFiltersDoNotApplyDoublesAreNotRounded )
{
    const cltProxyId proxy = world.create( span( 0, 1 ), { 0, 0 } );
    EXPECT_EQ( Ids{ proxy }, world.query( span( 1, 2 ) ) );
    EXPECT_EQ( Ids(), world.query( span( 1.0001, 2 ) ) );
    int calls = 0;
    const auto count = []( cltProxyId, uint64_t, void* context ) { return ++*static_cast<int*>( context ) > 0; };
    const cltAabbD beside = span( 1 + 1e-12, 2 ); // 1 as a float
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBoxD( world.broadphase(), &beside, count, &calls ) );
    EXPECT_EQ( 0, calls );
}

TEST_P( Queries, HandBackUserDataAndStopWhenTheCallbackSaysSo )
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

namespace
{

/// A volume of the application's own, which takes the boxes that are shown to it for what they are.
struct Sphere
{
    const World& world;
    double x, y, z, radius;
    Ids met;

    bool touches( const cltAabbD& box ) const
    {
        const double center[] = { x, y, z };
        double squares = 0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            const double way = std::max( { box.lower[axis] - center[axis], center[axis] - box.upper[axis], 0.0 } );
            squares += way * way;
        }
        return squares <= radius * radius;
    }
};

uint32_t touchesSphere( const cltBoxLanes* boxes, void* context )
{
    uint32_t hits = 0;
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        const cltAabb shown = cltBoxLanes_Get( boxes, lane );
        const cltAabbD box = cltAabb_ToDouble( &shown );
        hits |= uint32_t( static_cast<Sphere*>( context )->touches( box ) ) << lane;
    }
    return hits;
}

/// Double boxes are shown rounded outward, so that the last look is at the box itself.
bool meetSphere( cltProxyId proxy, uint64_t, void* context )
{
    Sphere* sphere = static_cast<Sphere*>( context );
    cltAabbD box;
    EXPECT_EQ( clt_ok, cltBroadphase_GetBoxD( sphere->world.broadphase(), proxy, &box ) );
    if ( sphere->touches( box ) )
    {
        sphere->met.push_back( proxy );
    }
    return true;
}

} // namespace

/// In the update's tree, beside it, and in a tree of the queries' own.
TEST_P( Queries, VolumesFindWhatTheyTouch )
{
    const Ids proxies = world.createAll( randomCubes( random, 500, 4 ) );
    world.create( { { 0, 0, 0 }, { 1, notANumber, 1 } } ); // of which this sphere thinks nothing amiss
    for ( int i = 0; i < 200; ++i )
    {
        Sphere sphere = { world, random.between( -4, 4 ), random.between( -4, 4 ), random.between( -4, 4 ), 1.5, {} };
        Ids expected;
        for ( const auto& [id, proxy] : world.proxies() )
        {
            if ( !hasNan( proxy.box ) && sphere.touches( proxy.box ) )
            {
                expected.push_back( id );
            }
        }
        ASSERT_EQ( clt_ok, cltBroadphase_QueryVolume( world.broadphase(), touchesSphere, meetSphere, &sphere ) );
        std::sort( sphere.met.begin(), sphere.met.end() );
        ASSERT_EQ( expected, sphere.met ) << "query " << i;
        if ( i % 50 == 20 )
        {
            world.updateOnly();
            const Ids moved( proxies.begin(), proxies.begin() + ( i < 100 ? 100 : 500 ) );
            world.moveAll( moved, randomCubes( random, moved.size(), 4 ) );
        }
    }
}

namespace
{

/// Every callback asks again, three deep.
struct Nested
{
    const cltBroadphase* broadphase;
    int depth;
    int calls;
};

bool askAgain( cltProxyId, uint64_t, void* context )
{
    Nested* nested = static_cast<Nested*>( context );
    ++nested->calls;
    if ( nested->depth > 0 )
    {
        Nested inner = { nested->broadphase, nested->depth - 1, 0 };
        cltAabb box = toFloat( span( 0, 1 ) );
        EXPECT_EQ( clt_ok, cltBroadphase_QueryBox( nested->broadphase, &box, askAgain, &inner ) );
        nested->calls += inner.calls;
    }
    return true;
}

} // namespace

TEST_P( Queries, CallbacksMayAskAgain )
{
    world.createAll( Boxes( 5, span( 0, 1 ) ) );
    Nested nested = { world.broadphase(), 2, 0 };
    cltAabb box = toFloat( span( 0, 1 ) );
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBox( world.broadphase(), &box, askAgain, &nested ) );
    EXPECT_EQ( 5 + 5 * 5 + 5 * 5 * 5, nested.calls );
}

/// The first questions after a change come from all threads at once, and one of them builds a tree.
TEST_P( Queries, FromManyThreads )
{
    const Ids proxies = world.createAll( randomCubes( random, 500, 4 ) );
    for ( int round = 0; round < 4; ++round )
    {
        world.moveAll( proxies, randomCubes( random, proxies.size(), 4 ) );
        if ( round % 2 == 1 )
        {
            world.update();
            world.move( proxies[0], span( 0, 1 ) ); // so that there is something that no update has seen
        }
        std::vector<std::thread> threads;
        for ( uint64_t seed = 0; seed < 8; ++seed )
        {
            threads.emplace_back(
                [this, seed]
                {
                    Random threadRandom( seed );
                    world.expectQueries( threadRandom, 60 );
                } );
        }
        for ( std::thread& thread : threads )
        {
            thread.join();
        }
    }
}
