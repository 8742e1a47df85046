// SPDX-License-Identifier: Zlib
/// \file concave_meshes.h
/// GImpact meshes, and the contact points that Bullet's algorithm and cullet's compute for two shapes.
#ifndef CULLET_TESTS_CONCAVE_MESHES_H
#define CULLET_TESTS_CONCAVE_MESHES_H

#include "CulletGImpactAlgorithm.h"

#include "btBulletDynamicsCommon.h"
#include <gtest/gtest.h>

#include <vector>

namespace test
{

/// Records, during its lifetime, all contact points of bodies with CF_CUSTOM_MATERIAL_CALLBACK, in the order in which
/// an algorithm adds them. A manifold keeps at most four of them.
class AddedPoints
{
public:
    AddedPoints()
    {
        numbers().clear();
        gContactAddedCallback = &note;
    }

    ~AddedPoints()
    {
        gContactAddedCallback = nullptr;
    }

    static std::vector<btScalar>& numbers()
    {
        static std::vector<btScalar> numbers;
        return numbers;
    }

    static constexpr int numbersPerPoint = 11;

private:
    static bool note( btManifoldPoint& point, const btCollisionObjectWrapper* /*bodyA*/, int partA, int indexA,
                      const btCollisionObjectWrapper* /*bodyB*/, int partB, int indexB )
    {
        const btVector3& at = point.getPositionWorldOnA();
        const btVector3& normal = point.m_normalWorldOnB;
        numbers().insert( numbers().end(),
                          { btScalar( partA ), btScalar( indexA ), btScalar( partB ), btScalar( indexB ),
                            point.getDistance(), at.x(), at.y(), at.z(), normal.x(), normal.y(), normal.z() } );
        return true;
    }
};

/// A ring with bumps, in `partCount` parts; `time` moves the bumps.
struct Ring
{
    Ring( int around, int partCount ) : m_around( around )
    {
        const int rows = around / partCount;
        m_vertices.resize( std::size_t( 3 * around * around ) );
        m_triangles.reserve( std::size_t( 6 * around * around ) );
        for ( int row = 0; row < around; ++row )
        {
            for ( int column = 0; column < around; ++column )
            {
                addSquare( row, column );
            }
        }
        for ( int part = 0; part < partCount; ++part )
        {
            btIndexedMesh mesh;
            mesh.m_numTriangles = 2 * rows * around;
            mesh.m_triangleIndexBase =
                reinterpret_cast<const unsigned char*>( &m_triangles[std::size_t( 6 * part * rows * around )] );
            mesh.m_triangleIndexStride = 3 * sizeof( int );
            mesh.m_numVertices = around * around;
            mesh.m_vertexBase = reinterpret_cast<const unsigned char*>( m_vertices.data() );
            mesh.m_vertexStride = 3 * sizeof( btScalar );
            m_arrays.addIndexedMesh( mesh );
        }
        move( 0 );
    }

    void move( btScalar time )
    {
        std::size_t at = 0;
        for ( int row = 0; row < m_around; ++row )
        {
            for ( int column = 0; column < m_around; ++column )
            {
                const btScalar a = SIMD_2_PI * btScalar( row ) / btScalar( m_around );
                const btScalar b = SIMD_2_PI * btScalar( column ) / btScalar( m_around );
                const btScalar thickness = btScalar( 0.4 ) + btScalar( 0.06 ) * btSin( 7 * a + time ) * btSin( 5 * b );
                const btScalar radius = 1 + thickness * btCos( b );
                m_vertices[at++] = radius * btCos( a );
                m_vertices[at++] = thickness * btSin( b );
                m_vertices[at++] = radius * btSin( a );
            }
        }
    }

    std::vector<btScalar> m_vertices;
    btTriangleIndexVertexArray m_arrays;

private:
    void addSquare( int row, int column )
    {
        const int nextRow = ( row + 1 ) % m_around * m_around;
        const int nextColumn = ( column + 1 ) % m_around;
        row *= m_around;
        for ( const int corner : { row + column, row + nextColumn, nextRow + nextColumn, row + column,
                                   nextRow + nextColumn, nextRow + column } )
        {
            m_triangles.push_back( corner );
        }
    }

    int m_around;
    std::vector<int> m_triangles;
};

/// A mesh of one triangle.
struct Single
{
    Single( const btVector3 ( &corners )[3], btScalar margin )
    {
        for ( int k = 0; k < 9; ++k )
        {
            m_corners[k] = corners[k / 3][k % 3];
        }
        m_shape.setMargin( margin );
        m_shape.updateBound();
    }

    btScalar m_corners[9];
    int m_indices[3] = { 0, 1, 2 };
    btTriangleIndexVertexArray m_arrays{ 1, m_indices, sizeof( m_indices ), 3, m_corners, 3 * sizeof( btScalar ) };
    btGImpactMeshShape m_shape{ &m_arrays };
};

/// A shape and its transform.
struct Placed
{
    btCollisionShape& shape;
    btTransform place;
};

/// All contact points of two shapes in the order in which they are added, without a world.
inline std::vector<btScalar> contactsOfPair( void ( *registerAlgorithm )( btCollisionDispatcher* ), const Placed& first,
                                             const Placed& second )
{
    static btDefaultCollisionConfiguration configuration; // its pools are what takes long to make
    btCollisionDispatcher dispatcher( &configuration );
    registerAlgorithm( &dispatcher );
    btCollisionObject lower, upper;
    lower.setCollisionShape( &first.shape );
    lower.setWorldTransform( first.place );
    lower.setCollisionFlags( btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK );
    upper.setCollisionShape( &second.shape );
    upper.setWorldTransform( second.place );
    btCollisionObjectWrapper a( nullptr, &first.shape, &lower, lower.getWorldTransform(), -1, -1 );
    btCollisionObjectWrapper b( nullptr, &second.shape, &upper, upper.getWorldTransform(), -1, -1 );
    btManifoldResult result( &a, &b );
    btCollisionAlgorithm* algorithm = dispatcher.findAlgorithm( &a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS );
    const AddedPoints points;
    algorithm->processCollision( &a, &b, btDispatcherInfo(), &result );
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm( algorithm );
    return AddedPoints::numbers();
}

/// \return the number of contact points
inline std::size_t expectSamePoints( const Placed& first, const Placed& second )
{
    const std::vector<btScalar> bullet =
        contactsOfPair( &btGImpactCollisionAlgorithm::registerAlgorithm, first, second );
    EXPECT_EQ( bullet, contactsOfPair( &CulletGImpactAlgorithm::registerAlgorithm, first, second ) );
    return bullet.size() / AddedPoints::numbersPerPoint;
}

} // namespace test

#endif
