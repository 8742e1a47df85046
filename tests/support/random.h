// SPDX-License-Identifier: Zlib
/// \file random.h
/// Seeded random numbers for tests: the same on every machine, unlike the distributions of <random>.
#ifndef CLT_TESTS_RANDOM_H
#define CLT_TESTS_RANDOM_H

#include <cstdint>

namespace test
{

/// SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014).
class Random
{
public:
    explicit Random( uint64_t seed ) : m_state( seed )
    {
    }

    uint64_t bits()
    {
        uint64_t z = m_state += 0x9e3779b97f4a7c15u;
        z = ( z ^ ( z >> 30 ) ) * 0xbf58476d1ce4e5b9u;
        z = ( z ^ ( z >> 27 ) ) * 0x94d049bb133111ebu;
        return z ^ ( z >> 31 );
    }

    /// In [0, count).
    uint32_t below( uint32_t count )
    {
        return static_cast<uint32_t>( bits() % count );
    }

    /// In [0, 1).
    double unit()
    {
        return static_cast<double>( bits() >> 11 ) * 0x1p-53;
    }

    double between( double lower, double upper )
    {
        return lower + ( upper - lower ) * unit();
    }

private:
    uint64_t m_state;
};

} // namespace test

#endif
