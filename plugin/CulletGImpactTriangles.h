// SPDX-License-Identifier: Zlib
/// \file CulletGImpactTriangles.h
/// Sorts out pairs of triangles whose boxes meet and which cannot have a contact by GImpact's rules.
///
/// GImpact clips each triangle by the three planes that stand on the other's edges and takes what lies behind the
/// other's plane, however deep (btPrimitiveTriangle::find_triangle_collision_clip_method). So there is no contact if
/// all three corners of one lie beyond the same plane of the four that the other has. Nine of ten pairs fall to this.
#ifndef CULLET_GIMPACT_TRIANGLES_H
#define CULLET_GIMPACT_TRIANGLES_H

#include "CulletLanes.h"

#include "BulletCollision/Gimpact/btGImpactShape.h"

/// A triangle where it is in the world.
struct CulletGImpactTriangle
{
    CulletLanes normals[3]; ///< of four planes: the triangle's, and those on its edges; they look outwards
    CulletLanes offsets;    ///< of the planes along their normals
    btScalar corners[3][3];
    btScalar margin;
    btScalar reach; ///< the largest coordinate, without its sign
};

/// The triangles of one part of a mesh, taken from it when they are first needed.
class CulletGImpactTriangles
{
public:
    /// \param part  its children must be locked
    CulletGImpactTriangles( const btGImpactMeshShapePart& part, const btTransform& transform )
        : m_part( part ), m_transform( transform )
    {
        for ( int& index : m_indices )
        {
            index = -1;
        }
    }

    /// \return lives until another triangle of the part is asked for
    const CulletGImpactTriangle& triangle( int index )
    {
        const int place = index & ( s_count - 1 );
        if ( m_indices[place] != index )
        {
            m_indices[place] = index;
            fill( index, m_triangles[place] );
        }
        return m_triangles[place];
    }

private:
    void fill( int index, CulletGImpactTriangle& filled ) const
    {
        btPrimitiveTriangle triangle;
        m_part.getPrimitiveTriangle( index, triangle );
        triangle.applyTransform( m_transform );
        triangle.buildTriPlane();
        filled.margin = triangle.m_margin;
        filled.reach = 0;
        setPlane( 0, triangle.m_plane, filled );
        for ( int k = 0; k < 3; ++k )
        {
            btVector4 plane;
            triangle.get_edge_plane( k, plane );
            setPlane( k + 1, plane, filled );
            for ( int i = 0; i < 3; ++i )
            {
                filled.corners[k][i] = triangle.m_vertices[k][i];
                filled.reach = btMax( filled.reach, btFabs( filled.corners[k][i] ) );
            }
        }
    }

    static void setPlane( int lane, const btVector4& plane, CulletGImpactTriangle& filled )
    {
        for ( int i = 0; i < 3; ++i )
        {
            filled.normals[i].set( lane, plane[i] );
        }
        filled.offsets.set( lane, plane[3] );
    }

    static constexpr int s_count = 256;
    const btGImpactMeshShapePart& m_part;
    btTransform m_transform;
    int m_indices[s_count];
    CulletGImpactTriangle m_triangles[s_count];
};

/// bt_distance_point_plane for four planes, the same operations on the same numbers.
inline CulletLaneMask culletAreBeyond( const btScalar ( &corner )[3], const CulletGImpactTriangle& triangle,
                                       const CulletLanes& limits )
{
    return culletAll( corner[0] ) * triangle.normals[0] + culletAll( corner[1] ) * triangle.normals[1] +
               culletAll( corner[2] ) * triangle.normals[2] - triangle.offsets >
           limits;
}

/// \return whether all corners of `other` lie beyond one plane of `triangle`. Clipping by one plane rounds the corners
///         that the next one sees, by some units of the last place of the largest coordinate; sixteen are enough
inline bool culletLiesOutside( const CulletGImpactTriangle& other, const CulletGImpactTriangle& triangle )
{
    const btScalar rounding = 16 * SIMD_EPSILON * ( triangle.reach + other.reach );
    CulletLanes limits = culletAll( SIMD_EPSILON + rounding );
    limits.set( 0, triangle.margin + other.margin + rounding );
    return ( culletAreBeyond( other.corners[0], triangle, limits ) &
             culletAreBeyond( other.corners[1], triangle, limits ) &
             culletAreBeyond( other.corners[2], triangle, limits ) )
               .bits() != 0;
}

#endif
