// SPDX-License-Identifier: Zlib
/// \file no_opengl.cpp
/// In place of picture.cpp in a build without OpenGL.
#include "picture.h"

#include <stdexcept>

namespace cullet::render
{

std::string missingOpenGl()
{
    return "this build has no OpenGL";
}

void writePicture( const Drawing&, const Camera&, const std::string& )
{
    throw std::runtime_error( missingOpenGl() );
}

} // namespace cullet::render
