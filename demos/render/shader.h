// SPDX-License-Identifier: Zlib
/// \file shader.h
/// A pair of shaders and their parameters.
#ifndef CLT_RENDER_SHADER_H
#define CLT_RENDER_SHADER_H

#include "gl.h"
#include "matrix.h"

#include <string>

namespace cullet::render
{

/// Belongs to the OpenGL context that is current when it is made.
class Shader
{
public:
    /// \param vertex, fragment  texts without the line of their version
    /// \throws std::runtime_error with the compiler's message
    Shader( const std::string& vertex, const std::string& fragment );
    ~Shader();
    Shader( const Shader& ) = delete;
    Shader& operator=( const Shader& ) = delete;

    void use() const
    {
        glUseProgram( m_program );
    }

    // Parameters of the shader that is in use.
    void set( const char* name, const Matrix& value ) const;
    void set( const char* name, const btVector3& value ) const;
    void set( const char* name, const btVector3& value, float fourth ) const;
    void set( const char* name, float value ) const;
    void set( const char* name, int value ) const;

private:
    GLint place( const char* name ) const
    {
        return glGetUniformLocation( m_program, name );
    }

    GLuint m_program;
};

} // namespace cullet::render

#endif
