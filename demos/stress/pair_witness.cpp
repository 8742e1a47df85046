// SPDX-License-Identifier: Zlib
/// \file pair_witness.cpp
/// Nothing is thrown from here: Bullet is on the stack.
#include "pair_witness.h"

namespace cullet::stress
{

namespace
{

PairKey keyOf( const btBroadphaseProxy& proxy0, const btBroadphaseProxy& proxy1 )
{
    return pairKey( std::uint32_t( proxy0.m_uniqueId ), std::uint32_t( proxy1.m_uniqueId ) );
}

} // namespace

btBroadphasePair* PairWitness::addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
{
    const PairKey key = keyOf( *proxy0, *proxy1 );
    note( m_pairs.insert( key ).second, key, 1, "was told twice of the new pair" );
    return nullptr;
}

void* PairWitness::removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, btDispatcher* )
{
    const PairKey key = keyOf( *proxy0, *proxy1 );
    note( m_pairs.erase( key ) == 1, key, -1, "was told of the end of what was no pair" );
    return nullptr;
}

void PairWitness::removeOverlappingPairsContainingProxy( btBroadphaseProxy* proxy, btDispatcher* )
{
    note( false, keyOf( *proxy, *proxy ), 0, "was told of the end of all pairs of one proxy" );
}

std::size_t PairWitness::degreeOf( std::uint32_t uid ) const
{
    const auto found = m_degrees.find( uid );
    return found == m_degrees.end() ? 0 : found->second;
}

void PairWitness::note( bool isRight, PairKey key, int change, const char* claim )
{
    if ( !isRight )
    {
        m_contradiction = m_contradiction.empty() ? std::string( "the ghost callback " ) + claim + " " + pairName( key )
                                                  : m_contradiction;
        return;
    }
    ++m_changeCount;
    for ( const std::uint32_t uid : { smallerOf( key ), largerOf( key ) } )
    {
        if ( ( m_degrees[uid] += std::size_t( change ) ) == 0 )
        {
            m_degrees.erase( uid );
        }
    }
}

} // namespace cullet::stress
