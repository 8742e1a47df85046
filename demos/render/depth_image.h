// SPDX-License-Identifier: Zlib
/// \file depth_image.h
/// For each sample of an image, the body that is seen first and how far away it is. The camera's view and the sun's
/// view are both of this kind; a point is in the light if the sun sees its body first.
#ifndef CLT_RENDER_DEPTH_IMAGE_H
#define CLT_RENDER_DEPTH_IMAGE_H

#include "camera.h"

#include "demos/world/column.h"

#include <cstdint>
#include <vector>

namespace cullet::demo
{

constexpr std::int32_t noBody = -1;

struct Sample
{
    float depth;       ///< infinite where nothing is
    std::int32_t body; ///< index, or noBody
};

class DepthImage
{
public:
    /// Bodies are opaque; those that the eye is inside of or beside are left out.
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
