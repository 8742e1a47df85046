// SPDX-License-Identifier: Zlib
/// \file picture.h
/// A picture of the world as it is now.
#ifndef CLT_WORLD_PICTURE_H
#define CLT_WORLD_PICTURE_H

#include "demos/render/renderer.h"
#include "world.h"

#include <string>

namespace cullet::demo
{

/// Boxes are orange, spheres blue, slabs green. The camera is the same for all pictures of one world: it holds the
/// column as it begins and the pile that it will become.
/// \throws std::runtime_error if the file cannot be written
void writePicture( const World& world, PictureSize size, const std::string& path );

} // namespace cullet::demo

#endif
