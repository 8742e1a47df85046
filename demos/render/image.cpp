// SPDX-License-Identifier: Zlib
/// \file image.cpp
/// The sRGB transfer curve both ways, and libpng's one-call interface.
#include "image.h"

#include <algorithm>
#include <cmath>
#include <png.h>
#include <stdexcept>

namespace cullet::demo
{
namespace
{

btScalar toLinear( int value )
{
    const btScalar s = btScalar( value ) / 255;
    return s <= btScalar( 0.04045 ) ? s / btScalar( 12.92 )
                                    : std::pow( ( s + btScalar( 0.055 ) ) / btScalar( 1.055 ), btScalar( 2.4 ) );
}

std::uint8_t fromLinear( btScalar light )
{
    const btScalar l = std::clamp( light, btScalar( 0 ), btScalar( 1 ) );
    const btScalar s = l <= btScalar( 0.0031308 )
                           ? l * btScalar( 12.92 )
                           : btScalar( 1.055 ) * std::pow( l, 1 / btScalar( 2.4 ) ) - btScalar( 0.055 );
    return std::uint8_t( s * 255 + btScalar( 0.5 ) );
}

} // namespace

btVector3 linearColour( int red, int green, int blue )
{
    return btVector3( toLinear( red ), toLinear( green ), toLinear( blue ) );
}

Image::Image( int width, int height )
    : m_width( width ), m_height( height ), m_bytes( std::size_t( width ) * std::size_t( height ) * 3 )
{
}

void Image::set( int x, int y, const btVector3& colour )
{
    std::uint8_t* pixel = &m_bytes[( std::size_t( y ) * std::size_t( m_width ) + std::size_t( x ) ) * 3];
    pixel[0] = fromLinear( colour.x() );
    pixel[1] = fromLinear( colour.y() );
    pixel[2] = fromLinear( colour.z() );
}

void Image::writePng( const std::string& path ) const
{
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32( m_width );
    image.height = png_uint_32( m_height );
    image.format = PNG_FORMAT_RGB;
    if ( !png_image_write_to_file( &image, path.c_str(), 0, m_bytes.data(), 0, nullptr ) )
    {
        throw std::runtime_error( "cannot write " + path + ": " + image.message );
    }
}

} // namespace cullet::demo
