// SPDX-License-Identifier: Zlib
/// \file png_file.h
#ifndef CLT_RENDER_PNG_FILE_H
#define CLT_RENDER_PNG_FILE_H

#include <cstdint>
#include <string>
#include <vector>

namespace cullet::render
{

/// Writes a PNG.
/// \param rgb  red, green and blue of each pixel, row by row from the top
/// \throws std::runtime_error with the reason and the path
void writePng( const std::string& path, int width, int height, const std::vector<std::uint8_t>& rgb );

} // namespace cullet::render

#endif
