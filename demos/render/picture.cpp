// SPDX-License-Identifier: Zlib
#include "picture.h"

#include "offscreen.h"
#include "png_file.h"
#include "renderer.h"

#include <stdexcept>

namespace cullet::render
{

static constexpr int shadowPixels = 4096;

std::string missingOpenGl()
{
    try
    {
        Offscreen( 1, 1 );
        return "";
    }
    catch ( const std::runtime_error& error )
    {
        return error.what();
    }
}

void writePicture( const Drawing& drawing, const Camera& camera, const std::string& path )
{
    Offscreen screen( camera.width, camera.height );
    Renderer( shadowPixels ).draw( drawing, camera, { 0, 0, camera.width, camera.height } );
    writePng( path, camera.width, camera.height, screen.pixels() );
}

} // namespace cullet::render
