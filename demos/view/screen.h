// SPDX-License-Identifier: Zlib
/// \file screen.h
/// Where the viewer is shown: in a window, or without one in a picture.
#ifndef CLT_VIEW_SCREEN_H
#define CLT_VIEW_SCREEN_H

#include "controls.h"

namespace cullet::view
{

struct PictureRequest
{
    int width = 1280; ///< of the window, or of the picture; pixels
    int height = 800;
    int frames = 120;       ///< steps before the picture
    std::string screenshot; ///< the file; may be empty
};

/// Runs until the user closes the window.
/// \throws std::runtime_error  if there is no display or no OpenGL 3.3, or as makeSource
void showWindow( const Controls& controls, const PictureRequest& size );

/// Makes steps without a window, then draws and writes a picture.
/// \throws std::runtime_error  if there is no OpenGL 3.3 or the file cannot be written, or as makeSource
void showOffscreen( const Controls& controls, const PictureRequest& request );

} // namespace cullet::view

#endif
