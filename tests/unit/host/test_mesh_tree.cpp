// SPDX-License-Identifier: Zlib
// The triangles of a mesh keep an order that is good enough for searches, wherever a single vertex moves. If many
// triangles scatter, all are sorted again.

#include "tests/support/random.h"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <vector>

extern "C" {
#include "gpu/mesh/host/mesh_tree.h"
}

namespace
{

constexpr std::uint32_t side = 50; ///< vertices along a sheet

/// A flat sheet of unit squares with unsorted triangles.
struct Sheet
{
    Sheet()
    {
        for ( std::uint32_t i = 0; i < side * side; ++i )
        {
            vertices.insert( vertices.end(), { float( i % side ), float( i / side ), 0.0f } );
        }
        std::vector<std::uint32_t> squares( ( side - 1 ) * ( side - 1 ) );
        std::iota( squares.begin(), squares.end(), 0u );
        test::Random random( 1 );
        for ( std::uint32_t left = std::uint32_t( squares.size() ); left > 1; --left )
        {
            std::swap( squares[left - 1], squares[random.below( left )] );
        }
        for ( std::uint32_t square : squares )
        {
            const std::uint32_t here = square / ( side - 1 ) * side + square % ( side - 1 );
            triangles.insert( triangles.end(),
                              { here, here + 1, here + side, here + side, here + 1, here + side + 1 } );
        }
    }

    std::vector<float> vertices;
    std::vector<std::uint32_t> triangles;
};

class MeshTree : public testing::Test
{
protected:
    MeshTree()
    {
        const cltBroadphaseDef def = cltDefaultBroadphaseDef();
        cltMemory_Init( &memory, &def );
        EXPECT_EQ( clt_ok, cltCreateWorkerPool( &def, &memory, &pool ) );
        cltMeshDef meshDef{};
        meshDef.vertices = sheet.vertices.data();
        meshDef.vertexCount = side * side;
        meshDef.triangles = sheet.triangles.data();
        meshDef.triangleCount = std::uint32_t( sheet.triangles.size() / 3 );
        EXPECT_EQ( clt_ok, cltCreateMesh( &memory, &meshDef, { sheet.vertices.data(), false }, &mesh ) );
    }

    ~MeshTree() override
    {
        cltDestroyMesh( mesh, &memory );
        cltMeshScratch_Release( &scratch, &memory );
        cltDestroyWorkerPool( pool, &memory );
        EXPECT_EQ( 0u, memory.bytes );
    }

    /// Moves the vertices and makes the tree. \return whether the triangles were sorted
    bool make( const std::vector<float>& vertices )
    {
        bool wasSorted = false;
        cltMesh_MoveVertices( mesh, vertices.data() );
        EXPECT_EQ( clt_ok, cltMesh_MakeTree( mesh, &scratch, pool, &memory, &wasSorted ) );
        return wasSorted;
    }

    /// Mean width of the boxes around sixteen triangles.
    double meanWidth() const
    {
        const cltLevelNode* nodes = mesh->tree.nodes + mesh->tree.levels.starts[4];
        const std::uint32_t count = cltLevels_Count( &mesh->tree.levels, 4 );
        double sum = 0;
        for ( std::uint32_t i = 0; i < count; ++i )
        {
            sum += cltAabb_LongestEdge( &nodes[i].box );
        }
        return sum / count;
    }

    Sheet sheet;
    cltMemory memory{};
    cltWorkerPool* pool = nullptr;
    cltMesh* mesh = nullptr;
    cltMeshScratch scratch{};
};

TEST_F( MeshTree, SortsASheetOnce )
{
    EXPECT_TRUE( make( sheet.vertices ) );
    EXPECT_LT( meanWidth(), 7 );
    EXPECT_FALSE( make( sheet.vertices ) );
}

TEST_F( MeshTree, KeepsTheOtherTrianglesInOrderIfAVertexIsFarAway )
{
    for ( float far : { 1e6f, 1e30f, std::numeric_limits<float>::infinity() } )
    {
        mesh->sortedSpread = -1; // as in a new mesh
        std::vector<float> vertices = sheet.vertices;
        vertices[3 * 700] = vertices[3 * 700 + 1] = vertices[3 * 700 + 2] = far;
        EXPECT_TRUE( make( vertices ) );
        make( sheet.vertices );
        EXPECT_LT( meanWidth(), 7 ) << far;
    }
}

TEST_F( MeshTree, SortsAgainIfTrianglesScatter )
{
    std::vector<float> vertices = sheet.vertices;
    vertices[0] = 1e6f;
    make( vertices );
    EXPECT_FALSE( make( sheet.vertices ) );
    for ( std::uint32_t i = 0; i < side * side; ++i ) // rows that were neighbours lie far from each other
    {
        vertices[3 * i] = float( i % side );
        vertices[3 * i + 1] = float( i / side * 7 % side );
    }
    EXPECT_TRUE( make( vertices ) );
}

} // namespace
