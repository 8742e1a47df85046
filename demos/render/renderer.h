// SPDX-License-Identifier: Zlib
/// \file renderer.h
/// Turns figures over a plane into a picture: sun with shadows, light from the sky, four samples for each pixel. No
/// graphics card and no window system are needed.
#ifndef CLT_RENDER_RENDERER_H
#define CLT_RENDER_RENDERER_H

#include "camera.h"
#include "depth_image.h"
#include "image.h"

#include <vector>

namespace cullet::demo
{

struct PictureSize
{
    int width = 1280;
    int height = 800;
};

/// \param framed  points that have to be in the picture; they alone place the camera, so that pictures of one scene at
///                different times can be compared
Image render( const std::vector<Figure>& figures, const std::vector<btVector3>& framed, PictureSize size );

} // namespace cullet::demo

#endif
