// SPDX-License-Identifier: Zlib
/// \file obj_file.cpp
/// Reads the lines of Wavefront OBJ with vertices and faces. Texture coordinates and normals are ignored.
#include "mesh_file.h"

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace cullet::mesh
{
namespace
{

class ObjReader
{
public:
    explicit ObjReader( std::istream& in ) : m_in( in )
    {
    }

    Mesh read()
    {
        std::string text;
        while ( nextLine( text ) )
        {
            std::istringstream words( text.substr( 0, text.find( '#' ) ) );
            std::string kind;
            words >> kind;
            if ( kind == "v" )
            {
                readVertex( words );
            }
            else if ( kind == "f" )
            {
                readFace( words );
            }
        }
        m_built.checkCorners( 1 );
        return std::move( m_built.mesh );
    }

private:
    /// Reads a line and its continuation lines. m_line is then the number of the last one.
    bool nextLine( std::string& text )
    {
        text.clear();
        std::string part;
        bool goesOn = true;
        while ( goesOn && std::getline( m_in, part ) )
        {
            ++m_line;
            if ( m_line == 1 && part.compare( 0, 3, "\xef\xbb\xbf" ) == 0 )
            {
                part.erase( 0, 3 ); // the byte order mark that some editors write in front of UTF-8
            }
            part.erase( part.find_last_not_of( "\r" ) + 1 );
            goesOn = !part.empty() && part.back() == '\\';
            text += goesOn ? part.substr( 0, part.size() - 1 ) + ' ' : part;
        }
        return m_in || !text.empty();
    }

    void readVertex( std::istringstream& words )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            std::string word;
            words >> word; // as text, so that the error message can quote an invalid number
            char* end = nullptr;
            const float value = std::strtof( word.c_str(), &end );
            if ( word.empty() || *end != '\0' || !std::isfinite( value ) )
            {
                throw DamagedFile( m_line, "a vertex needs three numbers, and has '" + word + "'" );
            }
            m_built.mesh.vertices.push_back( value );
        }
    }

    void readFace( std::istringstream& words )
    {
        std::vector<std::uint32_t> corners;
        std::string word;
        while ( words >> word )
        {
            corners.push_back( cornerOf( word ) );
        }
        if ( corners.size() < 3 )
        {
            throw DamagedFile( m_line, "a face needs three corners" );
        }
        m_built.addPolygon( corners, m_line );
    }

    /// The vertex index in "7", "7/1", "7//3" or "7/1/3". Negative numbers count back from the last vertex read so far.
    std::uint32_t cornerOf( const std::string& word ) const
    {
        char* end = nullptr;
        const long long number = std::strtoll( word.c_str(), &end, 10 );
        const bool isNumber = end != word.c_str() && ( *end == '\0' || *end == '/' );
        const long long index = number < 0 ? static_cast<long long>( m_built.mesh.vertexCount() ) + number : number - 1;
        if ( !isNumber || number == 0 || index < 0 || index > 0x7fffffff )
        {
            throw DamagedFile( m_line, "'" + word + "' is no vertex" );
        }
        return static_cast<std::uint32_t>( index );
    }

    std::istream& m_in;
    MeshBuilder m_built;
    std::size_t m_line = 0;
};

} // namespace

Mesh readObj( std::istream& in )
{
    return ObjReader( in ).read();
}

} // namespace cullet::mesh
