// SPDX-License-Identifier: Zlib
/// \file oracle.cpp
/// Up to 20,000 bodies all pairs are tested: nothing simpler can be trusted more. Above, the sweep.
#include "oracle.h"

#include <algorithm>

namespace cullet::compare
{

namespace
{

/// 20,000 bodies and a scene's static boxes: 2e8 tests, about a quarter of a second.
constexpr std::uint32_t bruteForceBoxes = 20'100;

} // namespace

PairSet oraclePairs( const BoxSet<cltAabb>& set )
{
    return set.count <= bruteForceBoxes ? bruteForcePairs( set ) : sweptPairs( set );
}

PairSet oraclePairs( const cltScene& scene )
{
    const int longestAxis = int( std::max_element( scene.extent, scene.extent + 3 ) - scene.extent );
    return oraclePairs( { scene.boxes, scene.filters, scene.boxCount, longestAxis } );
}

} // namespace cullet::compare
