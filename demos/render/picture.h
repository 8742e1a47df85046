// SPDX-License-Identifier: Zlib
/// \file picture.h
/// Pictures in files.
#ifndef CLT_RENDER_PICTURE_H
#define CLT_RENDER_PICTURE_H

#include "camera.h"
#include "drawing.h"

#include <string>

namespace cullet::render
{

/// Why there are no pictures: there is no OpenGL 3.3; in one line that says what to install. Empty if there is OpenGL.
std::string missingOpenGl();

/// Draws and writes a PNG of the camera's size.
/// \throws std::runtime_error  with the reason: there is no OpenGL, or the file cannot be written
void writePicture( const Drawing& drawing, const Camera& camera, const std::string& path );

} // namespace cullet::render

#endif
