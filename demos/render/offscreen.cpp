// SPDX-License-Identifier: Zlib
/// \file offscreen.cpp
/// Asks EGL for a context without a surface, which Mesa gives with and without a graphics card.
#include "offscreen.h"

#include <epoxy/egl.h>
#include <stdexcept>

namespace cullet::render
{
namespace
{

constexpr GLsizei samplesPerPixel = 4;

void require( bool holds )
{
    if ( !holds )
    {
        throw std::runtime_error(
            "there is no OpenGL 3.3 to draw with (Debian: apt-get install libegl1 libgl1-mesa-dri)" );
    }
}

GLuint makeBuffer( GLsizei samples, int width, int height )
{
    GLuint buffer, parts[2];
    glGenFramebuffers( 1, &buffer );
    glGenRenderbuffers( 2, parts );
    glBindFramebuffer( GL_FRAMEBUFFER, buffer );
    const auto attach = [=]( GLuint part, GLenum format, GLenum attachment )
    {
        glBindRenderbuffer( GL_RENDERBUFFER, part );
        glRenderbufferStorageMultisample( GL_RENDERBUFFER, samples, format, width, height );
        glFramebufferRenderbuffer( GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, part );
    };
    attach( parts[0], GL_RGBA8, GL_COLOR_ATTACHMENT0 );
    attach( parts[1], GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT );
    require( glCheckFramebufferStatus( GL_FRAMEBUFFER ) == GL_FRAMEBUFFER_COMPLETE );
    return buffer;
}

} // namespace

Offscreen::Offscreen( int width, int height ) : m_width( width ), m_height( height )
{
    makeContext();
    m_buffers[1] = makeBuffer( 0, width, height );
    m_buffers[0] = makeBuffer( samplesPerPixel, width, height );
}

Offscreen::~Offscreen()
{
    eglMakeCurrent( m_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT );
    eglDestroyContext( m_display, m_context ); // with its framebuffers
    eglTerminate( m_display );
}

void Offscreen::makeContext()
{
    require( epoxy_has_egl() && epoxy_has_egl_extension( EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless" ) );
    m_display = eglGetPlatformDisplayEXT( EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr );
    require( m_display != EGL_NO_DISPLAY && eglInitialize( m_display, nullptr, nullptr ) );
    require( eglBindAPI( EGL_OPENGL_API ) );
    const EGLint wish[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE };
    m_context = eglCreateContext( m_display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wish );
    require( m_context != EGL_NO_CONTEXT && eglMakeCurrent( m_display, EGL_NO_SURFACE, EGL_NO_SURFACE, m_context ) );
}

std::vector<std::uint8_t> Offscreen::pixels()
{
    glBindFramebuffer( GL_READ_FRAMEBUFFER, m_buffers[0] );
    glBindFramebuffer( GL_DRAW_FRAMEBUFFER, m_buffers[1] );
    glBlitFramebuffer( 0, 0, m_width, m_height, 0, 0, m_width, m_height, GL_COLOR_BUFFER_BIT, GL_NEAREST );
    glBindFramebuffer( GL_READ_FRAMEBUFFER, m_buffers[1] );
    glPixelStorei( GL_PACK_ALIGNMENT, 1 );
    std::vector<std::uint8_t> upsideDown( std::size_t( m_width ) * std::size_t( m_height ) * 3 );
    glReadPixels( 0, 0, m_width, m_height, GL_RGB, GL_UNSIGNED_BYTE, upsideDown.data() );
    glBindFramebuffer( GL_FRAMEBUFFER, m_buffers[0] );
    std::vector<std::uint8_t> rgb;
    const auto row = std::ptrdiff_t( m_width ) * 3;
    for ( int y = m_height - 1; y >= 0; --y )
    {
        rgb.insert( rgb.end(), upsideDown.begin() + y * row, upsideDown.begin() + ( y + 1 ) * row );
    }
    return rgb;
}

} // namespace cullet::render
