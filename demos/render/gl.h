// SPDX-License-Identifier: Zlib
/// \file gl.h
/// The functions that OpenGL 3.3 and WebGL 2 have in common.
#ifndef CLT_RENDER_GL_H
#define CLT_RENDER_GL_H

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <epoxy/gl.h>
#endif

namespace cullet::render
{

/// The first lines of each shader.
#ifdef __EMSCRIPTEN__
constexpr const char* shaderVersion = "#version 300 es\n"
                                      "precision highp float;\n"
                                      "precision highp int;\n"
                                      "precision highp sampler2DShadow;\n"
                                      "precision highp usampler2D;\n";
#else
constexpr const char* shaderVersion = "#version 330 core\n";
#endif

} // namespace cullet::render

#endif
