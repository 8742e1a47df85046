// SPDX-License-Identifier: Zlib
/// \file bullet_broadphases.cpp
/// Each broadphase with the pair cache it brings along.
#include "bullet_broadphases.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"
#include "BulletCollision/BroadphaseCollision/btSimpleBroadphase.h"

#include <algorithm>

namespace cullet::compare
{

namespace
{

/// How far beyond the bodies' centers the sweep's bounds reach: more than the largest moving body and the highest
/// start. What lies farther out is treated as if it lay on the bounds, so it still meets all that it should.
constexpr float sweepMargin = 20;

} // namespace

/// The index plus 1, because btSimpleBroadphase skips proxies whose client is NULL.
void* clientOf( std::uint32_t index )
{
    return reinterpret_cast<void*>( std::uintptr_t( index ) + 1 );
}

std::uint32_t indexOf( const btBroadphaseProxy* proxy )
{
    return std::uint32_t( reinterpret_cast<std::uintptr_t>( proxy->m_clientObject ) - 1 );
}

PairSet pairsOf( btOverlappingPairCache& cache )
{
    const btBroadphasePairArray& array = cache.getOverlappingPairArray();
    PairSet result;
    result.reserve( std::size_t( array.size() ) );
    for ( int k = 0; k < array.size(); ++k )
    {
        result.push_back( pairKey( indexOf( array[k].m_pProxy0 ), indexOf( array[k].m_pProxy1 ) ) );
    }
    std::sort( result.begin(), result.end() );
    return result;
}

void removeAllPairs( btOverlappingPairCache& cache )
{
    const btBroadphasePairArray& pairs = cache.getOverlappingPairArray();
    while ( pairs.size() > 0 )
    {
        const btBroadphasePair last = pairs[pairs.size() - 1];
        cache.removeOverlappingPair( last.m_pProxy0, last.m_pProxy1, nullptr );
    }
}

std::unique_ptr<btBroadphaseInterface> createDeferredDbvt()
{
    auto broadphase = std::make_unique<btDbvtBroadphase>();
    broadphase->m_deferedcollide = true;
    return broadphase;
}

std::unique_ptr<btBroadphaseInterface> createSweep( const btVector3& lowest, const btVector3& highest,
                                                    std::uint32_t mostBodies )
{
    const btVector3 margin( sweepMargin, sweepMargin, sweepMargin );
    // The tree for rays, which the sweep can keep beside itself, is left out: it has no part in finding pairs.
    const bool noRayTree = true;
    return std::make_unique<bt32BitAxisSweep3>( lowest - margin, highest + margin, mostBodies, nullptr, noRayTree );
}

std::unique_ptr<btBroadphaseInterface> createSimple( std::uint32_t mostBodies )
{
    return std::make_unique<btSimpleBroadphase>( int( mostBodies ) );
}

} // namespace cullet::compare
