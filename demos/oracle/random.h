// SPDX-License-Identifier: Zlib
/// \file random.h
/// Seeded random numbers: the same on every machine, unlike the distributions of <random>.
#ifndef CLT_ORACLE_RANDOM_H
#define CLT_ORACLE_RANDOM_H

#include "demos/scenes/random.h"

#include <cstdint>
#include <type_traits>

namespace cullet
{

/// SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014).
class Random
{
public:
    explicit Random( std::uint64_t seed ) : m_state( seed )
    {
    }

    /// A separate stream for each purpose and step, so that the numbers of a step never depend on how many numbers
    /// another step drew.
    Random( std::uint64_t seed, std::uint64_t purpose, std::uint64_t step )
        : m_state( cltMix( cltMix( cltMix( seed ) + purpose ) + step ) )
    {
    }

    std::uint64_t bits()
    {
        const std::uint64_t result = cltMix( m_state );
        m_state += 0x9e3779b97f4a7c15u;
        return result;
    }

    /// A number in [0, count). `count` must be positive.
    template <typename Count>
    std::make_unsigned_t<Count> below( Count count )
    {
        return static_cast<std::make_unsigned_t<Count>>( bits() % static_cast<std::uint64_t>( count ) );
    }

    bool oneIn( unsigned count )
    {
        return below( count ) == 0;
    }

    /// A number in [0, 1).
    double unit()
    {
        return static_cast<double>( bits() >> 11 ) * 0x1p-53;
    }

    /// A number in [lower, upper).
    double between( double lower, double upper )
    {
        return lower + ( upper - lower ) * unit();
    }

private:
    std::uint64_t m_state;
};

} // namespace cullet

#endif
