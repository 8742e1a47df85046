// SPDX-License-Identifier: Zlib
/// \file input.h
/// Turns the bytes of an input into choices. Numbers come from its end. An input that is used up gives zeros, the first
/// of all choices. Not libFuzzer's own class, because inputs are also replayed without clang.
#ifndef CLT_TESTS_INPUT_H
#define CLT_TESTS_INPUT_H

#include "cullet.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace test
{

class Input
{
public:
    Input( const std::uint8_t* data, std::size_t size ) : m_data( data ), m_left( size )
    {
    }

    bool isUsedUp() const
    {
        return m_left == 0;
    }

    /// A number from 0 on. Uses as many bytes as the largest one has.
    unsigned below( unsigned count )
    {
        std::uint64_t number = 0;
        for ( std::uint64_t largest = count - 1; largest > 0; largest >>= 8 )
        {
            number = nextAfter( number );
        }
        return unsigned( number % count );
    }

    bool flag()
    {
        return below( 2 ) == 1;
    }

    /// An integer with any bits.
    template <typename Integer>
    Integer any()
    {
        std::uint64_t number = 0;
        for ( std::size_t byte = 0; byte < sizeof( Integer ); ++byte )
        {
            number = nextAfter( number );
        }
        return static_cast<Integer>( number );
    }

    template <typename Value, std::size_t count>
    Value pick( const Value ( &values )[count] )
    {
        return values[below( unsigned( count ) )];
    }

    template <typename Value>
    Value pick( std::initializer_list<Value> values )
    {
        return values.begin()[below( unsigned( values.size() ) )];
    }

    /// A box that is mostly a few units long.
    /// \param coordinate  gives a double
    template <typename Coordinate>
    cltAabbD box( Coordinate&& coordinate, double unit = 1 )
    {
        cltAabbD box;
        const bool isOrdinary = below( 4 ) > 0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            box.lower[axis] = coordinate();
            box.upper[axis] = isOrdinary ? box.lower[axis] + unit * below( 4 ) : coordinate();
        }
        return box;
    }

private:
    /// The number with the next byte behind its last one, if there is one.
    std::uint64_t nextAfter( std::uint64_t number )
    {
        return m_left > 0 ? number << 8 | m_data[--m_left] : number;
    }

    const std::uint8_t* m_data;
    std::size_t m_left;
};

} // namespace test

#endif
