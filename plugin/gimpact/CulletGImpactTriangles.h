// SPDX-License-Identifier: Zlib
/// \file CulletGImpactTriangles.h
/// The triangles of a block of nodes, in world space and in the lanes of their boxes, and GImpact's first test of two
/// triangles: there is no contact if all corners of one lie farther above the other's plane than the margins. It
/// rejects fifteen of sixteen pairs with overlapping boxes. Everything is computed by Bullet's arithmetic.
#ifndef CULLET_GIMPACT_TRIANGLES_H
#define CULLET_GIMPACT_TRIANGLES_H

#include "CulletGImpactWalk.h"

#include "BulletCollision/Gimpact/btGImpactShape.h"

/// The triangles of a node's children.
struct CulletGImpactFaces
{
    CulletLanes corners[3][3]; ///< x, y and z of each corner
    CulletLanes normal[3];
    CulletLanes offset; ///< of the plane along the normal

    /// Computes normal and offset as btPrimitiveTriangle::buildTriPlane does.
    void setPlane()
    {
        CulletLanes u[3], v[3], n[3];
        CLT_UNROLL
        for ( int i = 0; i < 3; ++i )
        {
            u[i] = corners[1][i] - corners[0][i];
            v[i] = corners[2][i] - corners[0][i];
        }
        n[0] = u[1] * v[2] - u[2] * v[1];
        n[1] = u[2] * v[0] - u[0] * v[2];
        n[2] = u[0] * v[1] - u[1] * v[0];
        const CulletLanes inverse = culletBroadcast( 1 ) / culletSqrt( culletDot( n, n ) );
        CLT_UNROLL
        for ( int i = 0; i < 3; ++i )
        {
            normal[i] = n[i] * inverse;
        }
        offset = culletDot( corners[0], normal );
    }

    btPrimitiveTriangle inLane( int lane, btScalar margin ) const
    {
        btPrimitiveTriangle triangle;
        CLT_UNROLL
        for ( int k = 0; k < 3; ++k )
        {
            triangle.m_vertices[k].setValue( corners[k][0].get( lane ), corners[k][1].get( lane ),
                                             corners[k][2].get( lane ) );
        }
        triangle.m_plane.setValue( normal[0].get( lane ), normal[1].get( lane ), normal[2].get( lane ),
                                   offset.get( lane ) );
        triangle.m_margin = margin;
        return triangle;
    }
};

/// \return the lanes in which all corners lie farther above the plane than `limit`
inline CulletLaneMask culletAreBeyond( const CulletGImpactFaces& corners, const CulletGImpactFaces& plane,
                                       const CulletLanes& limit )
{
    return ( culletDot( corners.corners[0], plane.normal ) - plane.offset > limit ) &
           ( culletDot( corners.corners[1], plane.normal ) - plane.offset > limit ) &
           ( culletDot( corners.corners[2], plane.normal ) - plane.offset > limit );
}

/// \return the lanes of the pairs that btPrimitiveTriangle::overlap_test_conservative rejects
/// \param margins  the sum of both triangles' margins
inline CulletLaneMask culletAreRejected( const CulletGImpactFaces& a, const CulletGImpactFaces& b,
                                         const CulletLanes& margins )
{
    return culletAreBeyond( b, a, margins ) | culletAreBeyond( a, b, margins );
}

/// The triangles of one mesh part that a block needs.
template <int side>
class CulletGImpactTriangles
{
public:
    typedef btGImpactMeshShapePart::TrimeshPrimitiveManager Mesh;

    /// \param mesh  must be locked
    CulletGImpactTriangles( const Mesh& mesh, const btGImpactQuantizedBvh& tree, const btTransform& transform )
        : m_mesh( mesh ), m_tree( tree )
    {
        for ( int i = 0; i < 3; ++i )
        {
            for ( int j = 0; j < 3; ++j )
            {
                m_turn[i][j] = culletBroadcast( transform.getBasis()[i][j] );
            }
            m_origin[i] = culletBroadcast( transform.getOrigin()[i] );
        }
    }

    void take( const CulletGImpactBlock& block )
    {
        m_nodes.begin( block.children[side]->nodeCount );
        for ( int k = 0; k < block.hitCount; ++k )
        {
            m_nodes.request( block.hits[k].nodes[side] );
        }
        const int nodeCount = m_nodes.number();
        for ( int k = 0; k < nodeCount; ++k )
        {
            fill( block.children[side]->children + 2 * m_nodes.idOf( k ), m_faces[k] );
        }
    }

    const CulletGImpactFaces& facesOf( const CulletGImpactHit& hit ) const
    {
        return m_faces[m_nodes.numberOf( hit.nodes[side] )];
    }

private:
    /// Loads the triangles of two children. A child that is not a leaf has none; its lanes repeat the other child's.
    void fill( const int* children, CulletGImpactFaces& faces ) const
    {
        const int first = m_tree.isLeafNode( children[0] ) ? children[0] : children[1];
        const int second = m_tree.isLeafNode( children[1] ) ? children[1] : first;
        btPrimitiveTriangle a, b;
        m_mesh.Mesh::get_primitive_triangle( m_tree.getNodeData( first ), a );
        m_mesh.Mesh::get_primitive_triangle( m_tree.getNodeData( second ), b );
        CLT_UNROLL
        for ( int k = 0; k < 3; ++k )
        {
            place( a.m_vertices[k], b.m_vertices[k], faces.corners[k] );
        }
        faces.setPlane();
    }

    /// Transforms a corner of each child as btTransform::operator() does.
    void place( const btVector3& a, const btVector3& b, CulletLanes ( &placed )[3] ) const
    {
        typedef CulletGImpactLanes<side> Lanes;
        const CulletLanes corner[3] = { Lanes::spread( a.x(), b.x() ), Lanes::spread( a.y(), b.y() ),
                                        Lanes::spread( a.z(), b.z() ) };
        CLT_UNROLL
        for ( int i = 0; i < 3; ++i )
        {
            placed[i] = culletDot( corner, m_turn[i] ) + m_origin[i];
        }
    }

    const Mesh& m_mesh;
    const btGImpactQuantizedBvh& m_tree;
    CulletLanes m_turn[3][3];
    CulletLanes m_origin[3];
    CulletNumbering<culletGImpactNodes> m_nodes; ///< numbers the nodes with needed triangles
    CulletGImpactFaces m_faces[culletGImpactNodes];
};

#endif
