// SPDX-License-Identifier: Zlib
/// \file ply_file.cpp
/// Reads PLY (Turk, The PLY Polygon File Format, 1994): the x, y and z of vertices and the vertex lists of faces. Other
/// elements and properties are ignored.
#include "mesh_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace cullet::mesh
{
namespace
{

class PlyReader
{
public:
    explicit PlyReader( std::istream& in ) : m_in( in )
    {
    }

    Mesh read()
    {
        readHeader();
        for ( const Element& element : m_elements )
        {
            for ( std::uint64_t i = 0; i < element.count && !element.properties.empty(); ++i )
            {
                readEntry( element );
            }
        }
        m_built.checkCorners( 0 );
        return std::move( m_built.mesh );
    }

private:
    /// A number type: its two names, and the function that reads such a number from a binary file.
    struct Type
    {
        const char* name;
        const char* otherName;
        double ( PlyReader::*read )();
        bool isReal = false;
    };

    struct Property
    {
        std::string name;
        const Type* type;
        const Type* countType; ///< NULL unless the property is a list
    };

    struct Element
    {
        std::string name;
        std::uint64_t count = 0;
        std::vector<Property> properties = {};
    };

    [[noreturn]] void fail( const std::string& what ) const
    {
        throw DamagedFile( m_isBinary ? 0 : m_line, what );
    }

    // -------------------------------------------------------------------------------------------------------- header

    std::string nextLine()
    {
        std::string text;
        ++m_line;
        if ( !std::getline( m_in, text ) )
        {
            fail( "the file ends here" );
        }
        if ( !text.empty() && text.back() == '\r' )
        {
            text.pop_back();
        }
        return text;
    }

    void readHeader()
    {
        std::string format;
        if ( nextLine() != "ply" )
        {
            fail( "no PLY file begins so" );
        }
        for ( std::string text = nextLine(); text != "end_header"; text = nextLine() )
        {
            std::istringstream words( text );
            std::string kind;
            words >> kind;
            if ( kind == "format" )
            {
                words >> format;
                if ( format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian" )
                {
                    fail( "'" + format + "' is no format" );
                }
            }
            else if ( kind == "element" )
            {
                Element element;
                if ( !( words >> element.name >> element.count ) || text.find( '-' ) != std::string::npos )
                {
                    fail( "an element needs a name and a count" );
                }
                m_elements.push_back( element );
            }
            else if ( kind == "property" )
            {
                readProperty( words );
            }
            else if ( kind != "comment" && kind != "obj_info" && !kind.empty() )
            {
                fail( "'" + kind + "' is nothing that a header has" );
            }
        }
        if ( format.empty() )
        {
            fail( "the header says no format" );
        }
        for ( const Element& element : m_elements )
        {
            requirePlace( element );
        }
        m_isBinary = format != "ascii";
        m_isReversed = ( format == "binary_big_endian" ) != ( __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ );
    }

    void requirePlace( const Element& element ) const
    {
        for ( const char* axis : { "x", "y", "z" } )
        {
            const bool has = std::any_of( element.properties.begin(), element.properties.end(),
                                          [axis]( const Property& property ) { return property.name == axis; } );
            if ( element.name == "vertex" && element.count > 0 && !has )
            {
                fail( std::string( "the vertices have no " ) + axis );
            }
        }
    }

    void readProperty( std::istringstream& words )
    {
        std::string name, type, countType;
        words >> type;
        const bool isList = type == "list";
        if ( isList )
        {
            words >> countType >> type;
        }
        const Property property = { "", &typeOf( type ), isList ? &typeOf( countType ) : nullptr };
        if ( !( words >> name ) || m_elements.empty() || ( isList && property.countType->isReal ) )
        {
            fail( "a property needs a type, a name and an element" );
        }
        m_elements.back().properties.push_back( { name, property.type, property.countType } );
    }

    const Type& typeOf( const std::string& name ) const
    {
        static const Type types[] = { { "char", "int8", &PlyReader::readAs<std::int8_t> },
                                      { "uchar", "uint8", &PlyReader::readAs<std::uint8_t> },
                                      { "short", "int16", &PlyReader::readAs<std::int16_t> },
                                      { "ushort", "uint16", &PlyReader::readAs<std::uint16_t> },
                                      { "int", "int32", &PlyReader::readAs<std::int32_t> },
                                      { "uint", "uint32", &PlyReader::readAs<std::uint32_t> },
                                      { "float", "float32", &PlyReader::readAs<float>, true },
                                      { "double", "float64", &PlyReader::readAs<double>, true } };
        const auto found =
            std::find_if( std::begin( types ), std::end( types ),
                          [&]( const Type& type ) { return name == type.name || name == type.otherName; } );
        if ( found == std::end( types ) )
        {
            fail( "'" + name + "' is no type" );
        }
        return *found;
    }

    // ------------------------------------------------------------------------------------------------------- entries

    void readEntry( const Element& element )
    {
        if ( !m_isBinary )
        {
            do
            {
                m_words = std::istringstream( nextLine() );
                m_words >> std::ws;
            } while ( m_words.eof() );
        }
        std::array<double, 3> vertex{};
        for ( const Property& property : element.properties )
        {
            if ( property.countType != nullptr )
            {
                readList( element, property );
                continue;
            }
            const double value = readNumber( *property.type );
            if ( property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z' )
            {
                vertex[static_cast<std::size_t>( property.name[0] - 'x' )] = value;
            }
        }
        for ( std::size_t axis = 0; axis < 3 && element.name == "vertex"; ++axis )
        {
            m_built.mesh.vertices.push_back( static_cast<float>( vertex[axis] ) );
            if ( !std::isfinite( m_built.mesh.vertices.back() ) )
            {
                fail( "a vertex is not finite" );
            }
        }
    }

    void readList( const Element& element, const Property& property )
    {
        const double count = readNumber( *property.countType );
        const bool isFace =
            element.name == "face" && ( property.name == "vertex_indices" || property.name == "vertex_index" );
        if ( !( count >= 0 && count == std::floor( count ) ) || ( isFace && count < 3 ) )
        {
            fail( "a face needs three corners" );
        }
        std::vector<std::uint32_t> corners;
        for ( double i = 0; i < count; ++i )
        {
            const double value = readNumber( *property.type );
            if ( isFace && !( value >= 0 && value <= 0x7fffffff && value == static_cast<std::uint32_t>( value ) ) )
            {
                fail( "a face has a corner that is no vertex" );
            }
            if ( isFace )
            {
                corners.push_back( static_cast<std::uint32_t>( value ) );
            }
        }
        m_built.addPolygon( corners, m_isBinary ? 0 : m_line );
    }

    double readNumber( const Type& type )
    {
        if ( m_isBinary )
        {
            return ( this->*type.read )();
        }
        std::string word;
        m_words >> word;
        char* end = nullptr;
        const double value = std::strtod( word.c_str(), &end );
        if ( word.empty() || *end != '\0' )
        {
            fail( "'" + word + "' stands where a number is needed" );
        }
        return value;
    }

    template <typename Number>
    double readAs()
    {
        std::array<char, sizeof( Number )> bytes;
        if ( !m_in.read( bytes.data(), bytes.size() ) )
        {
            fail( "the file ends too early" );
        }
        if ( m_isReversed )
        {
            std::reverse( bytes.begin(), bytes.end() );
        }
        Number value;
        std::memcpy( &value, bytes.data(), sizeof value );
        return static_cast<double>( value );
    }

    std::istream& m_in;
    std::istringstream m_words; ///< of the current line
    MeshBuilder m_built;
    std::vector<Element> m_elements;
    std::size_t m_line = 0;
    bool m_isBinary = false;
    bool m_isReversed = false; ///< the file has another byte order than this machine
};

} // namespace

Mesh readPly( std::istream& in )
{
    return PlyReader( in ).read();
}

} // namespace cullet::mesh
