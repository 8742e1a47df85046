// SPDX-License-Identifier: Zlib
/// \file file_cursor.h
/// Reads the bytes of a .bullet file one after the other.
#ifndef CLT_WORLD_FILE_CURSOR_H
#define CLT_WORLD_FILE_CURSOR_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace cullet::demo
{

/// Says what is wrong with a file, after its name: "is cut off".
class BulletFileError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// \param otherwise  as of BulletFileError
inline void demand( bool holds, const char* otherwise )
{
    if ( !holds )
    {
        throw BulletFileError( otherwise );
    }
}

[[noreturn]] inline void refuseDamaged( const std::string& damage )
{
    throw BulletFileError( "is damaged: " + damage );
}

/// \param otherwise  names the damage
inline void demandSound( bool holds, const char* otherwise )
{
    if ( !holds )
    {
        refuseDamaged( otherwise );
    }
}

/// Reads numbers and texts one after the other, and nothing beyond the end.
class Cursor
{
public:
    Cursor( const std::string& bytes, std::size_t begin, std::size_t end )
        : m_bytes( bytes ), m_begin( begin ), m_at( begin ), m_end( end )
    {
    }

    template <typename Number>
    Number read()
    {
        Number number;
        std::memcpy( &number, m_bytes.data() + take( sizeof number ), sizeof number );
        return number;
    }

    std::uint64_t readPointer( std::size_t bytes )
    {
        return bytes == 8 ? read<std::uint64_t>() : read<std::uint32_t>();
    }

    std::string readText()
    {
        const std::size_t length = std::strlen( m_bytes.c_str() + m_at ); // a string has a NUL behind its end
        const std::size_t begin = take( length + 1 );
        return m_bytes.substr( begin, length );
    }

    /// Expects the name of a part, at a multiple of four bytes.
    void expect( const char* part )
    {
        take( ( m_begin - m_at ) % 4 );
        if ( m_bytes.compare( take( 4 ), 4, part ) != 0 )
        {
            refuseDamaged( "there is no part " + std::string( part ) );
        }
    }

    std::vector<std::string> readTexts( const char* part )
    {
        expect( part );
        std::vector<std::string> texts;
        for ( auto left = read<std::uint32_t>(); left > 0; --left )
        {
            texts.push_back( readText() );
        }
        return texts;
    }

    /// \return the number of bytes that are left
    std::size_t left() const
    {
        return m_end - m_at;
    }

    /// \return the position before the bytes that are taken
    std::size_t take( std::size_t bytes )
    {
        demand( bytes <= left(), "is cut off" );
        m_at += bytes;
        return m_at - bytes;
    }

private:
    const std::string& m_bytes;
    std::size_t m_begin, m_at, m_end;
};

} // namespace cullet::demo

#endif
