// SPDX-License-Identifier: Zlib
#include "png_file.h"

#include <png.h>
#include <stdexcept>

namespace cullet::render
{

void writePng( const std::string& path, int width, int height, const std::vector<std::uint8_t>& rgb )
{
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32( width );
    image.height = png_uint_32( height );
    image.format = PNG_FORMAT_RGB;
    if ( !png_image_write_to_file( &image, path.c_str(), 0, rgb.data(), 0, nullptr ) )
    {
        throw std::runtime_error( "cannot write " + path + ": " + image.message );
    }
}

} // namespace cullet::render
