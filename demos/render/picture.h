// SPDX-License-Identifier: Zlib
/// \file picture.h
/// Turns bodies over a plane into a picture: sun with shadows, light from the sky, four samples for each pixel. No
/// graphics card and no window system are needed.
#ifndef CLT_RENDER_PICTURE_H
#define CLT_RENDER_PICTURE_H

#include "demos/world/column.h"

#include <string>
#include <vector>

namespace cullet::demo
{

struct PictureSize
{
    int width = 1280;
    int height = 800;
};

/// A PNG.
/// \param column  as the bodies began. It alone places the camera, which holds it and the pile that it will become, so
///                that pictures of one world at different times can be compared.
/// \throws std::runtime_error with the reason and the path
void writePicture( const std::vector<Placement>& bodies, const Column& column, PictureSize size,
                   const std::string& path );

} // namespace cullet::demo

#endif
