// SPDX-License-Identifier: Zlib
/// \file CulletGImpactPlane.h
/// Finds the vertices of a GImpact mesh beneath a plane. btGImpactCollisionAlgorithm makes contacts for the same
/// vertices; the order and the arithmetic are the same.
///
/// Bullet transforms every vertex into the world. Here the plane is transformed into the space of the mesh. Most
/// vertices are clearly above it there; only the others are measured in the world, as Bullet does.
#ifndef CULLET_GIMPACT_PLANE_H
#define CULLET_GIMPACT_PLANE_H

#include "CulletLanes.h"

#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"
#include "BulletCollision/Gimpact/btGImpactShape.h"

#include <limits>

class CulletGImpactPlane
{
public:
    CulletGImpactPlane( const btStaticPlaneShape& plane, const btTransform& placePlane,
                        const btGImpactMeshShapePart& part, const btTransform& placePart )
        : m_part( part ), m_mesh( static_cast<const Mesh&>( *part.getPrimitiveManager() ) ), m_partToWorld( placePart ),
          m_margin( part.getMargin() + plane.getMargin() )
    {
        const btVector3 normal = placePlane.getBasis() * plane.getPlaneNormal();
        const btScalar offset = normal.dot( placePlane * ( plane.getPlaneConstant() * plane.getPlaneNormal() ) );
        m_plane = btVector4( normal.x(), normal.y(), normal.z(), offset );
        m_isNear = isNear( plane.getMargin() );
        moveIntoPart();
        for ( int i = 0; i < 3; ++i )
        {
            m_scale[i] = culletBroadcast( m_mesh.m_scale[i] );
        }
    }

    /// \param meet  ( const btVector3& vertex, const btScalar& distance ), with the vertex in the world; called for
    ///              each vertex beneath the plane, from the last to the first
    template <typename Meet>
    void forEachVertexBeneath( const Meet& meet ) const
    {
        int count = m_isNear ? m_part.getVertexCount() : 0;
        for ( ; count >= 4; count -= 4 )
        {
            for ( unsigned lanes = ~areClearlyAbove( count - 4 ) & 0xf; lanes != 0; )
            {
                const unsigned last = cltHighestBit( lanes );
                measure( count - 4 + int( last ), meet );
                lanes ^= 1u << last;
            }
        }
        while ( count > 0 )
        {
            measure( --count, meet );
        }
    }

    const btVector3& normal() const
    {
        return m_plane;
    }

private:
    typedef btGImpactMeshShapePart::TrimeshPrimitiveManager Mesh;

    bool isNear( btScalar margin ) const
    {
        btAABB box;
        m_part.getAabb( m_partToWorld, box.m_min, box.m_max );
        box.increment_margin( margin );
        return box.plane_classify( m_plane ) == BT_CONST_COLLIDE_PLANE;
    }

    /// Transforms the plane into the part's space, and bounds the rounding error. Without rounding, the distance is sum
    /// n_i ( R_ij v_j + o_i ) - offset - margin. Bullet rounds each term at most ten times, and so does this class, one
    /// time more if vertices are doubles and scalars floats. So the two results differ by less than 22 half epsilons of
    /// the sum of the terms' absolute values. 32 whole epsilons are allowed. For underflow, the smallest normal
    /// number and its product with the scale are added. A NaN is never clearly above.
    void moveIntoPart()
    {
        const btMatrix3x3& basis = m_partToWorld.getBasis();
        btScalar size = 0;
        for ( int j = 0; j < 3; ++j )
        {
            btScalar sum = 0;
            btScalar normal = 0;
            for ( int i = 0; i < 3; ++i )
            {
                normal += m_plane[i] * basis[i][j];
                sum += btFabs( m_plane[i] * basis[i][j] );
            }
            size = btMax( size, sum );
            m_normal[j] = culletBroadcast( normal );
        }
        const btVector3& origin = m_partToWorld.getOrigin();
        const btScalar terms = m_plane.absolute().dot( origin.absolute() ) + btFabs( m_plane[3] ) + btFabs( m_margin );
        const btVector3 scale = m_mesh.m_scale.absolute();
        const btScalar least = std::numeric_limits<btScalar>::min() * ( 1 + scale[scale.maxAxis()] );
        m_height =
            culletBroadcast( m_plane.dot( origin ) - m_plane[3] - m_margin - ( 32 * SIMD_EPSILON * terms + least ) );
        m_rounding = culletBroadcast( 32 * SIMD_EPSILON * size );
    }

    /// \return mask of the vertices that are clearly above the plane, among the four from `first` on
    unsigned areClearlyAbove( int first ) const
    {
        const unsigned char* const at = m_mesh.vertexbase + size_t( first ) * size_t( m_mesh.stride );
        CulletLanes vertex[3];
        if ( m_mesh.type == PHY_DOUBLE )
        {
            culletLoadPoints<double>( at, m_mesh.stride, vertex );
        }
        else
        {
            culletLoadPoints<float>( at, m_mesh.stride, vertex );
        }
        CLT_UNROLL
        for ( int i = 0; i < 3; ++i )
        {
            vertex[i] = vertex[i] * m_scale[i];
        }
        const CulletLanes size = culletAbs( vertex[0] ) + culletAbs( vertex[1] ) + culletAbs( vertex[2] );
        return ( culletDot( vertex, m_normal ) + m_height > size * m_rounding ).bits();
    }

    template <typename Meet>
    void measure( int index, const Meet& meet ) const
    {
        btVector3 vertex;
        m_part.getVertex( index, vertex );
        const btVector3 placed = m_partToWorld( vertex );
        const btScalar distance = placed.dot( m_plane ) - m_plane[3] - m_margin;
        if ( distance < 0 )
        {
            meet( placed, distance );
        }
    }

    const btGImpactMeshShapePart& m_part;
    const Mesh& m_mesh;
    btTransform m_partToWorld;
    btScalar m_margin;
    btVector4 m_plane;       ///< in the world
    CulletLanes m_scale[3];  ///< of the part's vertices
    CulletLanes m_normal[3]; ///< in the part's space
    CulletLanes m_height;    ///< of the part's origin above plane and margin, less its rounding error
    CulletLanes m_rounding;  ///< the rounding error per unit of a vertex's coordinates
    bool m_isNear;
};

#endif
