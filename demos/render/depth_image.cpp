// SPDX-License-Identifier: Zlib
/// \file depth_image.cpp
/// Draws body by body, nearest first: each body's window of samples is tested by ray, unless something nearer than the
/// whole body is already there. In a pile nearly everything is behind something, so most rays are never cast.
#include "depth_image.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cullet::demo
{
namespace
{

constexpr btScalar miss = -1;

btScalar intersectBall( const btVector3& centre, btScalar radius, const Ray& ray )
{
    const btVector3 offset = centre - ray.origin;
    const btScalar lengthSquared = ray.direction.length2();
    const btScalar nearest = offset.dot( ray.direction ) / lengthSquared;
    const btScalar missBy2 = ( offset - nearest * ray.direction ).length2();
    const btScalar halfChord2 = radius * radius - missBy2;
    return halfChord2 < 0 ? miss : nearest - std::sqrt( halfChord2 / lengthSquared );
}

/// In the box's own frame the ray is cut by three pairs of parallel planes; it is inside between the last entry and the
/// first exit. Along a plane the division gives infinities, of one sign outside the pair and of both signs inside.
btScalar intersectBox( const btTransform& transform, const btVector3& halfExtents, const Ray& ray )
{
    const btVector3 origin = ( ray.origin - transform.getOrigin() ) * transform.getBasis();
    const btVector3 direction = ray.direction * transform.getBasis();
    btScalar entry = -BT_LARGE_FLOAT;
    btScalar exit = BT_LARGE_FLOAT;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const btScalar inverse = 1 / direction[axis];
        const btScalar first = ( -halfExtents[axis] - origin[axis] ) * inverse;
        const btScalar second = ( halfExtents[axis] - origin[axis] ) * inverse;
        entry = std::max( entry, std::min( first, second ) );
        exit = std::min( exit, std::max( first, second ) );
    }
    return entry <= exit ? entry : miss;
}

/// The depth at which the ray enters the body, or a negative number if it misses it. Everything is convex, so one entry
/// point tells all.
btScalar intersect( const Figure& figure, const Ray& ray )
{
    if ( figure.kind == BodyKind::sphere )
    {
        return intersectBall( figure.transform.getOrigin(), figure.halfExtents.x(), ray );
    }
    return intersectBox( figure.transform, figure.halfExtents, ray );
}

std::vector<std::int32_t> nearestFirst( const Camera& camera, const std::vector<Figure>& figures )
{
    std::vector<btScalar> depths;
    depths.reserve( figures.size() );
    for ( const Figure& figure : figures )
    {
        depths.push_back( camera.depthOf( figure.transform.getOrigin() ) );
    }
    std::vector<std::int32_t> order( figures.size() );
    std::iota( order.begin(), order.end(), 0 );
    std::sort( order.begin(), order.end(),
               [&depths]( std::int32_t a, std::int32_t b )
               { return depths[std::size_t( a )] < depths[std::size_t( b )]; } );
    return order;
}

} // namespace

DepthImage::DepthImage( const Camera& camera, const std::vector<Figure>& figures )
    : m_camera( camera ), m_samples( std::size_t( camera.width ) * std::size_t( camera.height ),
                                     Sample{ std::numeric_limits<float>::infinity(), noFigure } )
{
    for ( const std::int32_t index : nearestFirst( camera, figures ) )
    {
        draw( figures[std::size_t( index )], index );
    }
}

void DepthImage::draw( const Figure& figure, std::int32_t index )
{
    const btVector3& centre = figure.transform.getOrigin();
    const Window window = m_camera.windowOf( centre, figure.radius() );
    const float nearest = float( m_camera.depthOf( centre ) - figure.radius() );
    for ( int y = window.firstY; y < window.lastY; ++y )
    {
        Sample* row = &m_samples[std::size_t( y ) * std::size_t( m_camera.width )];
        for ( int x = window.firstX; x < window.lastX; ++x )
        {
            if ( row[x].depth <= nearest )
            {
                continue;
            }
            const float depth = float( intersect( figure, m_camera.ray( x, y ) ) );
            if ( depth > 0 && depth < row[x].depth )
            {
                row[x] = { depth, index };
            }
        }
    }
}

btVector3 normalAt( const Figure& figure, const btVector3& point )
{
    const btVector3 offset = point - figure.transform.getOrigin();
    if ( figure.kind == BodyKind::sphere )
    {
        return offset.normalized();
    }
    const btVector3 local = offset * figure.transform.getBasis();
    const btVector3 share = local / figure.halfExtents; // plus or minus one on the face that the point is on
    const int axis = share.absolute().maxAxis();
    const btVector3 outward = figure.transform.getBasis().getColumn( axis );
    return share[axis] < 0 ? -outward : outward;
}

} // namespace cullet::demo
