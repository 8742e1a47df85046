// SPDX-License-Identifier: Zlib
/// \file mesh.h Boxes, diagonals and pair tests of a mesh's triangles, edges and vertices. Each of these parts is given
/// by three corners: an edge repeats one of its two vertices, a vertex is repeated three times. So edges and vertices
/// are degenerate triangles, and all functions for triangles apply to them.
#ifndef CLT_CORE_MESH_H
#define CLT_CORE_MESH_H

#include "bridge/mesh/cullet_mesh.h"
#include "gpu/core/level_tree.h"
#include "gpu/mesh/core/kdop.h"
#include "gpu/mesh/core/triangle.h"

#include <float.h>

/// A view of a mesh. Triangles are numbered by leaf, in the order of a curve.
typedef struct cltMeshView
{
    const void* now;         ///< current positions, three floats or doubles per vertex
    const void* before;      ///< previous positions; NULL if the mesh is not swept
    const uint32_t* corners; ///< three vertices per leaf
    float thickness;
    bool isDouble;
} cltMeshView;

CLT_HD const uint32_t* cltMeshView_Corners( const cltMeshView* mesh, uint32_t leaf )
{
    return mesh->corners + 3u * (size_t)leaf;
}

CLT_HD cltPoint cltMeshView_Vertex( const cltMeshView* mesh, const void* vertices, uint32_t vertex )
{
    const size_t first = 3u * (size_t)vertex;
    cltPoint point;
    for ( int axis = 0; axis < 3; ++axis )
    {
        point.at[axis] = mesh->isDouble ? ( (const double*)vertices )[first + (size_t)axis]
                                        : (double)( (const float*)vertices )[first + (size_t)axis];
    }
    return point;
}

CLT_HD cltFacet cltMeshView_Facet( const cltMeshView* mesh, const void* vertices, const uint32_t* corners )
{
    cltFacet facet;
    for ( int corner = 0; corner < 3; ++corner )
    {
        facet.corners[corner] = cltMeshView_Vertex( mesh, vertices, corners[corner] );
    }
    return facet;
}

/// Whether all coordinates are finite, as exact.h requires.
CLT_HD bool cltFacet_IsFinite( const cltFacet* facet )
{
    double sum = 0.0;
    for ( int corner = 0; corner < 3; ++corner )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            sum += facet->corners[corner].at[axis] * 0.0; // NaN for an infinity or NaN
        }
    }
    return sum == 0.0;
}

// ------------------------------------------------------------------------------------------------------------- boxes

/// The box of a triangle's corners; NaN on all axes if a corner has a NaN.
CLT_HD cltAabb cltCornerBox( const float* vertices, const uint32_t* corners )
{
    const float* a = vertices + 3u * (size_t)corners[0];
    const float* b = vertices + 3u * (size_t)corners[1];
    const float* c = vertices + 3u * (size_t)corners[2];
    cltAabb box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float lower = b[axis] < a[axis] ? b[axis] : a[axis];
        const float upper = b[axis] > a[axis] ? b[axis] : a[axis];
        const bool isNumber = a[axis] == a[axis] && b[axis] == b[axis] && c[axis] == c[axis];
        box.lower[axis] = !isNumber ? cltNan() : c[axis] < lower ? c[axis] : lower;
        box.upper[axis] = !isNumber ? cltNan() : c[axis] > upper ? c[axis] : upper;
    }
    return box;
}

/// Widens a box by at least `distance`, including rounding.
CLT_HD void cltAabb_Widen( cltAabb* box, float distance )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        box->lower[axis] = cltFarBelow( box->lower[axis], distance );
        box->upper[axis] = cltFarAbove( box->upper[axis], distance );
    }
}

/// The box of a triangle's current and previous positions in double precision, widened by the mesh's thickness. NaN if
/// a corner has a NaN; the triangle is then hidden.
CLT_HD cltAabbD cltMeshView_BoxD( const cltMeshView* mesh, const uint32_t* corners )
{
    const void* moments[2];
    moments[0] = mesh->now;
    moments[1] = mesh->before != NULL ? mesh->before : mesh->now;
    cltAabbD box;
    for ( int i = 0; i < 6; ++i )
    {
        const cltPoint corner = cltMeshView_Vertex( mesh, moments[i / 3], corners[i % 3] );
        for ( int axis = 0; axis < 3; ++axis )
        {
            const double at = corner.at[axis];
            const bool isFirst = i == 0;
            // a NaN replaces a number, and no number replaces a NaN
            box.lower[axis] = isFirst || !( at >= box.lower[axis] ) ? at : box.lower[axis];
            box.upper[axis] = isFirst || !( at <= box.upper[axis] ) ? at : box.upper[axis];
        }
        if ( cltAabbD_HasNan( &box ) )
        {
            return box;
        }
    }
    for ( int axis = 0; axis < 3 && mesh->thickness > 0.0f; ++axis )
    {
        const double lower = box.lower[axis] - (double)mesh->thickness;
        const double upper = box.upper[axis] + (double)mesh->thickness;
        box.lower[axis] = lower - fmin( fabs( lower ), DBL_MAX ) * 2.3e-16; // by more than half of the last bit;
        box.upper[axis] = upper + fmin( fabs( upper ), DBL_MAX ) * 2.3e-16; // the result is never a NaN
    }
    return box;
}

/// As cltMeshView_BoxD, but in float, rounded outward if positions are double. All rounding is monotone, so a
/// triangle's box contains the boxes of its edges and vertices.
CLT_HD cltAabb cltMeshView_Box( const cltMeshView* mesh, const uint32_t* corners )
{
    if ( mesh->isDouble )
    {
        const cltAabbD box = cltMeshView_BoxD( mesh, corners );
        return cltAabb_FromDouble( &box );
    }
    cltAabb box = cltCornerBox( (const float*)mesh->now, corners );
    if ( mesh->before != NULL && !cltAabb_HasNan( &box ) )
    {
        // a previous position has no NaN unless the current position has one
        const cltAabb before = cltCornerBox( (const float*)mesh->before, corners );
        box = cltAabb_Union( &box, &before );
    }
    if ( mesh->thickness > 0.0f && !cltAabb_HasNan( &box ) )
    {
        cltAabb_Widen( &box, mesh->thickness );
    }
    return box;
}

/// A triangle's leaf in its mesh's tree; an empty node if the triangle is hidden.
CLT_HD cltLevelNode cltMeshView_Leaf( const cltMeshView* mesh, const uint32_t* corners )
{
    cltLevelNode leaf;
    leaf.box = cltMeshView_Box( mesh, corners );
    leaf.filter.group = -1;
    leaf.filter.mask = -1;
    return cltAabb_HasNan( &leaf.box ) ? cltLevelNode_Empty() : leaf;
}

// --------------------------------------------------------------------------------------------------------- diagonals

/// The diagonals of a triangle in double precision. Measures are rounded as doubles and then outward to floats.
CLT_HD cltDiagonalIntervals cltFacet_DiagonalIntervals( const cltFacet* facet )
{
    cltDiagonalIntervals diagonals;
    for ( int i = 0; i < CLT_DIAGONAL_COUNT; ++i )
    {
        const int first = i % 3 == 2 ? 1 : 0;
        const int second = i % 3 == 0 ? 1 : 2;
        double lower = 0.0;
        double upper = 0.0;
        for ( int corner = 0; corner < 3; ++corner )
        {
            const double* at = facet->corners[corner].at;
            const double measure = i < 3 ? at[first] + at[second] : at[first] - at[second];
            lower = corner == 0 || measure < lower ? measure : lower;
            upper = corner == 0 || measure > upper ? measure : upper;
        }
        diagonals.lower[i] = cltRoundDown( lower );
        diagonals.upper[i] = cltRoundUp( upper );
    }
    return diagonals;
}

CLT_HD cltDiagonalIntervals cltMeshView_DiagonalIntervalsOf( const cltMeshView* mesh, const void* vertices,
                                                             const uint32_t* corners )
{
    if ( mesh->isDouble )
    {
        const cltFacet facet = cltMeshView_Facet( mesh, vertices, corners );
        return cltFacet_DiagonalIntervals( &facet );
    }
    const float* at = (const float*)vertices;
    return cltDiagonalIntervals_OfTriangle( at + 3u * (size_t)corners[0], at + 3u * (size_t)corners[1],
                                            at + 3u * (size_t)corners[2] );
}

CLT_HD cltDiagonalIntervals cltMeshView_DiagonalIntervals( const cltMeshView* mesh, const uint32_t* corners )
{
    cltDiagonalIntervals diagonals = cltMeshView_DiagonalIntervalsOf( mesh, mesh->now, corners );
    if ( mesh->before != NULL )
    {
        const cltDiagonalIntervals before = cltMeshView_DiagonalIntervalsOf( mesh, mesh->before, corners );
        diagonals = cltDiagonalIntervals_Union( &diagonals, &before );
    }
    if ( mesh->thickness > 0.0f )
    {
        cltDiagonalIntervals_Widen( &diagonals, mesh->thickness );
    }
    return diagonals;
}

// ------------------------------------------------------------------------------------------------------------- pairs

/// Whether two triangles of one mesh share a vertex.
CLT_HD bool cltCornersShareVertex( const uint32_t* a, const uint32_t* b )
{
    bool shared = false;
    for ( int i = 0; i < 3; ++i )
    {
        shared = shared || a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
    }
    return shared;
}

/// Whether the boxes of two triangles overlap in the meshes' precision. The triangles' float boxes must overlap.
CLT_HD bool cltMeshViews_BoxesOverlap( const cltMeshView* meshA, const uint32_t* cornersA, const cltMeshView* meshB,
                                       const uint32_t* cornersB )
{
    if ( !meshA->isDouble )
    {
        return true;
    }
    const cltAabbD a = cltMeshView_BoxD( meshA, cornersA );
    const cltAabbD b = cltMeshView_BoxD( meshB, cornersB );
    return cltAabbD_Overlaps( &a, &b );
}

CLT_HD bool cltMeshViews_KdopsOverlap( const cltMeshView* meshA, const uint32_t* cornersA, const cltMeshView* meshB,
                                       const uint32_t* cornersB )
{
    const cltDiagonalIntervals a = cltMeshView_DiagonalIntervals( meshA, cornersA );
    const cltDiagonalIntervals b = cltMeshView_DiagonalIntervals( meshB, cornersB );
    return cltDiagonalIntervals_Overlap( &a, &b );
}

CLT_HD bool cltMeshViews_FacetsMeet( const cltMeshView* meshA, const uint32_t* cornersA, const cltMeshView* meshB,
                                     const uint32_t* cornersB )
{
    const cltFacet a = cltMeshView_Facet( meshA, meshA->now, cornersA );
    const cltFacet b = cltMeshView_Facet( meshB, meshB->now, cornersB );
    return cltFacet_IsFinite( &a ) && cltFacet_IsFinite( &b ) && cltFacet_Meets( &a, &b );
}

/// Whether two triangles pass all tests up to `test`, except exact intersection. Their float boxes must overlap.
CLT_HD bool cltMeshViews_AreNear( const cltMeshView* meshA, const uint32_t* cornersA, const cltMeshView* meshB,
                                  const uint32_t* cornersB, cltMeshTest test )
{
    return cltMeshViews_BoxesOverlap( meshA, cornersA, meshB, cornersB ) &&
           ( test == clt_meshBoxes || cltMeshViews_KdopsOverlap( meshA, cornersA, meshB, cornersB ) );
}

/// Whether two triangles, given by their corners, are a pair under `test`. Their float boxes must overlap.
CLT_HD bool cltMeshViews_ArePair( const cltMeshView* meshA, const uint32_t* cornersA, const cltMeshView* meshB,
                                  const uint32_t* cornersB, cltMeshTest test )
{
    return cltMeshViews_AreNear( meshA, cornersA, meshB, cornersB, test ) &&
           ( test != clt_meshTriangles || cltMeshViews_FacetsMeet( meshA, cornersA, meshB, cornersB ) );
}

#endif
