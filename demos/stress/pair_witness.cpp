// SPDX-License-Identifier: Zlib
/// \file pair_witness.cpp
/// A set of pairs, and how many of them each proxy is in. Nothing is thrown from here: Bullet is on the stack.
#include "pair_witness.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"

#include <fmt/format.h>

namespace cullet::stress
{

namespace
{

PairKey keyOf( const btBroadphaseProxy& proxy0, const btBroadphaseProxy& proxy1 )
{
    return cullet::pairKey( std::uint32_t( proxy0.m_uniqueId ), std::uint32_t( proxy1.m_uniqueId ) );
}

} // namespace

btBroadphasePair* PairWitness::addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
{
    const PairKey key = keyOf( *proxy0, *proxy1 );
    if ( m_pairs.insert( key ).second )
    {
        count( key, 1 );
    }
    else
    {
        contradict( "was told twice of the new pair", key );
    }
    return nullptr;
}

void* PairWitness::removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, btDispatcher* )
{
    const PairKey key = keyOf( *proxy0, *proxy1 );
    if ( m_pairs.erase( key ) == 1 )
    {
        count( key, -1 );
    }
    else
    {
        contradict( "was told of the end of what was no pair", key );
    }
    return nullptr;
}

void PairWitness::removeOverlappingPairsContainingProxy( btBroadphaseProxy* proxy, btDispatcher* )
{
    const PairKey key = keyOf( *proxy, *proxy );
    contradict( "was told of the end of all pairs of one proxy", key );
}

int PairWitness::degreeOf( int uid ) const
{
    const auto found = m_degrees.find( std::uint32_t( uid ) );
    return found == m_degrees.end() ? 0 : found->second;
}

void PairWitness::count( PairKey key, int change )
{
    ++m_changeCount;
    for ( const std::uint32_t uid : { std::uint32_t( key >> 32 ), std::uint32_t( key & UINT32_MAX ) } )
    {
        if ( ( m_degrees[uid] += change ) == 0 )
        {
            m_degrees.erase( uid );
        }
    }
}

void PairWitness::contradict( const char* claim, PairKey key )
{
    if ( m_contradiction.empty() )
    {
        m_contradiction = fmt::format( "the ghost callback {} {}", claim, cullet::pairName( key ) );
    }
}

} // namespace cullet::stress
