// SPDX-License-Identifier: Zlib
/// \file pair_set.h
/// Sets of pairs as ascending arrays of keys: what broadphases report in their own ways, made comparable.
#ifndef CLT_ORACLE_PAIR_SET_H
#define CLT_ORACLE_PAIR_SET_H

#include <cstdint>
#include <string>
#include <vector>

namespace cullet
{

/// The smaller number in the upper 32 bits, the larger one in the lower.
using PairKey = std::uint64_t;

/// Ascending. A pair that is reported twice is in it twice, so that it can be told.
using PairSet = std::vector<PairKey>;

constexpr PairKey pairKey( std::uint32_t a, std::uint32_t b )
{
    return a < b ? PairKey( a ) << 32 | b : PairKey( b ) << 32 | a;
}

constexpr std::uint32_t smallerOf( PairKey key )
{
    return std::uint32_t( key >> 32 );
}

constexpr std::uint32_t largerOf( PairKey key )
{
    return std::uint32_t( key );
}

/// "(12, 845)".
std::string pairName( PairKey key );

/// What is in `a` and not in `b`.
PairSet difference( const PairSet& a, const PairSet& b );

/// Says in words where `reported` first differs from what it should be; empty if it does not.
/// \param exact  false: pairs beyond `expected` are allowed, missing ones are not
std::string firstWrongPair( const PairSet& reported, const PairSet& expected, bool exact );

} // namespace cullet

#endif
