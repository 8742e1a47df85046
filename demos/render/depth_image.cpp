// SPDX-License-Identifier: Zlib
/// \file depth_image.cpp
/// Draws body by body, nearest first: each body's window of samples is tested by ray, unless something nearer than the
/// whole body is already there. In a pile nearly everything is behind something, so most rays are never cast.
#include "depth_image.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cullet::demo
{
namespace
{

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

} // namespace cullet::demo
