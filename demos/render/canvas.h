// SPDX-License-Identifier: Zlib
/// \file canvas.h
/// An image that holds the nearest surface and its depth for each sample. A picture needs two, as seen from the eye and
/// from the sun: the sun lights a point unless the sun's image has a nearer surface there.
#ifndef CLT_RENDER_CANVAS_H
#define CLT_RENDER_CANVAS_H

#include "camera.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace cullet::demo
{

constexpr int samplesPerSide = 2; ///< of a pixel
constexpr std::int32_t emptySample = -1;

struct Sample
{
    float depth = std::numeric_limits<float>::infinity();
    std::int32_t surface = emptySample; ///< the caller's number
};

class Canvas
{
public:
    explicit Canvas( const Camera& camera )
        : m_camera( camera ), m_samples( std::size_t( camera.width ) * std::size_t( camera.height ) )
    {
    }

    const Camera& camera() const
    {
        return m_camera;
    }

    const Sample& at( int x, int y ) const
    {
        return m_samples[std::size_t( y ) * std::size_t( m_camera.width ) + std::size_t( x )];
    }

    /// Draws a surface within a ball: casts a ray for each sample that the ball may cover, unless the sample already
    /// has a surface in front of the whole ball. Draws nothing if a part of the ball is beside or behind the eye.
    /// \param intersect  the depth at which a ray meets the surface; not positive if it does not
    template <typename Intersect>
    void draw( const btVector3& centre, btScalar radius, std::int32_t surface, Intersect&& intersect )
    {
        const btVector3 image = m_camera.project( centre );
        const btScalar nearest = image.z() - radius;
        if ( nearest <= 0 )
        {
            return;
        }
        // The radius of the ball's image in samples. On the camera's axis it is radius / nearest; elsewhere it is
        // larger, because perspective stretches the image.
        const btScalar slant = ( centre - m_camera.eye ).length() / image.z();
        const btScalar reach = m_camera.scale * radius * slant / nearest;
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
                    const auto depth = float( intersect( m_camera.ray( x, y ) ) );
                    row[x] = depth > 0 && depth < row[x].depth ? Sample{ depth, surface } : row[x];
                }
            }
        }
    }

private:
    Camera m_camera;
    std::vector<Sample> m_samples;
};

/// Writes a PNG.
/// \param lightOf  linear light of a sample, 0 to 1. A pixel has samplesPerSide samples along each axis
/// \throws std::runtime_error with the reason and the path
void writePng( const std::string& path, int width, int height,
               const std::function<btVector3( int x, int y )>& lightOf );

} // namespace cullet::demo

#endif
