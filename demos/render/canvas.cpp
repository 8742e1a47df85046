// SPDX-License-Identifier: Zlib
#include "canvas.h"

#include <png.h>
#include <stdexcept>

namespace cullet::demo
{

void writePng( const std::string& path, int width, int height, const std::function<btVector3( int x, int y )>& lightOf )
{
    constexpr btScalar gamma = btScalar( 2.2 ); // of a pixel, approximately that of sRGB
    constexpr int sampleCount = samplesPerSide * samplesPerSide;
    std::vector<png_byte> rgb;
    rgb.reserve( std::size_t( width ) * std::size_t( height ) * 3 );
    for ( int pixel = 0; pixel < width * height; ++pixel )
    {
        btVector3 light( 0, 0, 0 );
        for ( int i = 0; i < sampleCount; ++i )
        {
            light += lightOf( pixel % width * samplesPerSide + i % samplesPerSide,
                              pixel / width * samplesPerSide + i / samplesPerSide );
        }
        for ( int channel = 0; channel < 3; ++channel )
        {
            const btScalar clipped = std::clamp( light[channel] / sampleCount, btScalar( 0 ), btScalar( 1 ) );
            rgb.push_back( png_byte( 255 * std::pow( clipped, 1 / gamma ) + btScalar( 0.5 ) ) );
        }
    }
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

} // namespace cullet::demo
