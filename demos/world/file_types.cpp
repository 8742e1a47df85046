// SPDX-License-Identifier: Zlib
/// \file file_types.cpp
/// Numbers have 4 bytes; in lists, 2. A field that is an array has the name "m_el[3]", a pointer "*m_shape". Each part
/// starts at a multiple of 4:
///
///     SDNA NAME count, names | TYPE count, names | TLEN bytes of each type
///     STRC count, for each struct: type, count of its fields, for each field: type, name
#include "file_types.h"

#include <algorithm>

namespace cullet::demo
{
namespace
{

constexpr std::size_t mostElements = 1 << 15; ///< of an array within a struct; Bullet's have up to 16

struct NumberName
{
    const char* name;
    NumberType type;
    std::size_t bytes;
};

constexpr NumberName numberNames[] = {
    { "char", NumberType::int8, 1 },     { "uchar", NumberType::uint8, 1 },   { "short", NumberType::int16, 2 },
    { "ushort", NumberType::uint16, 2 }, { "int", NumberType::int32, 4 },     { "long", NumberType::int32, 4 },
    { "ulong", NumberType::uint32, 4 },  { "float", NumberType::float32, 4 }, { "double", NumberType::float64, 8 },
};

NumberType numberTypeOf( const StoredType& type )
{
    for ( const NumberName& known : numberNames )
    {
        if ( type.name == known.name && type.bytes == known.bytes )
        {
            return known.type;
        }
    }
    return NumberType::none;
}

/// The product of the numbers in brackets: 12 for "m_el[3][4]".
std::size_t elementsOf( const std::string& name )
{
    std::size_t product = 1;
    for ( std::size_t at = name.find( '[' ); at != std::string::npos; at = name.find( '[', at + 1 ) )
    {
        std::size_t count = 0;
        for ( std::size_t k = at + 1; k < name.size() && name[k] >= '0' && name[k] <= '9' && count < mostElements; ++k )
        {
            count = 10 * count + std::size_t( name[k] - '0' );
        }
        product *= count;
        demandSound( product > 0 && product <= mostElements, "an array has no size" );
    }
    return product;
}

/// "m_el" for "*m_el[3]".
std::string plainName( const std::string& name )
{
    const std::size_t first = std::min( name.find_first_not_of( '*' ), name.size() );
    return name.substr( first, name.find( '[' ) - first );
}

/// Reads a struct's fields. They lie one after the other, because Bullet's structs have explicit padding.
/// \param bytes  of the struct
std::map<std::string, StoredField, std::less<>> readFields( Cursor& cursor, std::size_t bytes,
                                                            const std::vector<StoredType>& types,
                                                            const std::vector<std::string>& names,
                                                            std::size_t pointerBytes )
{
    std::map<std::string, StoredField, std::less<>> fields;
    std::size_t end = 0;
    for ( auto left = cursor.read<std::uint16_t>(); left > 0; --left )
    {
        const auto type = cursor.read<std::uint16_t>();
        const auto name = cursor.read<std::uint16_t>();
        demandSound( type < types.size() && name < names.size(), "a field has no type" );
        const bool isPointer = names[name][0] == '*';
        StoredField field = { type, NumberType::none, isPointer, end, pointerBytes, elementsOf( names[name] ) };
        if ( !isPointer )
        {
            field.number = numberTypeOf( types[type] );
            field.bytes = types[type].bytes;
        }
        fields.emplace( plainName( names[name] ), field );
        end += field.bytes * field.count;
        demandSound( end <= bytes, "a struct is longer than its size" );
    }
    return fields;
}

template <typename Number>
double load( const char* bytes )
{
    Number number;
    std::memcpy( &number, bytes, sizeof number );
    return double( number );
}

} // namespace

FileTypes readTypes( Cursor cursor, std::size_t pointerBytes )
{
    FileTypes types;
    cursor.expect( "SDNA" );
    const std::vector<std::string> names = cursor.readTexts( "NAME" );
    for ( const std::string& name : cursor.readTexts( "TYPE" ) )
    {
        types.all.push_back( { name, 0, {} } );
    }
    cursor.expect( "TLEN" );
    for ( StoredType& type : types.all )
    {
        type.bytes = cursor.read<std::uint16_t>();
    }
    cursor.expect( "STRC" );
    for ( auto left = cursor.read<std::uint32_t>(); left > 0; --left )
    {
        const auto type = cursor.read<std::uint16_t>();
        demandSound( type < types.all.size(), "a struct has no type" );
        types.structs.push_back( type );
        types.all[type].fields = readFields( cursor, types.all[type].bytes, types.all, names, pointerBytes );
    }
    return types;
}

double loadNumber( NumberType type, const char* bytes )
{
    switch ( type )
    {
    case NumberType::int8:
        return load<std::int8_t>( bytes );
    case NumberType::uint8:
        return load<std::uint8_t>( bytes );
    case NumberType::int16:
        return load<std::int16_t>( bytes );
    case NumberType::uint16:
        return load<std::uint16_t>( bytes );
    case NumberType::int32:
        return load<std::int32_t>( bytes );
    case NumberType::uint32:
        return load<std::uint32_t>( bytes );
    case NumberType::float32:
        return double( load<float>( bytes ) );
    case NumberType::float64:
        return load<double>( bytes );
    default:
        refuseDamaged( "a field is no number" );
    }
}

} // namespace cullet::demo
