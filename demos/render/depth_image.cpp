// SPDX-License-Identifier: Zlib
/// \file depth_image.cpp
/// Draws the bodies, the nearest first. Casts a ray for each sample that the body's bounding sphere may cover, unless
/// the sample already has something nearer than the whole body. In a pile most bodies are hidden, so that few rays are
/// cast.
#include "depth_image.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
    const btScalar halfChord2 = radius * radius - ( offset - nearest * ray.direction ).length2();
    return halfChord2 < 0 ? miss : nearest - std::sqrt( halfChord2 / lengthSquared );
}

/// Intersects the ray with three pairs of parallel planes, in the box's frame. The ray is inside between the last entry
/// and the first exit. For a ray parallel to a plane the division gives infinities, which compare correctly.
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

} // namespace

DepthImage::DepthImage( const Camera& camera, const std::vector<Placement>& bodies )
    : m_camera( camera ), m_samples( std::size_t( camera.width ) * std::size_t( camera.height ),
                                     Sample{ std::numeric_limits<float>::infinity(), emptySample } )
{
    std::vector<std::pair<btScalar, std::int32_t>> byDepth;
    for ( const Placement& body : bodies )
    {
        byDepth.emplace_back( camera.project( body.transform.getOrigin() ).z(), std::int32_t( byDepth.size() ) );
    }
    std::sort( byDepth.begin(), byDepth.end() );
    for ( const auto& [depth, index] : byDepth )
    {
        draw( bodies[std::size_t( index )], index );
    }
}

void DepthImage::draw( const Placement& body, std::int32_t index )
{
    const BodyKind& kind = body.kind();
    const btVector3& centre = body.transform.getOrigin();
    const btVector3 image = m_camera.project( centre );
    const btScalar nearest = image.z() - kind.radius();
    if ( nearest <= 0 )
    {
        return;
    }
    // The radius of the ball's image in samples. On the camera's axis it is radius / nearest; elsewhere it is larger,
    // because perspective stretches the image.
    const btScalar slant = ( centre - m_camera.eye ).length() / image.z();
    const btScalar reach = m_camera.scale * kind.radius() * slant / nearest;
    const auto within = []( btScalar position, int size )
    { return int( std::clamp( position, btScalar( 0 ), btScalar( size ) ) ); };
    const int lastX = within( image.x() + reach + 1, m_camera.width );
    const int lastY = within( image.y() + reach + 1, m_camera.height );
    for ( int y = within( image.y() - reach, m_camera.height ); y < lastY; ++y )
    {
        Sample* row = &m_samples[std::size_t( y ) * std::size_t( m_camera.width )];
        for ( int x = within( image.x() - reach, m_camera.width ); x < lastX; ++x )
        {
            if ( row[x].depth > float( nearest ) )
            {
                const Ray ray = m_camera.ray( x, y );
                const auto depth = float( kind.isSphere ? intersectBall( centre, kind.radius(), ray )
                                                        : intersectBox( body.transform, kind.halfExtents, ray ) );
                row[x] = depth > 0 && depth < row[x].depth ? Sample{ depth, index } : row[x];
            }
        }
    }
}

btVector3 normalAt( const Placement& body, const btVector3& point )
{
    const btVector3 offset = point - body.transform.getOrigin();
    if ( body.kind().isSphere )
    {
        return offset.normalized();
    }
    const btVector3 share = offset * body.transform.getBasis() / body.kind().halfExtents; // 1 or -1 on the point's face
    const int axis = share.absolute().maxAxis();
    return btScalar( share[axis] < 0 ? -1 : 1 ) * body.transform.getBasis().getColumn( axis );
}

} // namespace cullet::demo
