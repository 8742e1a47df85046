// SPDX-License-Identifier: Zlib
/// \file held_pairs.cpp
/// No proxy is read before it is known to live: those of destroyed bodies may be freed memory.
#include "held_pairs.h"

#include "fault.h"

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include <fmt/format.h>

#include <algorithm>

namespace cullet::stress
{

namespace
{

HeldPair readPair( const btBroadphasePair& pair, const Population& population )
{
    const Body* a = population.find( pair.m_pProxy0 );
    const Body* b = population.find( pair.m_pProxy1 );
    if ( a == nullptr || b == nullptr )
    {
        const Body* living = a != nullptr ? a : b;
        const std::string other = living != nullptr ? fmt::format( ", the other one is {}", living->uid ) : "";
        wrongPairSet( "a pair with a proxy that does not live" + other );
    }
    if ( a->uid >= b->uid )
    {
        wrongPairSet( fmt::format( "out of order ({}, {})", a->uid, b->uid ) );
    }
    return { pairOf( *a, *b ), &pair };
}

} // namespace

std::vector<HeldPair> readPairs( btOverlappingPairCache& cache, const Population& population )
{
    const btBroadphasePairArray& array = cache.getOverlappingPairArray();
    if ( array.size() != cache.getNumOverlappingPairs() )
    {
        wrongPairSet(
            fmt::format( "an array of {} pairs, counted as {}", array.size(), cache.getNumOverlappingPairs() ) );
    }
    std::vector<HeldPair> held;
    for ( int index = 0; index < array.size(); ++index )
    {
        held.push_back( readPair( array[index], population ) );
    }
    std::sort( held.begin(), held.end(), []( const HeldPair& a, const HeldPair& b ) { return a.key < b.key; } );
    const auto twice = std::adjacent_find( held.begin(), held.end(),
                                           []( const HeldPair& a, const HeldPair& b ) { return a.key == b.key; } );
    if ( twice != held.end() )
    {
        wrongPairSet( "twice " + pairName( twice->key ) );
    }
    return held;
}

} // namespace cullet::stress
