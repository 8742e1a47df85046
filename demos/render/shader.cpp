// SPDX-License-Identifier: Zlib
#include "shader.h"

#include <stdexcept>

namespace cullet::render
{
namespace
{

constexpr GLsizei logSize = 1024;

GLuint compile( GLenum kind, const std::string& text )
{
    const GLuint shader = glCreateShader( kind );
    const char* parts[] = { shaderVersion, text.c_str() };
    glShaderSource( shader, 2, parts, nullptr );
    glCompileShader( shader );
    GLint isGood = GL_FALSE;
    glGetShaderiv( shader, GL_COMPILE_STATUS, &isGood );
    if ( isGood == GL_FALSE )
    {
        char log[logSize] = "";
        glGetShaderInfoLog( shader, logSize, nullptr, log );
        throw std::runtime_error( std::string( "OpenGL refuses a shader: " ) + log );
    }
    return shader;
}

} // namespace

Shader::Shader( const std::string& vertex, const std::string& fragment ) : m_program( glCreateProgram() )
{
    for ( const GLuint shader : { compile( GL_VERTEX_SHADER, vertex ), compile( GL_FRAGMENT_SHADER, fragment ) } )
    {
        glAttachShader( m_program, shader );
        glDeleteShader( shader ); // freed with the program
    }
    glLinkProgram( m_program );
    GLint isGood = GL_FALSE;
    glGetProgramiv( m_program, GL_LINK_STATUS, &isGood );
    if ( isGood == GL_FALSE )
    {
        char log[logSize] = "";
        glGetProgramInfoLog( m_program, logSize, nullptr, log );
        throw std::runtime_error( std::string( "OpenGL refuses a pair of shaders: " ) + log );
    }
}

Shader::~Shader()
{
    glDeleteProgram( m_program );
}

void Shader::set( const char* name, const Matrix& value ) const
{
    glUniformMatrix4fv( place( name ), 1, GL_FALSE, value.data() );
}

void Shader::set( const char* name, const btVector3& value ) const
{
    glUniform3f( place( name ), float( value.x() ), float( value.y() ), float( value.z() ) );
}

void Shader::set( const char* name, const btVector3& value, float fourth ) const
{
    glUniform4f( place( name ), float( value.x() ), float( value.y() ), float( value.z() ), fourth );
}

void Shader::set( const char* name, float value ) const
{
    glUniform1f( place( name ), value );
}

void Shader::set( const char* name, int value ) const
{
    glUniform1i( place( name ), value );
}

} // namespace cullet::render
