// SPDX-License-Identifier: Zlib
// Mesh sets: the arguments that they refuse, their behaviour without memory, and the memory that they use.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/mesh/mesh_world.h"
#include "tests/support/config.h"

#include <gtest/gtest.h>

#include <limits>

using namespace test;

namespace
{

const float corner[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
const double cornerD[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
const std::uint32_t triangle[3] = { 0, 1, 2 };

cltMeshDef oneTriangle()
{
    cltMeshDef def = cltDefaultMeshDef();
    def.vertices = corner;
    def.vertexCount = 3;
    def.triangles = triangle;
    def.triangleCount = 1;
    return def;
}

MeshSetPtr createSet( cltBroadphaseDef def = cltDefaultBroadphaseDef() )
{
    cltMeshSet* set = nullptr;
    def.device = testDevice;
    EXPECT_EQ( clt_ok, cltCreateMeshSet( &def, &set ) );
    return MeshSetPtr( set, cltDestroyMeshSet );
}

void runMeshOperations( Hooks& hooks )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    hooks.installMemory( def );
    MeshWorld world( def, [&hooks] { hooks.failAllocations( 0, 0 ); } );
    Random random( 1 );
    MeshOptions options;
    options.selfCollision = true;
    options.isSwept = true;
    const cltMeshId first = world.create( soup( random, 10, 1 ), options );
    world.find( Pairing::edges, clt_meshBoxes );
    world.find( Pairing::vertexFaces, clt_meshBoxes );
    world.find( clt_meshBoxes );
    const cltMeshId second = world.create( soup( random, 6, 1 ) );
    world.place( first, { 1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0 } );
    world.find( Pairing::vertexFaces, clt_meshBoxes );
    world.destroy( second );
    world.create( soup( random, 14, 1 ), options );
    world.expectPairs();
}

} // namespace

TEST( MeshSet, RefusesInvalidDefs )
{
    cltMeshSet* none = nullptr;
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    EXPECT_EQ( clt_invalidArgument, cltCreateMeshSet( nullptr, &none ) );
    EXPECT_EQ( clt_invalidArgument, cltCreateMeshSet( &def, nullptr ) );
    def.internalValue = 0;
    EXPECT_EQ( clt_invalidArgument, cltCreateMeshSet( &def, &none ) );
    def = cltDefaultBroadphaseDef();
    def.precision = static_cast<cltPrecision>( 2 );
    EXPECT_EQ( clt_invalidArgument, cltCreateMeshSet( &def, &none ) );
    EXPECT_EQ( nullptr, none );
    cltDestroyMeshSet( nullptr );

    const MeshSetPtr set = createSet();
    cltMeshId mesh = 77;
    const auto refuses = [&]( void ( *spoil )( cltMeshDef& ), cltStatus status )
    {
        cltMeshDef bad = oneTriangle();
        spoil( bad );
        EXPECT_EQ( status, cltMeshSet_CreateMesh( set.get(), &bad, &mesh ) );
        EXPECT_EQ( 77u, mesh );
    };
    refuses( []( cltMeshDef& bad ) { bad.internalValue = 0; }, clt_invalidArgument );
    refuses( []( cltMeshDef& bad ) { bad.vertices = nullptr; }, clt_invalidArgument );
    refuses( []( cltMeshDef& bad ) { bad.triangles = nullptr; }, clt_invalidArgument );
    refuses( []( cltMeshDef& bad ) { bad.vertexCount = 2; }, clt_invalidArgument );
    refuses( []( cltMeshDef& bad ) { bad.thickness = -1; }, clt_invalidArgument );
    refuses( []( cltMeshDef& bad ) { bad.thickness = std::numeric_limits<float>::quiet_NaN(); }, clt_invalidArgument );
    refuses( []( cltMeshDef& bad ) { bad.thickness = std::numeric_limits<float>::infinity(); }, clt_invalidArgument );
    refuses( []( cltMeshDef& bad ) { bad.triangleCount = CLT_MAX_TRIANGLES + 1u; }, clt_invalidArgument );
    refuses( []( cltMeshDef& bad ) { bad.vertexCount = CLT_MAX_VERTICES + 1u; }, clt_invalidArgument );
    refuses( []( cltMeshDef& bad ) { bad.verticesD = cornerD; }, clt_wrongPrecision );
    const cltMeshDef good = oneTriangle();
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_CreateMesh( nullptr, &good, &mesh ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_CreateMesh( set.get(), nullptr, &mesh ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_CreateMesh( set.get(), &good, nullptr ) );
}

// A mesh with the maximum number of vertices is rejected until the other mesh is destroyed. Then its creation runs out
// of memory before any vertex is read.
TEST( MeshSet, FreesTheVerticesOfDestroyedMeshes )
{
    Hooks hooks;
    cltBroadphaseDef setDef = cltDefaultBroadphaseDef();
    hooks.installMemory( setDef );
    const MeshSetPtr set = createSet( setDef );
    cltMeshDef def = oneTriangle();
    cltMeshId mesh;
    ASSERT_EQ( clt_ok, cltMeshSet_CreateMesh( set.get(), &def, &mesh ) );
    hooks.failAllocations( 1, 1000000 );
    def.vertexCount = CLT_MAX_VERTICES;
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_CreateMesh( set.get(), &def, &mesh ) );
    ASSERT_EQ( clt_ok, cltMeshSet_DestroyMesh( set.get(), mesh ) );
    EXPECT_EQ( clt_hostMemory, cltMeshSet_CreateMesh( set.get(), &def, &mesh ) );
}

TEST( MeshSet, RefusesUnknownMeshesAndNullPointers )
{
    const MeshSetPtr set = createSet();
    const cltMeshDef def = oneTriangle();
    cltMeshId mesh;
    ASSERT_EQ( clt_ok, cltMeshSet_CreateMesh( set.get(), &def, &mesh ) );
    std::uint64_t userData;
    const float matrix[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
    for ( cltMeshId unknown : { mesh + 1, UINT32_MAX } )
    {
        EXPECT_EQ( clt_unknownProxy, cltMeshSet_MoveVertices( set.get(), unknown, corner ) );
        EXPECT_EQ( clt_unknownProxy, cltMeshSet_Place( set.get(), unknown, matrix ) );
        EXPECT_EQ( clt_unknownProxy, cltMeshSet_SetFilter( set.get(), unknown, &def.filter ) );
        EXPECT_EQ( clt_unknownProxy, cltMeshSet_GetUserData( set.get(), unknown, &userData ) );
        EXPECT_EQ( clt_unknownProxy, cltMeshSet_DestroyMesh( set.get(), unknown ) );
    }
    EXPECT_EQ( clt_wrongPrecision, cltMeshSet_MoveVerticesD( set.get(), mesh, cornerD ) );
    EXPECT_EQ( clt_wrongPrecision, cltMeshSet_PlaceD( set.get(), mesh, cornerD ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_MoveVertices( set.get(), mesh, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_Place( set.get(), mesh, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_MoveVertices( nullptr, mesh, corner ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_SetFilter( set.get(), mesh, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_SetFilter( nullptr, mesh, &def.filter ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_GetUserData( set.get(), mesh, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_GetUserData( nullptr, mesh, &userData ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_DestroyMesh( nullptr, mesh ) );
    const cltTrianglePair* pairs = reinterpret_cast<const cltTrianglePair*>( &mesh );
    std::size_t count = 5;
    for ( const int test : { -1, 3 } )
    {
        EXPECT_EQ( clt_invalidArgument,
                   cltMeshSet_FindPairs( set.get(), static_cast<cltMeshTest>( test ), &pairs, &count ) );
    }
    EXPECT_EQ( nullptr, pairs );
    EXPECT_EQ( 0u, count );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_FindPairs( nullptr, clt_meshBoxes, &pairs, &count ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_FindPairs( set.get(), clt_meshBoxes, nullptr, &count ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_FindPairs( set.get(), clt_meshBoxes, &pairs, nullptr ) );
    const cltVertexFace* faces = nullptr;
    const cltEdgePair* edges = nullptr;
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_FindVertexFaces( nullptr, clt_meshBoxes, &faces, &count ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_FindVertexFaces( set.get(), clt_meshBoxes, nullptr, &count ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_FindEdgePairs( nullptr, clt_meshBoxes, &edges, &count ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_FindEdgePairs( set.get(), clt_meshBoxes, &edges, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_FindEdgePairs( set.get(), clt_meshBoxes, nullptr, &count ) );
    cltMeshStats stats;
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_GetStats( set.get(), nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltMeshSet_GetStats( nullptr, &stats ) );
    EXPECT_EQ( clt_ok, cltMeshSet_FindPairs( set.get(), clt_meshBoxes, &pairs, &count ) );
    EXPECT_EQ( clt_ok, cltMeshSet_DestroyMesh( set.get(), mesh ) );
    EXPECT_EQ( clt_unknownProxy, cltMeshSet_DestroyMesh( set.get(), mesh ) );
}

TEST( MeshSet, FindsNoPairsWithoutMeshes )
{
    const MeshSetPtr set = createSet();
    const cltTrianglePair* pairs;
    std::size_t count = 5;
    EXPECT_EQ( clt_ok, cltMeshSet_FindPairs( set.get(), clt_meshTriangles, &pairs, &count ) );
    EXPECT_EQ( 0u, count );
}

TEST( MeshSet, AcceptsAMeshWithoutVertices )
{
    const MeshSetPtr set = createSet();
    const cltMeshDef def = oneTriangle();
    const cltMeshDef empty = cltDefaultMeshDef();
    for ( const cltMeshDef* each : { &def, &empty } )
    {
        cltMeshId mesh;
        ASSERT_EQ( clt_ok, cltMeshSet_CreateMesh( set.get(), each, &mesh ) );
    }
    const cltTrianglePair* pairs;
    std::size_t count = 5;
    EXPECT_EQ( clt_ok, cltMeshSet_FindPairs( set.get(), clt_meshBoxes, &pairs, &count ) );
    EXPECT_EQ( 0u, count );
}

TEST( MeshSet, KeepsFiltersAndUserData )
{
    const MeshSetPtr set = createSet();
    cltMeshDef def = oneTriangle();
    cltMeshId meshes[2];
    for ( cltMeshId& mesh : meshes )
    {
        def.userData = 40 + static_cast<std::uint64_t>( &mesh - meshes );
        ASSERT_EQ( clt_ok, cltMeshSet_CreateMesh( set.get(), &def, &mesh ) );
        std::uint64_t userData = 0;
        EXPECT_EQ( clt_ok, cltMeshSet_GetUserData( set.get(), mesh, &userData ) );
        EXPECT_EQ( def.userData, userData );
    }
    const cltTrianglePair* pairs;
    std::size_t count;
    ASSERT_EQ( clt_ok, cltMeshSet_FindPairs( set.get(), clt_meshTriangles, &pairs, &count ) );
    ASSERT_EQ( 1u, count );
    EXPECT_EQ( meshes[0], pairs[0].meshA );
    EXPECT_EQ( meshes[1], pairs[0].meshB );
    cltMeshStats stats;
    ASSERT_EQ( clt_ok, cltMeshSet_GetStats( set.get(), &stats ) );
    EXPECT_EQ( 2u, stats.fitCount );
    const cltFilter rejectAll = { 0, 0 };
    EXPECT_EQ( clt_ok, cltMeshSet_SetFilter( set.get(), meshes[0], &rejectAll ) );
    ASSERT_EQ( clt_ok, cltMeshSet_FindPairs( set.get(), clt_meshTriangles, &pairs, &count ) );
    EXPECT_EQ( 0u, count );
    ASSERT_EQ( clt_ok, cltMeshSet_GetStats( set.get(), &stats ) );
    EXPECT_EQ( 2u, stats.meshCount );
    EXPECT_EQ( 2u, stats.triangleCount );
    EXPECT_EQ( 0u, stats.fitCount ); // no mesh moved
    EXPECT_EQ( 0u, stats.candidateCount );
}

TEST( MeshSet, WorksAfterAnyFailedAllocation )
{
    for ( const std::uint64_t count : { 1, 1000000 } )
    {
        const auto fail = [count]( Hooks& hooks, std::uint64_t k )
        {
            hooks.failAllocations( k, count );
            runMeshOperations( hooks );
        };
        EXPECT_GT( failEachAllocation( fail ), 20u );
    }
}

/// The arrays by mesh id grow with the sixteenth mesh.
TEST( MeshSet, SearchesAfterAMeshGotNoMemory )
{
    const auto live = []( Hooks& hooks, std::uint64_t k )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        hooks.installMemory( def );
        const MeshSetPtr set = createSet( def );
        const cltMeshDef mesh = oneTriangle();
        cltMeshId id;
        const cltTrianglePair* pairs;
        std::size_t count;
        for ( int i = 0; i < 15; ++i )
        {
            ASSERT_EQ( clt_ok, cltMeshSet_CreateMesh( set.get(), &mesh, &id ) );
        }
        ASSERT_EQ( clt_ok, cltMeshSet_FindPairs( set.get(), clt_meshTriangles, &pairs, &count ) );
        hooks.failAllocations( k, 1 );
        const bool isCreated = cltMeshSet_CreateMesh( set.get(), &mesh, &id ) == clt_ok;
        hooks.failAllocations( 1, 0 );
        ASSERT_EQ( clt_ok, cltMeshSet_FindPairs( set.get(), clt_meshTriangles, &pairs, &count ) );
        EXPECT_EQ( isCreated ? 16u * 15u / 2u : 15u * 14u / 2u, count );
    };
    EXPECT_GT( failEachAllocation( live ), 5u );
}

TEST( MeshSetLarge, UsesFewBytesPerTriangle )
{
    Hooks hooks;
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    hooks.installMemory( def );
    MeshWorld world( def );
    const Shape shape = sheet( 708, 708,
                               []( Shape& cloth, double u, double v )
                               { cloth.add( 100 * u, 100 * v, std::sin( 40 * u ) * std::cos( 30 * v ) ); } );
    ASSERT_GE( shape.triangleCount(), 999698u );
    MeshOptions options;
    options.selfCollision = true;
    options.isSwept = true;
    const cltMeshId mesh = world.create( shape, options );
    world.find( clt_meshTriangles );
    world.move( mesh, shape.vertices );
    world.find( clt_meshTriangles );
    const std::size_t count = shape.triangleCount();
    RecordProperty( "bytesATriangle", static_cast<int>( hooks.bytesHeld() / count ) );
    EXPECT_LE( hooks.bytesHeld(), 128u * count );
    world.find( Pairing::vertexFaces, clt_meshTriangles );
    world.find( Pairing::edges, clt_meshTriangles );
    RecordProperty( "bytesATriangleWithEdges", static_cast<int>( hooks.bytesHeld() / count ) );
    EXPECT_LE( hooks.bytesHeld(), 156u * count ); // 1.5 edges, 3 edge numbers and 2 bytes per triangle
    EXPECT_EQ( hooks.bytesHeld(), world.stats().hostBytes );
}
