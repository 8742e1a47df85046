// SPDX-License-Identifier: Zlib
/// \file CulletGImpactPlane.h
/// Vertices of a GImpact mesh beneath a plane: those that btGImpactCollisionAlgorithm makes contacts of, in its order,
/// decided by the same arithmetic.
///
/// Bullet moves every vertex into the world to measure it. Here the plane is moved into the mesh's space instead, and
/// only vertices that are not clearly above it there are measured as Bullet does.
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
        : m_part( part ), m_place( placePart ), m_margin( part.getMargin() + plane.getMargin() )
    {
        const btVector3 normal = placePlane.getBasis() * plane.getPlaneNormal();
        const btScalar offset = normal.dot( placePlane * ( plane.getPlaneConstant() * plane.getPlaneNormal() ) );
        m_plane = btVector4( normal.x(), normal.y(), normal.z(), offset );
        m_isNear = isNear( plane.getMargin() );
        moveIntoPart();
    }

    /// \param meet  ( const btVector3& vertex, const btScalar& distance ): where it is in the world; called for each
    ///              vertex beneath, the last one first
    template <typename Meet>
    void forEachVertexBeneath( const Meet& meet ) const
    {
        int index = m_isNear ? m_part.getVertexCount() - 1 : -1;
        for ( ; index >= 3; index -= 4 )
        {
            for ( unsigned lanes = ~areClearlyAbove( index ) & 0xf; lanes != 0; lanes &= lanes - 1 )
            {
                measure( index - __builtin_ctz( lanes ), meet );
            }
        }
        for ( ; index >= 0; --index )
        {
            measure( index, meet );
        }
    }

    const btVector3& normal() const
    {
        return m_plane;
    }

private:
    bool isNear( btScalar margin ) const
    {
        btAABB box;
        m_part.getAabb( m_place, box.m_min, box.m_max );
        box.increment_margin( margin );
        return box.plane_classify( m_plane ) == BT_CONST_COLLIDE_PLANE;
    }

    /// What Bullet measures is, without rounding, sum n_i ( R_ij v_j + o_i ) - offset - margin. Bullet's order of it
    /// rounds each term ten times at most, the order here too, so the two differ by less than 20 half epsilons of the
    /// sum of all terms without their signs; 32 whole ones are allowed for, and the least number for what underflows.
    /// A NaN is never clearly above.
    void moveIntoPart()
    {
        const btMatrix3x3& basis = m_place.getBasis();
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
            m_normal[j] = culletAll( normal );
        }
        const btVector3& origin = m_place.getOrigin();
        const btScalar terms = m_plane.absolute().dot( origin.absolute() ) + btFabs( m_plane[3] ) + btFabs( m_margin );
        const btScalar least = std::numeric_limits<btScalar>::min();
        m_height = culletAll( m_plane.dot( origin ) - m_plane[3] - m_margin - ( 32 * SIMD_EPSILON * terms + least ) );
        m_rounding = culletAll( 32 * SIMD_EPSILON * size );
    }

    /// \return one bit each for the vertices from `last` down. Without loops, which gcc leaves as they are at -O2
    unsigned areClearlyAbove( int last ) const
    {
        const btVector3 a = vertex( last );
        const btVector3 b = vertex( last - 1 );
        const btVector3 c = vertex( last - 2 );
        const btVector3 d = vertex( last - 3 );
        const CulletLanes x = culletFour( a.x(), b.x(), c.x(), d.x() );
        const CulletLanes y = culletFour( a.y(), b.y(), c.y(), d.y() );
        const CulletLanes z = culletFour( a.z(), b.z(), c.z(), d.z() );
        const CulletLanes height = x * m_normal[0] + y * m_normal[1] + z * m_normal[2] + m_height;
        return ( height > ( culletSize( x ) + culletSize( y ) + culletSize( z ) ) * m_rounding ).bits();
    }

    btVector3 vertex( int index ) const
    {
        btVector3 vertex;
        m_part.getVertex( index, vertex );
        return vertex;
    }

    template <typename Meet>
    void measure( int index, const Meet& meet ) const
    {
        const btVector3 placed = m_place( vertex( index ) );
        const btScalar distance = placed.dot( m_plane ) - m_plane[3] - m_margin;
        if ( distance < 0 )
        {
            meet( placed, distance );
        }
    }

    const btGImpactMeshShapePart& m_part;
    btTransform m_place;
    btScalar m_margin;
    btVector4 m_plane;       ///< in the world
    CulletLanes m_normal[3]; ///< in the part's space
    CulletLanes m_height;    ///< of the part's origin, less what may be rounding
    CulletLanes m_rounding;  ///< for each unit of a vertex's coordinates
    bool m_isNear;
};

#endif
