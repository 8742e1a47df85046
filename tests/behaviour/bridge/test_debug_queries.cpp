// SPDX-License-Identifier: Zlib
// Debug drawings of queries: the nodes that a query visits and the bodies that it tests.
#include "gpu/core/segment.h"
#include "tests/behaviour/backends/each_config.h"
#include "tests/behaviour/bridge/picture.h"

using namespace test;

namespace
{

/// At least twice the steps of changeScene: boxes at rest may be this far from where the tree has them.
const double restMargin = 0.25;

cltAabbD widened( cltAabbD box, double distance )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] -= distance;
        box.upper[axis] += distance;
    }
    return box;
}

} // namespace

CLT_EACH_CONFIG( DebugDrawQuery );

TEST_P( DebugDrawQuery, ShowsTheNodesAndBodiesThatABoxQueryVisits )
{
    Random random( 7 );
    World world( def() );
    Ids ids = world.createAll( sceneToDraw( random, true ) );
    size_t nodeCount = 0;
    for ( int step = 0; step < 12; ++step )
    {
        if ( step % 3 == 1 )
        {
            world.updateOnly();
        }
        world.expectQueries( random, step % 2 == 0 ? 30 : 1 ); // may build trees
        changeScene( world, ids, random );
        const cltAabb box = toFloat( cube( random.between( -9, 9 ), random.between( -9, 9 ), 0, 3 ) );
        Picture picture;
        const cltDebugDraw callbacks = picture.callbacks();
        ASSERT_EQ( clt_ok, cltBroadphase_DebugDrawQueryBox( world.broadphase(), &box, &callbacks ) );
        EXPECT_FALSE( picture.isTwice );
        EXPECT_TRUE( picture.cells.empty() );
        EXPECT_EQ( picture.bodies.size(), picture.countOf( clt_debugTested ) );
        for ( const Picture::Part& node : picture.nodes )
        {
            EXPECT_TRUE( node.level == 0 || overlaps( toDouble( node.box ), widened( toDouble( box ), restMargin ) ) );
        }
        for ( const cltProxyId found : world.query( toDouble( box ) ) )
        {
            EXPECT_EQ( 1u, picture.bodies.count( found ) ) << found;
        }
        nodeCount += picture.nodes.size();
        EXPECT_TRUE( step % 3 != 2 || algorithmOf( world ) != clt_algorithmWide || !isOnCpu( world ) ||
                     picture.bodies.size() < world.proxies().size() );
    }
    EXPECT_GT( nodeCount, 0u ) << "no query had a tree";
}

TEST_P( DebugDrawQuery, ShowsTheNodesAndBodiesThatARayVisits )
{
    Random random( 8 );
    World world( def() );
    world.createAll( sceneToDraw( random, true ) );
    world.updateOnly();
    world.expectQueries( random, 40 );
    for ( int i = 0; i < 20; ++i )
    {
        const cltAabbD ends = randomCube( random, pictureReach );
        Picture picture;
        const cltDebugDraw callbacks = picture.callbacks();
        const cltSegment segment = cltSegment_Make( ends.lower, ends.upper );
        ASSERT_EQ( clt_ok, cltBroadphase_DebugDrawCastRay( world.broadphase(), ends.lower, ends.upper, &callbacks ) );
        EXPECT_GT( picture.nodes.size(), 0u );
        for ( const Picture::Part& node : picture.nodes )
        {
            const cltAabbD wider = widened( toDouble( node.box ), 1e-4 );
            double enter;
            EXPECT_TRUE( node.level == 0 || cltSegment_Meets( &segment, &wider, 1, &enter ) );
        }
        const auto find = []( cltProxyId proxy, uint64_t, double, double most, void* context )
        {
            EXPECT_EQ( 1u, static_cast<Picture*>( context )->bodies.count( proxy ) ) << proxy;
            return most;
        };
        cltBroadphase_CastRay( world.broadphase(), ends.lower, ends.upper, find, &picture );
    }
}

/// The tree of bodies at rest holds their rest boxes. The query finds a body that it meets only outside its rest box.
TEST( DebugDrawQueryOfWide, ShowsBodiesAtRestThatTheQueryFinds )
{
    Random random( 10 );
    World world( defOf( { clt_deviceCpu, clt_algorithmWide, clt_precisionFloat, 1 } ) );
    const Boxes cubes = cubesInARow( 400, 3, 0.5 );
    const Ids ids = world.createAll( cubes );
    for ( int step = 0; step < 40; ++step )
    {
        world.updateOnly();
        for ( size_t i = 0; i < ids.size(); ++i )
        {
            const double most = 1e-4;
            world.move( ids[i], shifted( cubes[i], step < 39 ? random.between( -most, most ) : -10 * most ) );
        }
    }
    ASSERT_GT( draw( world ).bodies[ids[0]].restMargin, 1e-3f );
    const cltAabbD box = { { -3, -1, -1 }, { -0.5005, 1, 1 } }; // between the lower bounds of the box and the rest box
    const cltAabb boxToDraw = toFloat( box );
    Picture picture;
    const cltDebugDraw callbacks = picture.callbacks();
    EXPECT_EQ( clt_ok, cltBroadphase_DebugDrawQueryBox( world.broadphase(), &boxToDraw, &callbacks ) );
    EXPECT_EQ( 1u, picture.bodies.count( ids[0] ) );
    EXPECT_LT( picture.bodies.size(), 100u );
    EXPECT_EQ( Ids{ ids[0] }, world.query( box ) );
}

TEST( DebugDrawQueryOfBadInput, RefusesRaysThatAreNotFiniteAndDrawsNothingForANan )
{
    Random random( 11 );
    World world( defOf( clt_algorithmAuto ) );
    world.createAll( sceneToDraw( random, true ) );
    world.updateOnly();
    Picture picture;
    const cltDebugDraw callbacks = picture.callbacks();
    for ( int i = 0; i < 6; ++i )
    {
        for ( const double bad : { infinity, -infinity, notANumber } )
        {
            double ends[6] = { -9, -9, -9, 9, 9, 9 };
            ends[i] = bad;
            EXPECT_EQ( clt_invalidArgument,
                       cltBroadphase_DebugDrawCastRay( world.broadphase(), ends, ends + 3, &callbacks ) );
        }
    }
    cltAabb box = toFloat( span( -9, 9 ) );
    box.lower[1] = float( notANumber );
    EXPECT_EQ( clt_ok, cltBroadphase_DebugDrawQueryBox( world.broadphase(), &box, &callbacks ) );
    EXPECT_TRUE( picture.nodes.empty() );
    EXPECT_TRUE( picture.bodies.empty() );
}
