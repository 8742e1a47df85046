// SPDX-License-Identifier: Zlib
/// \file offscreen.h
/// Pictures without a window: an OpenGL context that needs no display, and the pixels drawn in it.
#ifndef CLT_RENDER_OFFSCREEN_H
#define CLT_RENDER_OFFSCREEN_H

#include "drawing.h"
#include "renderer.h"

#include <string>

namespace cullet::render
{

/// An OpenGL context and a framebuffer with four samples for each pixel. Both are current while the object lives.
class Offscreen
{
public:
    /// \throws std::runtime_error  if there is no OpenGL 3.3
    Offscreen( int width, int height );
    ~Offscreen();
    Offscreen( const Offscreen& ) = delete;
    Offscreen& operator=( const Offscreen& ) = delete;

    /// Red, green and blue of each pixel, row by row from the top.
    std::vector<std::uint8_t> pixels();

private:
    void makeContext();

    int m_width;
    int m_height;
    void* m_display = nullptr;
    void* m_context = nullptr;
    GLuint m_buffers[2]; ///< with many samples, and with one
};

} // namespace cullet::render

#endif
