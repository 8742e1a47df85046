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
#include <limits>
#include <sstream>

namespace cullet::mesh
{
namespace
{

struct Type
{
    std::size_t size;
    bool isSigned;
    bool isReal;
};

struct Property
{
    std::string name;
    bool isList = false;
    Type countType{};
    Type type{};
};

struct Element
{
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

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
        checkCorners();
        return std::move( m_mesh );
    }

private:
    enum class Format
    {
        none,
        ascii,
        little,
        big
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
                readFormat( words );
            }
            else if ( kind == "element" )
            {
                Element element;
                if ( !( words >> element.name >> element.count ) || words.str().find( '-' ) != std::string::npos )
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
        if ( m_format == Format::none )
        {
            fail( "the header says no format" );
        }
        for ( const Element& element : m_elements )
        {
            requirePlace( element );
        }
        m_isBinary = m_format != Format::ascii;
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

    void readFormat( std::istringstream& words )
    {
        std::string name;
        words >> name;
        m_format = name == "ascii"                  ? Format::ascii
                   : name == "binary_little_endian" ? Format::little
                   : name == "binary_big_endian"    ? Format::big
                                                    : Format::none;
        if ( m_format == Format::none )
        {
            fail( "'" + name + "' is no format" );
        }
    }

    void readProperty( std::istringstream& words )
    {
        Property property;
        std::string type;
        words >> type;
        property.isList = type == "list";
        if ( property.isList )
        {
            std::string countType;
            words >> countType >> type;
            property.countType = typeOf( countType );
        }
        property.type = typeOf( type );
        if ( !( words >> property.name ) || m_elements.empty() || property.countType.isReal )
        {
            fail( "a property needs a type, a name and an element" );
        }
        m_elements.back().properties.push_back( property );
    }

    Type typeOf( const std::string& name ) const
    {
        static const std::pair<const char*, Type> types[] = {
            { "char", { 1, true, false } },    { "int8", { 1, true, false } },    { "uchar", { 1, false, false } },
            { "uint8", { 1, false, false } },  { "short", { 2, true, false } },   { "int16", { 2, true, false } },
            { "ushort", { 2, false, false } }, { "uint16", { 2, false, false } }, { "int", { 4, true, false } },
            { "int32", { 4, true, false } },   { "uint", { 4, false, false } },   { "uint32", { 4, false, false } },
            { "float", { 4, true, true } },    { "float32", { 4, true, true } },  { "double", { 8, true, true } },
            { "float64", { 8, true, true } } };
        for ( const auto& [known, type] : types )
        {
            if ( name == known )
            {
                return type;
            }
        }
        fail( "'" + name + "' is no type" );
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
            if ( property.isList )
            {
                readList( element, property );
                continue;
            }
            const double value = readNumber( property.type );
            if ( property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z' )
            {
                vertex[static_cast<std::size_t>( property.name[0] - 'x' )] = value;
            }
        }
        for ( std::size_t axis = 0; axis < 3 && element.name == "vertex"; ++axis )
        {
            m_mesh.vertices.push_back( static_cast<float>( vertex[axis] ) );
            if ( !std::isfinite( m_mesh.vertices.back() ) )
            {
                fail( "a vertex is not finite" );
            }
        }
    }

    void readList( const Element& element, const Property& property )
    {
        const double count = readNumber( property.countType );
        const bool isFace =
            element.name == "face" && ( property.name == "vertex_indices" || property.name == "vertex_index" );
        if ( !( count >= 0 && count == std::floor( count ) ) || ( isFace && count < 3 ) )
        {
            fail( "a face needs three corners" );
        }
        std::vector<std::uint32_t> corners;
        for ( double i = 0; i < count; ++i )
        {
            const double value = readNumber( property.type );
            if ( isFace && !( value >= 0 && value <= 0x7fffffff && value == static_cast<std::uint32_t>( value ) ) )
            {
                fail( "a face has a corner that is no vertex" );
            }
            if ( isFace )
            {
                corners.push_back( static_cast<std::uint32_t>( value ) );
            }
        }
        m_mesh.addPolygon( corners );
        m_faceLines.resize( m_mesh.triangles.size() / 3, m_isBinary ? 0 : m_line );
    }

    double readNumber( const Type& type )
    {
        return m_isBinary ? readBinary( type ) : readText();
    }

    double readText()
    {
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

    double readBinary( const Type& type )
    {
        std::array<unsigned char, 8> bytes{};
        if ( !m_in.read( reinterpret_cast<char*>( bytes.data() ), static_cast<std::streamsize>( type.size ) ) )
        {
            fail( "the file ends too early" );
        }
        if ( m_format == Format::big )
        {
            std::reverse( bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>( type.size ) );
        }
        std::uint64_t bits = 0;
        for ( std::size_t i = 0; i < type.size; ++i )
        {
            bits |= std::uint64_t( bytes[i] ) << ( 8 * i );
        }
        if ( type.isReal )
        {
            return type.size == 4 ? static_cast<double>( realOf<float>( bits ) ) : realOf<double>( bits );
        }
        const std::uint64_t half = std::uint64_t( 1 ) << ( 8 * type.size - 1 );
        const bool isNegative = type.isSigned && bits >= half;
        return static_cast<double>( bits ) - ( isNegative ? 2 * static_cast<double>( half ) : 0 );
    }

    template <typename Real>
    static Real realOf( std::uint64_t bits )
    {
        std::conditional_t<sizeof( Real ) == 4, std::uint32_t, std::uint64_t> same =
            static_cast<decltype( same )>( bits );
        Real value;
        std::memcpy( &value, &same, sizeof value );
        return value;
    }

    void checkCorners() const
    {
        for ( std::size_t i = 0; i < m_mesh.triangles.size(); ++i )
        {
            if ( m_mesh.triangles[i] >= m_mesh.vertexCount() )
            {
                throw DamagedFile( m_faceLines[i / 3], "vertex " + std::to_string( m_mesh.triangles[i] ) +
                                                           " is none of the " +
                                                           std::to_string( m_mesh.vertexCount() ) );
            }
        }
    }

    std::istream& m_in;
    std::istringstream m_words;
    Mesh m_mesh;
    std::vector<Element> m_elements;
    std::vector<std::size_t> m_faceLines; // by triangle
    std::size_t m_line = 0;
    Format m_format = Format::none;
    bool m_isBinary = false;
};

} // namespace

Mesh readPly( std::istream& in )
{
    return PlyReader( in ).read();
}

} // namespace cullet::mesh
