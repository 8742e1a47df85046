// SPDX-License-Identifier: Zlib
/// \file random.h
/// A stream of random numbers of its own for every step and purpose: what a step does depends on the seed and on the
/// world as it stands, never on how many numbers another step drew.
#ifndef CLT_STRESS_RANDOM_H
#define CLT_STRESS_RANDOM_H

#include "demos/scenes/random.h"

#include <cstddef>
#include <cstdint>

namespace cullet::stress
{

/// What a stream is for.
enum class Purpose
{
    phase,
    operations,
    queries
};

class Random
{
public:
    Random( std::uint64_t seed, Purpose purpose, std::uint64_t step )
        : m_counter( cltMix( cltMix( cltMix( seed ) + std::uint64_t( purpose ) ) + step ) )
    {
    }

    std::uint64_t bits()
    {
        return cltMix( m_counter++ );
    }

    /// In [0, count). `count` must not be 0.
    std::size_t below( std::size_t count )
    {
        return std::size_t( bits() % count );
    }

    /// In [0, 1).
    double unit()
    {
        return double( bits() >> 11 ) * 0x1p-53;
    }

    /// In [lower, upper).
    double between( double lower, double upper )
    {
        return lower + ( upper - lower ) * unit();
    }

    bool oneIn( std::size_t count )
    {
        return below( count ) == 0;
    }

private:
    std::uint64_t m_counter;
};

} // namespace cullet::stress

#endif
