// SPDX-License-Identifier: Zlib
/// \file picture.h
/// Draws bodies on a plane, with sun, shadows, light from the sky, and four samples for each pixel. Needs no graphics
/// card and no window system.
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

/// Writes a PNG.
/// \param column  the initial placement of the bodies. The camera depends on the column only, and shows both column and
///                pile, so that pictures of a world at different times can be compared.
/// \throws std::runtime_error with the reason and the path
void writePicture( const std::vector<Placement>& bodies, const Column& column, PictureSize size,
                   const std::string& path );

} // namespace cullet::demo

#endif
