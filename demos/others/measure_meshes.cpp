// SPDX-License-Identifier: Zlib
/// \file measure_meshes.cpp
/// Measures how cullet, FCL and CGAL find pairs of triangles of two meshes. The meshes are balls with moving bumps that
/// overlap by half. All vertices change in each step. The libraries make each step one after the other, and all pairs
/// are compared with those of the first.
#include "cullet_mesh.h"
#include "objects.h"

#include "demos/report/timing.h"
#include "demos/scenes/meshes.h"

#ifdef CULLET_WITH_FCL
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#endif
#ifdef CULLET_WITH_CGAL
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>
#endif

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

using cullet::others::requireOk;

namespace
{

constexpr std::uint32_t stepCount = 21; ///< the first is not counted

/// The radius of a ball of 70,000 triangles is about this many edge lengths. Radii grow with the root of the count.
constexpr double radiusOf70000 = 34;

using Balls = std::array<cltMesh, 2>;

/// Pairs of a triangle of the first mesh and a triangle of the second.
using MeshPairs = std::vector<std::array<std::uint32_t, 2>>;

struct MeshContestant
{
    const char* name;
    std::function<MeshPairs( const Balls& balls )> step; ///< reads all current vertices; pairs come in any order
    std::vector<double> times = {};
    std::size_t pairCount = 0;
    std::size_t differingCount = 0; ///< over all steps: pairs found by this or the first contestant, not by both
};

/// \param threadCount  0: all processors
MeshContestant culletContestant( const char* name, const Balls& balls, int threadCount )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = threadCount;
    cltMeshSet* created = nullptr;
    requireOk( cltCreateMeshSet( &def, &created ) );
    const std::shared_ptr<cltMeshSet> set( created, cltDestroyMeshSet );
    std::array<cltMeshId, 2> ids;
    for ( std::size_t k = 0; k < 2; ++k )
    {
        cltMeshDef meshDef = cltDefaultMeshDef();
        meshDef.vertices = balls[k].vertices[0];
        meshDef.vertexCount = balls[k].vertexCount;
        meshDef.triangles = balls[k].triangles[0];
        meshDef.triangleCount = balls[k].triangleCount;
        requireOk( cltMeshSet_CreateMesh( set.get(), &meshDef, &ids[k] ) );
    }
    return { name, [=]( const Balls& current )
             {
                 const cltTrianglePair* found = nullptr;
                 std::size_t count = 0;
                 requireOk( cltMeshSet_MoveVertices( set.get(), ids[0], current[0].vertices[0] ) );
                 requireOk( cltMeshSet_MoveVertices( set.get(), ids[1], current[1].vertices[0] ) );
                 requireOk( cltMeshSet_FindPairs( set.get(), clt_meshTriangles, &found, &count ) );
                 MeshPairs pairs;
                 std::for_each( found, found + count,
                                [&]( const cltTrianglePair& pair ) {
                                    pairs.push_back( { pair.triangleA, pair.triangleB } );
                                } );
                 return pairs;
             } };
}

#ifdef CULLET_WITH_FCL

using FclModel = fcl::BVHModel<fcl::AABB<double>>;

std::vector<fcl::Vector3<double>> fclPoints( const cltMesh& mesh )
{
    std::vector<fcl::Vector3<double>> points;
    std::for_each( mesh.vertices, mesh.vertices + mesh.vertexCount,
                   [&]( const float( &at )[3] ) { points.emplace_back( at[0], at[1], at[2] ); } );
    return points;
}

/// Refitted trees of axis-aligned boxes, the fastest of FCL's trees in this measurement. One call of `collide` finds
/// all contacts, on one thread.
MeshContestant fclContestant( const Balls& balls )
{
    const auto models = std::make_shared<std::array<FclModel, 2>>();
    for ( std::size_t k = 0; k < 2; ++k )
    {
        std::vector<fcl::Triangle> triangles;
        std::for_each( balls[k].triangles, balls[k].triangles + balls[k].triangleCount,
                       [&]( const std::uint32_t( &at )[3] ) { triangles.emplace_back( at[0], at[1], at[2] ); } );
        ( *models )[k].beginModel();
        ( *models )[k].addSubModel( fclPoints( balls[k] ), triangles );
        ( *models )[k].endModel();
    }
    return { "FCL", [models]( const Balls& current )
             {
                 for ( std::size_t k = 0; k < 2; ++k )
                 {
                     ( *models )[k].beginUpdateModel();
                     ( *models )[k].updateSubModel( fclPoints( current[k] ) );
                     ( *models )[k].endUpdateModel( true, true ); // refits the tree from the leaves up
                 }
                 const fcl::CollisionRequest<double> request( std::size_t( 1 ) << 40, false );
                 const fcl::Transform3<double> identity = fcl::Transform3<double>::Identity();
                 fcl::CollisionResult<double> result;
                 fcl::collide<double>( &( *models )[0], identity, &( *models )[1], identity, request, result );
                 MeshPairs pairs;
                 for ( std::size_t i = 0; i < result.numContacts(); ++i )
                 {
                     const fcl::Contact<double>& contact = result.getContact( i );
                     pairs.push_back( { std::uint32_t( contact.b1 ), std::uint32_t( contact.b2 ) } );
                 }
                 return pairs;
             } };
}

#endif

#ifdef CULLET_WITH_CGAL

/// Finds pairs of boxes with box_intersection_d, then tests the triangles with do_intersect and exact predicates. Runs
/// on one thread: with TBB and two threads, CGAL took more than twice as long.
MeshPairs cgalPairs( const Balls& balls )
{
    using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
    using Triangles = std::vector<Kernel::Triangle_3>;
    using Box = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, Triangles::const_iterator>;
    std::array<Triangles, 2> triangles;
    std::array<std::vector<Box>, 2> boxes;
    for ( std::size_t k = 0; k < 2; ++k )
    {
        const auto pointOf = [&]( std::uint32_t vertex )
        {
            const float* at = balls[k].vertices[vertex];
            return Kernel::Point_3( at[0], at[1], at[2] );
        };
        std::for_each( balls[k].triangles, balls[k].triangles + balls[k].triangleCount,
                       [&]( const std::uint32_t( &at )[3] )
                       { triangles[k].emplace_back( pointOf( at[0] ), pointOf( at[1] ), pointOf( at[2] ) ); } );
        for ( auto triangle = triangles[k].cbegin(); triangle != triangles[k].cend(); ++triangle )
        {
            boxes[k].emplace_back( triangle->bbox(), triangle );
        }
    }
    MeshPairs pairs;
    const auto meet = [&]( const Box& a, const Box& b )
    {
        if ( CGAL::do_intersect( *a.handle(), *b.handle() ) )
        {
            pairs.push_back( { std::uint32_t( a.handle() - triangles[0].cbegin() ),
                               std::uint32_t( b.handle() - triangles[1].cbegin() ) } );
        }
    };
    CGAL::box_intersection_d<CGAL::Sequential_tag>( boxes[0].begin(), boxes[0].end(), boxes[1].begin(), boxes[1].end(),
                                                    meet );
    return pairs;
}

#endif

/// Makes a step of each contestant and compares their pairs. A different one begins in each step.
void stepAll( std::vector<MeshContestant>& contestants, const Balls& balls, std::uint32_t step )
{
    std::vector<MeshPairs> found( contestants.size() );
    for ( std::size_t turn = 0; turn < contestants.size(); ++turn )
    {
        const std::size_t k = ( step + turn ) % contestants.size();
        const double ms = cullet::compare::millisecondsOf( [&] { found[k] = contestants[k].step( balls ); } );
        if ( step > 0 )
        {
            contestants[k].times.push_back( ms );
        }
        std::sort( found[k].begin(), found[k].end() );
        contestants[k].pairCount += found[k].size();
    }
    for ( std::size_t k = 1; k < contestants.size(); ++k )
    {
        MeshPairs differing;
        std::set_symmetric_difference( found[0].begin(), found[0].end(), found[k].begin(), found[k].end(),
                                       std::back_inserter( differing ) );
        contestants[k].differingCount += differing.size();
    }
}

} // namespace

int main( int argc, char** argv )
{
    const long triangleCount = argc == 2 ? std::atol( argv[1] ) : 0;
    if ( triangleCount < 8 || triangleCount > 10000000 )
    {
        std::fprintf( stderr, "usage: %s TRIANGLES-OF-EACH-MESH\n", argv[0] );
        return 2;
    }
    const cltMeshSceneDef def = { clt_meshSceneBlob, std::uint32_t( triangleCount ), 1 };
    using ScenePointer = std::unique_ptr<cltMeshScene, decltype( &cltDestroyMeshScene )>;
    const ScenePointer first( cltCreateMeshScene( &def ), cltDestroyMeshScene );
    const ScenePointer second( cltCreateMeshScene( &def ), cltDestroyMeshScene );
    const Balls balls = { first->meshes[0], second->meshes[0] };
    const auto goTo = [&]( std::uint32_t step )
    {
        cltMeshScene_GoTo( first.get(), step );
        cltMeshScene_GoTo( second.get(), step + 37 ); // bumps with another phase
        const float shift = float( radiusOf70000 * std::sqrt( double( triangleCount ) / 70000 ) );
        for ( std::uint32_t i = 0; i < balls[1].vertexCount; ++i )
        {
            float* vertex = balls[1].vertices[i];
            std::swap( vertex[0], vertex[1] ); // the second ball is turned and displaced
            vertex[0] += shift;
        }
    };
    goTo( 0 );
    std::vector<MeshContestant> contestants = { culletContestant( "cullet", balls, 0 ),
                                                culletContestant( "cullet, one thread", balls, 1 ) };
#ifdef CULLET_WITH_FCL
    contestants.push_back( fclContestant( balls ) );
#endif
#ifdef CULLET_WITH_CGAL
    contestants.push_back( { "CGAL", cgalPairs } );
#endif
    for ( std::uint32_t step = 0; step < stepCount; ++step )
    {
        goTo( step );
        stepAll( contestants, balls, step );
    }
    for ( const MeshContestant& contestant : contestants )
    {
        const double ms = *cullet::compare::medianIfAny( contestant.times );
        std::printf( "%-18s %8.2f ms, %6.2f x, %zu pairs in %u steps, %zu of them otherwise\n", contestant.name, ms,
                     ms / *cullet::compare::medianIfAny( contestants[0].times ), contestant.pairCount, stepCount,
                     contestant.differingCount );
    }
    return 0;
}
