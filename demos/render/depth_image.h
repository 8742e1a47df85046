// SPDX-License-Identifier: Zlib
/// \file depth_image.h
/// An image with the first visible body and its distance for each sample. Used for the view of the camera and of the
/// sun: a point is lit if its body is the first that the sun sees there.
#ifndef CLT_RENDER_DEPTH_IMAGE_H
#define CLT_RENDER_DEPTH_IMAGE_H

#include "camera.h"

#include "demos/world/column.h"

#include <cstdint>
#include <vector>

namespace cullet::demo
{

constexpr std::int32_t emptySample = -1;

struct Sample
{
    float depth;       ///< infinite if there is no body
    std::int32_t body; ///< index, or emptySample
};

class DepthImage
{
public:
    /// Bodies are opaque. Bodies that contain the eye or are beside it are not drawn.
    DepthImage( const Camera& camera, const std::vector<Placement>& bodies );

    const Camera& camera() const
    {
        return m_camera;
    }

    const Sample& at( int x, int y ) const
    {
        return m_samples[std::size_t( y ) * std::size_t( m_camera.width ) + std::size_t( x )];
    }

private:
    void draw( const Placement& body, std::int32_t index );

    Camera m_camera;
    std::vector<Sample> m_samples;
};

/// The outward unit normal at a point of the surface.
btVector3 normalAt( const Placement& body, const btVector3& point );

} // namespace cullet::demo

#endif
