// SPDX-License-Identifier: Zlib
/// \file image.h
/// A picture of 8-bit pixels, and the way it gets into a PNG file.
#ifndef CLT_RENDER_IMAGE_H
#define CLT_RENDER_IMAGE_H

#include "LinearMath/btVector3.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cullet::demo
{

/// Linear light from what is written in colour pickers, 0 to 255 (IEC 61966-2-1).
btVector3 linearColour( int red, int green, int blue );

class Image
{
public:
    Image( int width, int height );

    /// \param colour  linear light; clipped to 0..1
    void set( int x, int y, const btVector3& colour );

    /// \throws std::runtime_error with the reason and the path
    void writePng( const std::string& path ) const;

private:
    int m_width;
    int m_height;
    std::vector<std::uint8_t> m_bytes; ///< red, green, blue, row by row from the top
};

} // namespace cullet::demo

#endif
