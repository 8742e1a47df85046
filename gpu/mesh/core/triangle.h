// SPDX-License-Identifier: Zlib
/// \file triangle.h Exact triangle intersection. Triangles are closed sets: touching counts. They may be degenerate, a
/// segment or a point. Only the signs of exact.h decide.
///
/// Two triangles in general position intersect if they cut overlapping intervals from the line in which their planes
/// meet (Moller, A Fast Triangle-Triangle Intersection Test, 1997). Two more signs decide whether these intervals
/// overlap (Guigue and Devillers, Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates, 2003).
/// If a corner lies on the other triangle's plane, a slower rule without special cases applies: two triangles intersect
/// if an edge of one triangle intersects the other triangle.
#ifndef CLT_CORE_TRIANGLE_H
#define CLT_CORE_TRIANGLE_H

#include "gpu/mesh/core/exact.h"

/// A triangle, given by its corners.
typedef struct cltFacet
{
    cltPoint corners[3];
} cltFacet;

// ---------------------------------------------------------------------------------------------- segments

/// Whether three points are collinear.
CLT_HD bool cltAreCollinear( const cltPoint* a, const cltPoint* b, const cltPoint* c )
{
    return cltOrient2( a, b, c, 0 ) == 0 && cltOrient2( a, b, c, 1 ) == 0 && cltOrient2( a, b, c, 2 ) == 0;
}

/// Whether a point is in the box around two other points.
CLT_HD bool cltIsBetween( const cltPoint* point, const cltPoint* a, const cltPoint* b )
{
    bool isInside = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double lower = a->at[axis] < b->at[axis] ? a->at[axis] : b->at[axis];
        const double upper = a->at[axis] < b->at[axis] ? b->at[axis] : a->at[axis];
        isInside = isInside && lower <= point->at[axis] && point->at[axis] <= upper;
    }
    return isInside;
}

CLT_HD bool cltPointMeetsSegment( const cltPoint* point, const cltPoint* a, const cltPoint* b )
{
    return cltIsBetween( point, a, b ) && cltAreCollinear( point, a, b );
}

/// Whether two coplanar segments, pq and rs, that are not both on one line intersect: the ends of each segment must lie
/// on different sides of the other segment, or on it.
CLT_HD bool cltSegmentsCross( const cltPoint* p, const cltPoint* q, const cltPoint* r, const cltPoint* s )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        const int rSide = cltOrient2( p, q, r, axis );
        const int sSide = cltOrient2( p, q, s, axis );
        const int pSide = cltOrient2( r, s, p, axis );
        const int qSide = cltOrient2( r, s, q, axis );
        if ( ( rSide | sSide | pSide | qSide ) != 0 ) // otherwise this view shows the segments' plane edge-on
        {
            return rSide * sSide <= 0 && pSide * qSide <= 0;
        }
    }
    return false;
}

CLT_HD bool cltSegmentsMeet( const cltPoint* p, const cltPoint* q, const cltPoint* r, const cltPoint* s )
{
    if ( cltPoint_Equals( p, q ) )
    {
        return cltPointMeetsSegment( p, r, s );
    }
    if ( cltPoint_Equals( r, s ) )
    {
        return cltPointMeetsSegment( r, p, q );
    }
    if ( cltOrient3( p, q, r, s ) != 0 )
    {
        return false;
    }
    if ( cltAreCollinear( p, q, r ) && cltAreCollinear( p, q, s ) )
    {
        return cltIsBetween( p, r, s ) || cltIsBetween( q, r, s ) || cltIsBetween( r, p, q ) || cltIsBetween( s, p, q );
    }
    return cltSegmentsCross( p, q, r, s );
}

// -------------------------------------------------------------------------------------- a segment and a triangle

CLT_HD bool cltSegmentMeetsEdges( const cltPoint* p, const cltPoint* q, const cltFacet* triangle )
{
    const cltPoint* at = triangle->corners;
    return cltSegmentsMeet( p, q, at, at + 1 ) || cltSegmentsMeet( p, q, at + 1, at + 2 ) ||
           cltSegmentsMeet( p, q, at + 2, at );
}

/// Whether a point on the triangle's plane is in the triangle. The corners must not be collinear.
CLT_HD bool cltFacet_HoldsPoint( const cltFacet* triangle, const cltPoint* point )
{
    const cltPoint* at = triangle->corners;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const int turn = cltOrient2( at, at + 1, at + 2, axis );
        if ( turn != 0 )
        {
            return turn * cltOrient2( at, at + 1, point, axis ) >= 0 &&
                   turn * cltOrient2( at + 1, at + 2, point, axis ) >= 0 &&
                   turn * cltOrient2( at + 2, at, point, axis ) >= 0;
        }
    }
    return false;
}

/// Whether the segment pq intersects a triangle.
/// \param pSide, qSide  the sides of the triangle's plane on which p and q lie; both 0 if its corners are collinear
CLT_HD bool cltSegmentMeetsFacet( const cltPoint* p, const cltPoint* q, int pSide, int qSide, const cltFacet* triangle )
{
    if ( pSide * qSide > 0 )
    {
        return false;
    }
    const cltPoint* at = triangle->corners;
    if ( pSide == 0 && qSide == 0 )
    {
        return cltFacet_HoldsPoint( triangle, p ) || cltSegmentMeetsEdges( p, q, triangle );
    }
    const int first = cltOrient3( p, q, at, at + 1 );
    const int second = cltOrient3( p, q, at + 1, at + 2 );
    const int third = cltOrient3( p, q, at + 2, at );
    return ( first >= 0 && second >= 0 && third >= 0 ) || ( first <= 0 && second <= 0 && third <= 0 );
}

// --------------------------------------------------------------------------------------------------- two triangles

/// The sides of a triangle's plane on which the corners of another triangle lie.
typedef struct cltSides
{
    int of[3];
} cltSides;

CLT_HD cltSides cltFacet_Sides( const cltFacet* plane, const cltFacet* triangle )
{
    const cltPlane through = cltPlane_Make( plane->corners, plane->corners + 1, plane->corners + 2 );
    cltSides sides;
    for ( int i = 0; i < 3; ++i )
    {
        sides.of[i] = cltPlane_Side( &through, triangle->corners + i );
    }
    return sides;
}

/// Whether all corners are strictly on one side of the plane.
CLT_HD bool cltSides_AreApart( const cltSides* sides )
{
    return sides->of[0] != 0 && sides->of[0] == sides->of[1] && sides->of[0] == sides->of[2];
}

CLT_HD bool cltSides_HaveZero( const cltSides* sides )
{
    return sides->of[0] == 0 || sides->of[1] == 0 || sides->of[2] == 0;
}

/// The corner that is alone on its side of the plane. No corner may lie on the plane.
CLT_HD int cltSides_Lone( const cltSides* sides )
{
    return sides->of[1] == sides->of[2] ? 0 : sides->of[0] == sides->of[2] ? 1 : 2;
}

CLT_HD_SELDOM bool cltFacet_AnEdgeMeets( const cltFacet* triangle, const cltSides* sides, const cltFacet* other )
{
    for ( int i = 0; i < 3; ++i )
    {
        const int next = i == 2 ? 0 : i + 1;
        if ( cltSegmentMeetsFacet( triangle->corners + i, triangle->corners + next, sides->of[i], sides->of[next],
                                   other ) )
        {
            return true;
        }
    }
    return false;
}

/// Whether two triangles that cross each other's planes, with no corner on a plane, intersect. The test numbers the
/// corners of each triangle: 0 is its lone corner, 1 and 2 follow in counter-clockwise order, seen from the other
/// triangle's lone corner.
CLT_HD bool cltFacet_IntervalsOverlap( const cltFacet* a, const cltSides* aSides, const cltFacet* b,
                                       const cltSides* bSides )
{
    const int aLone = cltSides_Lone( aSides );
    const int bLone = cltSides_Lone( bSides );
    const int aStep = bSides->of[bLone] > 0 ? 1 : 2;
    const int bStep = aSides->of[aLone] > 0 ? 1 : 2;
    const cltPoint* a0 = a->corners + aLone;
    const cltPoint* a1 = a->corners + ( aLone + aStep ) % 3;
    const cltPoint* a2 = a->corners + ( aLone + 3 - aStep ) % 3;
    const cltPoint* b0 = b->corners + bLone;
    const cltPoint* b1 = b->corners + ( bLone + bStep ) % 3;
    const cltPoint* b2 = b->corners + ( bLone + 3 - bStep ) % 3;
    return cltOrient3( a0, a1, b0, b1 ) <= 0 && cltOrient3( a0, a2, b2, b0 ) <= 0;
}

CLT_HD bool cltFacet_Meets( const cltFacet* a, const cltFacet* b )
{
    const cltSides aSides = cltFacet_Sides( b, a );
    if ( cltSides_AreApart( &aSides ) )
    {
        return false;
    }
    const cltSides bSides = cltFacet_Sides( a, b );
    if ( cltSides_AreApart( &bSides ) )
    {
        return false;
    }
    if ( cltSides_HaveZero( &aSides ) || cltSides_HaveZero( &bSides ) )
    {
        return cltFacet_AnEdgeMeets( a, &aSides, b ) || cltFacet_AnEdgeMeets( b, &bSides, a );
    }
    return cltFacet_IntervalsOverlap( a, &aSides, b, &bSides );
}

#endif
