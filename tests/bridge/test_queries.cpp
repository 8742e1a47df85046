// SPDX-License-Identifier: Zlib
// Box queries see every create, move and destroy at once, from any number of threads, and nested.
#include "tests/bridge/query_world.h"

#include <thread>

using namespace test;

namespace
{

class Queries : public testing::TestWithParam<cltPrecision>
{
protected:
    World world{ defOf( clt_algorithmAuto, GetParam() ) };
    Random random{ 1 };

    Ids query( const cltAabbD& box ) const
    {
        return test::query( world, box );
    }

    void expectAll()
    {
        expectQueries( world, random, 20 );
        EXPECT_EQ( expectedIn( world, span( -infinity, infinity ) ), query( span( -infinity, infinity ) ) );
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Queries, testing::ValuesIn( allPrecisions ), precisionName );

TEST_P( Queries, EmptyBroadphase )
{
    EXPECT_EQ( Ids(), query( span( -infinity, infinity ) ) );
}

TEST_P( Queries, SeeEveryChangeAtOnce )
{
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
    cltProxyId hidden = world.create( { { 0, notANumber, 0 }, { 1, 1, 1 } } );
    cltProxyId inverted = world.create( span( 1, -1 ) );
    world.create( span( -infinity, infinity ) );
    expectAll();
    Ids everything = query( span( -infinity, infinity ) );
    EXPECT_EQ( 0, std::count( everything.begin(), everything.end(), hidden ) );
    EXPECT_EQ( 1, std::count( everything.begin(), everything.end(), inverted ) );
    EXPECT_EQ( Ids(), query( { { notANumber, 0, 0 }, { 1, 1, 1 } } ) );
    EXPECT_EQ( expectedIn( world, span( 0.5, -0.5 ) ), query( span( 0.5, -0.5 ) ) );
    world.move( hidden, span( 0, 1 ) );
    expectAll();
}

TEST_P( Queries, TouchingIsFoundFiltersDoNotApply )
{
    cltProxyId proxy = world.create( span( 0, 1 ), { 0, 0 } );
    EXPECT_EQ( Ids{ proxy }, query( span( 1, 2 ) ) );
    EXPECT_EQ( Ids(), query( span( 1.0001, 2 ) ) );
}

TEST_P( Queries, DoubleBoxesAreNotRounded )
{
    cltProxyId proxy = world.create( span( 0, 1 ) );
    Ids met;
    cltAabbD beside = span( 1 + 1e-12, 2 ); // 1 as a float
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBoxD( world.broadphase(), &beside, collectId, &met ) );
    EXPECT_EQ( Ids(), met );
    cltAabbD touching = span( 1, 2 );
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBoxD( world.broadphase(), &touching, collectId, &met ) );
    EXPECT_EQ( Ids{ proxy }, met );
}

TEST_P( Queries, StopWhenTheCallbackSaysSo )
{
    world.createAll( std::vector<cltAabbD>( 10, span( 0, 1 ) ) );
    int calls = 0;
    auto stopAtThird = []( cltProxyId, uint64_t, void* context ) { return ++*static_cast<int*>( context ) < 3; };
    cltAabb box = toFloat( span( 0, 1 ) );
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBox( world.broadphase(), &box, stopAtThird, &calls ) );
    EXPECT_EQ( 3, calls );
}

TEST_P( Queries, HandBackUserData )
{
    cltAabb box = toFloat( span( 0, 1 ) );
    cltProxyId proxy;
    ASSERT_EQ( clt_ok, cltBroadphase_CreateProxy( world.broadphase(), &box, nullptr, UINT64_MAX - 7, &proxy ) );
    uint64_t found = 0;
    auto take = []( cltProxyId, uint64_t userData, void* context )
    {
        *static_cast<uint64_t*>( context ) = userData;
        return true;
    };
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBox( world.broadphase(), &box, take, &found ) );
    EXPECT_EQ( UINT64_MAX - 7, found );
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
    world.createAll( std::vector<cltAabbD>( 5, span( 0, 1 ) ) );
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
        for ( cltProxyId proxy : proxies )
        {
            world.move( proxy, randomCube( random, 4 ) );
        }
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
                    expectQueries( world, threadRandom, 60 );
                } );
        }
        for ( std::thread& thread : threads )
        {
            thread.join();
        }
    }
}
