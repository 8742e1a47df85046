// SPDX-License-Identifier: Zlib
/// \file file_meshes.cpp
/// The part of file_shapes.h about triangles. Trees over them are built anew.
#include "file_shapes.h"
#include "file_values.h"
#include "kinds.h"

#include "BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h"
#include "BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h"
#include "BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h"
#include "BulletCollision/Gimpact/btGImpactShape.h"

#include <climits>

namespace cullet::demo
{
namespace
{

constexpr int mostQuantizedTriangles = 1 << 21; ///< of a mesh, in Bullet's tree of quantized boxes
constexpr int mostQuantizedParts = 1 << 10;     ///< of a mesh, in the same tree

struct IndexField
{
    const char* pointer;
    const char* number;
    std::size_t perStruct;
    int mask; ///< small indices may be stored with a sign
};

constexpr IndexField indexFields[] = { { "m_indices32", "m_value", 1, INT_MAX },
                                       { "m_3indices16", "m_values", 3, 0xffff },
                                       { "m_indices16", "m_value", 1, 0xffff },
                                       { "m_3indices8", "m_values", 3, 0xff } };

/// The corners of a part's triangles.
std::vector<int> indicesOf( const StoredStruct& part, int triangleCount, int vertexCount )
{
    std::vector<int> indices;
    for ( const IndexField& field : indexFields )
    {
        if ( !part.has( field.pointer ) || part.address( field.pointer ) == 0 )
        {
            continue;
        }
        for ( std::size_t k = 0; k < 3 * std::size_t( triangleCount ); ++k )
        {
            const StoredStruct stored = part.target( field.pointer, k / field.perStruct );
            const int index = int( stored.number( field.number, k % field.perStruct ) ) & field.mask;
            demandSound( index < vertexCount, "a triangle has a corner that is no vertex" );
            indices.push_back( index );
        }
        return indices;
    }
    refuseDamaged( "a mesh has no triangles" );
}

} // namespace

btTriangleIndexVertexArray* FileShapes::makeTriangles( const StoredStruct& stored )
{
    const StoredStruct mesh = stored.member( "m_meshInterface" );
    auto& arrays = m_world.make<btTriangleIndexVertexArray>();
    const int partCount = wholeOf( mesh, "m_numMeshParts", 1, INT_MAX );
    for ( int k = 0; k < partCount; ++k )
    {
        const StoredStruct part = mesh.target( "m_meshPartsPtr", std::size_t( k ) );
        const char* pointer = part.address( "m_vertices3f" ) != 0 ? "m_vertices3f" : "m_vertices3d";
        btIndexedMesh triangles;
        triangles.m_numVertices = wholeOf( part, "m_numVertices", 1, INT_MAX );
        triangles.m_numTriangles = wholeOf( part, "m_numTriangles", 1, INT_MAX / 3 );
        auto& vertices = m_world.make<std::vector<btScalar>>();
        for ( int vertex = 0; vertex < triangles.m_numVertices; ++vertex )
        {
            const btVector3 place = placeOf( part.target( pointer, std::size_t( vertex ) ) );
            vertices.insert( vertices.end(), { place.x(), place.y(), place.z() } );
        }
        auto& indices =
            m_world.make<std::vector<int>>( indicesOf( part, triangles.m_numTriangles, triangles.m_numVertices ) );
        triangles.m_vertexBase = reinterpret_cast<const unsigned char*>( vertices.data() );
        triangles.m_vertexStride = 3 * sizeof( btScalar );
        triangles.m_triangleIndexBase = reinterpret_cast<const unsigned char*>( indices.data() );
        triangles.m_triangleIndexStride = 3 * sizeof( int );
        arrays.addIndexedMesh( triangles, PHY_INTEGER );
    }
    arrays.setScaling( scalingOf( mesh, "m_scaling" ) );
    return &arrays;
}

btBvhTriangleMeshShape* FileShapes::makeMesh( const StoredStruct& stored )
{
    btTriangleIndexVertexArray* arrays = makeTriangles( stored );
    bool canQuantize = arrays->getNumSubParts() <= mostQuantizedParts;
    for ( int part = 0; part < arrays->getNumSubParts(); ++part )
    {
        canQuantize = canQuantize && arrays->getIndexedMeshArray()[part].m_numTriangles <= mostQuantizedTriangles;
    }
    auto& shape = m_world.make<btBvhTriangleMeshShape>( arrays, canQuantize );
    shape.setMargin( lengthOf( stored, "m_collisionMargin" ) );
    return &shape;
}

btCollisionShape* FileShapes::makeScaledMesh( const StoredStruct& stored )
{
    btBvhTriangleMeshShape* mesh = makeMesh( stored.member( "m_trimeshShapeData" ) );
    return &m_world.make<btScaledBvhTriangleMeshShape>( mesh, scalingOf( stored, "m_localScaling" ) );
}

btCollisionShape* FileShapes::makeMovingMesh( const StoredStruct& stored )
{
    registerGImpact( m_world );
    auto& shape = m_world.make<btGImpactMeshShape>( makeTriangles( stored ) );
    shape.setLocalScaling( scalingOf( stored, "m_localScaling" ) );
    const btScalar margin = lengthOf( stored, "m_collisionMargin" );
    if ( margin != 0 ) // else it was never set, and the parts have their own
    {
        shape.setMargin( margin );
    }
    shape.updateBound();
    return &shape;
}

} // namespace cullet::demo
