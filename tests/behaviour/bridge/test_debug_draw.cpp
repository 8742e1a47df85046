// SPDX-License-Identifier: Zlib
// Debug drawings: each body once, in trees and cells that contain it. Drawing does not change results.
#include "tests/behaviour/backends/each_config.h"
#include "tests/behaviour/bridge/hooks.h"
#include "tests/behaviour/bridge/picture.h"

#include <cmath>
#include <cstring>
#include <tuple>

using namespace test;

CLT_EACH_CONFIG( DebugDraw );

namespace
{

bool contains( const cltAabb& outer, const cltAabb& inner )
{
    bool inside = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        inside &= outer.lower[axis] <= inner.lower[axis] && inner.upper[axis] <= outer.upper[axis];
    }
    return inside;
}

/// Whether a bound is drawn as given: floats exactly, doubles rounded, both up to the rest margin.
bool isDrawnAs( double drawn, double given, float restMargin, bool isDouble )
{
    const double most = 1.001 * double( restMargin ) + ( isDouble ? 2.5e-7 * std::fabs( given ) : 0 );
    return drawn == given || std::fabs( drawn - given ) <= most;
}

/// Boxes of doubles are drawn rounded outward, and at rest they may differ from the drawn box.
void expectBox( const World& world, const cltDebugBody& body, bool isDouble )
{
    const cltAabbD given = world.roundedToPrecision( world.boxOf( body.proxy ) );
    const cltAabbD drawn = toDouble( body.box );
    for ( int axis = 0; axis < 3; ++axis )
    {
        EXPECT_TRUE( isDrawnAs( drawn.lower[axis], given.lower[axis], body.restMargin, isDouble ) ) << body.proxy;
        EXPECT_TRUE( isDrawnAs( drawn.upper[axis], given.upper[axis], body.restMargin, isDouble ) ) << body.proxy;
        EXPECT_TRUE( body.restMargin > 0 ||
                     ( drawn.lower[axis] <= given.lower[axis] && drawn.upper[axis] >= given.upper[axis] ) );
    }
}

/// Each living proxy with a box is drawn once. If nothing is pending, with its box.
void expectBodies( const World& world, const Picture& picture, bool isPending )
{
    cltAabb ignored;
    const bool isDouble =
        cltBroadphase_GetBox( world.broadphase(), world.proxies().begin()->first, &ignored ) == clt_wrongPrecision;
    EXPECT_FALSE( picture.isTwice );
    size_t count = 0;
    for ( const auto& [proxy, given] : world.proxies() )
    {
        const auto found = picture.bodies.find( proxy );
        ASSERT_EQ( hasNan( given.box ), found == picture.bodies.end() ) << proxy;
        if ( !hasNan( given.box ) )
        {
            if ( !isPending )
            {
                expectBox( world, found->second, isDouble );
            }
            ++count;
        }
    }
    EXPECT_EQ( count, picture.bodies.size() );
}

/// Levels are 0, 1, 2 ... with one root. Each node lies within a node of the level above. Each body is in a leaf, or
/// is an outlier or unplaced.
void expectTree( const Picture& picture )
{
    std::map<uint32_t, std::vector<cltAabb>> levels;
    size_t sum = 0;
    for ( const Picture::Part& node : picture.nodes )
    {
        sum += node.bodies.size();
        levels[node.level].push_back( node.box );
        EXPECT_TRUE( node.isLeaf || node.bodies.empty() );
        for ( const cltDebugBody& body : node.bodies )
        {
            EXPECT_TRUE( contains( node.box, body.box ) ) << body.proxy;
        }
    }
    const size_t inTrees = picture.countOf( clt_debugOrdered ) + picture.countOf( clt_debugUnsorted );
    EXPECT_TRUE( picture.nodes.empty() || sum == inTrees ) << sum << " bodies in leaves of " << inTrees;
    for ( const auto& [level, boxes] : levels )
    {
        ASSERT_LT( level, levels.size() ) << "a level has no nodes";
        EXPECT_TRUE( level > 0 || boxes.size() == 1 ) << boxes.size() << " roots";
        for ( const cltAabb& box : boxes )
        {
            const auto isAround = [&]( const cltAabb& parent ) { return contains( parent, box ); };
            EXPECT_TRUE( level == 0 || std::any_of( levels[level - 1].begin(), levels[level - 1].end(), isAround ) );
        }
    }
}

/// Whether the coordinate lies in the cell along the axis. Cells on the border own what lies beyond it.
bool ownsAlong( const Picture& picture, const cltAabb& cell, int axis, float coordinate )
{
    const float slack = 1e-4f;
    const auto isLower = [&]( const Picture::Part& part ) { return part.box.lower[axis] < cell.lower[axis]; };
    const auto isHigher = [&]( const Picture::Part& part ) { return part.box.upper[axis] > cell.upper[axis]; };
    const auto& cells = picture.cells;
    return ( cell.lower[axis] - slack <= coordinate || std::none_of( cells.begin(), cells.end(), isLower ) ) &&
           ( coordinate <= cell.upper[axis] + slack || std::none_of( cells.begin(), cells.end(), isHigher ) );
}

/// \param previous  the boxes of the update before the last, for bodies that moved
void expectCells( const Picture& picture, const std::map<cltProxyId, cltDebugBody>& previous )
{
    size_t sum = 0;
    for ( const Picture::Part& cell : picture.cells )
    {
        EXPECT_GT( cell.bodyCount, 0u );
        EXPECT_EQ( cell.bodyCount, cell.bodies.size() );
        sum += cell.bodyCount;
        for ( const cltDebugBody& body : cell.bodies )
        {
            const auto before = previous.find( body.proxy );
            for ( int axis = 0; axis < 3; ++axis )
            {
                const float now = body.box.lower[axis];
                const float was = before == previous.end() ? now : before->second.box.lower[axis];
                EXPECT_TRUE( ownsAlong( picture, cell.box, axis, std::min( now, was ) ) ||
                             ownsAlong( picture, cell.box, axis, now ) ) // after a jump
                    << body.proxy;
            }
        }
    }
    EXPECT_TRUE( picture.cells.empty() || sum == picture.countOf( clt_debugOrdered ) ) << sum;
}

/// The statistics, without times and bytes.
auto countsOf( const World& world )
{
    const cltStats stats = world.stats();
    const cltResearchStats research = world.researchStats();
    return std::make_tuple( stats.algorithm, std::string( stats.reason != nullptr ? stats.reason : "" ),
                            stats.changedCount, stats.nanCount, research.outlierCount, research.candidateCount,
                            research.nodeTestCount, research.passCount, research.frontSize );
}

} // namespace

TEST_P( DebugDraw, ShowsEachBodyOnceInTheStructureOfTheAlgorithm )
{
    Random random( 3 );
    for ( const bool hasOdd : { false, true } )
    {
        World world( def() );
        Ids ids = world.createAll( sceneToDraw( random, hasOdd ) );
        std::map<cltProxyId, cltDebugBody> previous;
        for ( int step = 0; step < 12; ++step )
        {
            world.updateOnly();
            const Picture picture = draw( world );
            expectBodies( world, picture, false );
            expectTree( picture );
            expectCells( picture, previous );
            const bool hasCells = isOnCpu( world ) && algorithmOf( world ) == clt_algorithmGrid;
            const bool hasNodes = isOnCpu( world ) && !hasCells && algorithmOf( world ) != clt_algorithmBruteForce;
            EXPECT_EQ( hasCells, !picture.cells.empty() );
            EXPECT_EQ( hasNodes, !picture.nodes.empty() );
            EXPECT_EQ( isOnCpu( world ) ? 0 : picture.bodies.size(), picture.countOf( clt_debugUnplaced ) );
            EXPECT_EQ( 0u, picture.countOf( clt_debugTested ) );
            previous = picture.bodies;
            changeScene( world, ids, random );
        }
    }
}

TEST_P( DebugDraw, ShowsTheLastUpdateWhileChangesArePending )
{
    Random random( 4 );
    World world( def() );
    Ids ids = world.createAll( sceneToDraw( random, true ) );
    Picture picture = draw( world ); // before the first update
    expectBodies( world, picture, false );
    EXPECT_EQ( picture.bodies.size(), picture.countOf( clt_debugUnplaced ) );
    world.updateOnly();
    const Picture drawn = draw( world );

    const Ids created = world.createAll( randomCubes( random, 5, pictureReach ) );
    world.destroyAll( { ids[0], ids[7] } );
    world.move( ids[1], cube( 50, 50, 50, 1 ) );
    picture = draw( world );
    expectBodies( world, picture, true );
    expectTree( picture );
    EXPECT_EQ( drawn.bodies.size() + 5 - 2, picture.bodies.size() );
    for ( const cltProxyId id : created )
    {
        EXPECT_EQ( clt_debugUnplaced, picture.bodies.at( id ).place );
    }
    if ( isOnCpu( world ) )
    {
        EXPECT_EQ( 5u, picture.countOf( clt_debugUnplaced ) );
        EXPECT_EQ( 0, std::memcmp( &drawn.bodies.at( ids[1] ).box, &picture.bodies[ids[1]].box, sizeof( cltAabb ) ) );
    }
    for ( const Picture::Part& cell : picture.cells )
    {
        EXPECT_EQ( cell.bodyCount, cell.bodies.size() );
    }
}

TEST_P( DebugDraw, ShowsAllBodiesAfterAnUpdateThatOnlyDestroyed )
{
    Random random( 5 );
    World world( def() );
    const Ids ids = world.createAll( sceneToDraw( random, false ) );
    world.updateOnly();
    world.destroyAll( { ids[3], ids[4], ids.back() } );
    world.updateOnly();
    const Picture picture = draw( world );
    expectBodies( world, picture, false );
    expectTree( picture );
    EXPECT_EQ( algorithmOf( world ) == clt_algorithmWide && isOnCpu( world ), !picture.nodes.empty() );
    Ids all;
    for ( const auto& entry : world.proxies() )
    {
        all.push_back( entry.first );
    }
    world.destroyAll( all );
    const Picture empty = draw( world );
    EXPECT_TRUE( empty.nodes.empty() && empty.bodies.empty() && empty.cells.empty() );
    world.updateOnly();
    EXPECT_TRUE( draw( world ).nodes.empty() );
}

TEST_P( DebugDraw, ChangesNothing )
{
    Random randomA( 6 );
    Random randomB( 6 );
    World plain( def() );
    World drawn( def() );
    Ids idsA = plain.createAll( sceneToDraw( randomA, true ) );
    Ids idsB = drawn.createAll( sceneToDraw( randomB, true ) );
    for ( int step = 0; step < 10; ++step )
    {
        draw( drawn );
        plain.updateOnly(); // both compare changes with the oracle
        drawn.updateOnly();
        draw( drawn );
        EXPECT_TRUE( countsOf( plain ) == countsOf( drawn ) );
        if ( step % 3 == 2 )
        {
            plain.expectPairs();
            drawn.expectPairs();
        }
        changeScene( plain, idsA, randomA );
        changeScene( drawn, idsB, randomB );
    }
}

TEST_P( DebugDraw, ShowsBodiesAloneAfterAnUpdateThatFailed )
{
    Hooks hooks;
    cltBroadphaseDef failing = def();
    hooks.installMemory( failing );
    Random random( 11 );
    World world( failing );
    world.createAll( sceneToDraw( random, true ) );
    world.updateOnly();
    world.createAll( randomCubes( random, 3000, pictureReach ) );
    hooks.failAllocations( 1, 1000 );
    EXPECT_EQ( clt_hostMemory, world.tryUpdate() );
    hooks.failAllocations( UINT32_MAX, 1 ); // allocations succeed again
    const Picture picture = draw( world );
    expectBodies( world, picture, true );
    EXPECT_TRUE( picture.nodes.empty() && picture.cells.empty() );
    EXPECT_EQ( picture.bodies.size(), picture.countOf( clt_debugUnplaced ) );
    world.updateOnly();
    expectTree( draw( world ) );
}

TEST_P( DebugDraw, SkipsCallbacksThatAreNull )
{
    Random random( 9 );
    World world( def() );
    world.createAll( sceneToDraw( random, true ) );
    world.updateOnly();
    const cltDebugDraw nothing = {};
    const cltAabb box = toFloat( span( -1, 1 ) );
    const double from[3] = { 0, 0, 0 };
    const double to[3] = { 1, 2, 3 };
    EXPECT_EQ( clt_ok, cltBroadphase_DebugDraw( world.broadphase(), &nothing ) );
    EXPECT_EQ( clt_ok, cltBroadphase_DebugDrawQueryBox( world.broadphase(), &box, &nothing ) );
    EXPECT_EQ( clt_ok, cltBroadphase_DebugDrawCastRay( world.broadphase(), from, to, &nothing ) );
}

TEST( DebugDrawOfWide, ShowsOutliersUnsortedBodiesAndRestMargins )
{
    cltBroadphaseDef def = defOf( { clt_deviceCpu, clt_algorithmWide, clt_precisionFloat, 1 } );
    Random random( 10 );
    World world( def );
    const Boxes cubes = joined( cubesInARow( 400, 3, 0.5 ), { cube( 0, 0, 0, 500 ) } );
    const Ids ids = world.createAll( cubes );
    world.updateOnly();
    const cltProxyId jumped = ids[20];
    world.move( jumped, cube( 30, 30, 30, 0.5 ) );
    world.updateOnly();
    Picture picture = draw( world );
    EXPECT_EQ( clt_debugOutlier, picture.bodies[ids.back()].place );
    EXPECT_EQ( clt_debugUnsorted, picture.bodies[jumped].place );
    EXPECT_EQ( 399u, picture.countOf( clt_debugOrdered ) );
    for ( int step = 0; step < 40; ++step )
    {
        for ( size_t i = 0; i < 400; ++i )
        {
            world.move( ids[i], shifted( cubes[i], random.between( -1e-4, 1e-4 ) ) );
        }
        world.updateOnly();
    }
    picture = draw( world );
    expectBodies( world, picture, false );
    EXPECT_GT( picture.bodies[ids[30]].restMargin, 0.0f );
    world.destroyAll( { ids.begin(), ids.begin() + 60 } ); // blocks without bodies are no nodes
    world.updateOnly();
    for ( const Picture::Part& node : draw( world ).nodes )
    {
        EXPECT_LE( node.box.lower[0], node.box.upper[0] );
    }
}

TEST( DebugDrawWithoutMemory, DrawsNothing )
{
    Hooks hooks;
    cltBroadphaseDef def = defOf( clt_algorithmLbvh );
    hooks.installMemory( def );
    World world( def );
    world.createAll( cubesInARow( 30, 1, 0.5 ) );
    world.updateOnly();
    Picture picture;
    const cltDebugDraw callbacks = picture.callbacks();
    hooks.failAllocations( 1, 1 );
    EXPECT_EQ( clt_hostMemory, cltBroadphase_DebugDraw( world.broadphase(), &callbacks ) );
    EXPECT_TRUE( picture.nodes.empty() && picture.bodies.empty() );
    EXPECT_EQ( clt_ok, cltBroadphase_DebugDraw( world.broadphase(), &callbacks ) );
    EXPECT_EQ( 30u, picture.bodies.size() );
}
