// SPDX-License-Identifier: Zlib
/// \file expectation.cpp
/// Two ascending lists, overlaps and pairs, read side by side.
#include "expectation.h"

#include "fault.h"

#include <algorithm>
#include <utility>

namespace cullet::stress
{

namespace
{

bool contains( const PairSet& ascending, PairKey key )
{
    return std::binary_search( ascending.begin(), ascending.end(), key );
}

template <typename IsOver>
void removeIf( PairSet& keys, IsOver isOver )
{
    keys.erase( std::remove_if( keys.begin(), keys.end(), isOver ), keys.end() );
}

[[noreturn]] void wrong( const char* kind, PairKey key, const char* why )
{
    wrongPairSet( kind + ( " " + pairName( key ) ) + why );
}

} // namespace

std::vector<Overlap> findOverlaps( const Population& population )
{
    std::vector<Candidate<cltAabbD>> candidates;
    for ( std::size_t index = 0; index < population.size(); ++index )
    {
        candidates.push_back( { population[index].box, openFilter, population[index].uid } );
    }
    std::vector<Overlap> overlaps;
    for ( const PairKey key : sweptPairs( std::move( candidates ) ) )
    {
        overlaps.push_back( { key, population.find( smallerOf( key ) ), population.find( largerOf( key ) ) } );
    }
    return overlaps;
}

Expectation::Expectation( bool readsForgotten ) : m_readsForgotten( readsForgotten )
{
}

void Expectation::filterChanged( FilterRule rule )
{
    listExceptions( rule );
}

void Expectation::pairTakenOut( PairKey key )
{
    for ( PairSet* keys : { &m_held, &m_refused } )
    {
        const auto [first, last] = std::equal_range( keys->begin(), keys->end(), key );
        keys->erase( first, last );
    }
}

void Expectation::updated( const Population& population, std::uint64_t step )
{
    // Uids may be given out again: a body born in this step is not the one that a list means.
    const auto isOver = [&]( const Body* a, const Body* b )
    { return !a || !b || a->born == step || b->born == step || !overlap( a->box, b->box ); };
    removeIf( m_refused, [&]( PairKey key )
              { return isOver( population.find( smallerOf( key ) ), population.find( largerOf( key ) ) ); } );
    removeIf( m_free,
              [&]( PairKey key )
              {
                  const Body* a = population.find( smallerOf( key ) );
                  const Body* b = population.find( largerOf( key ) );
                  return isOver( a, b ) || a->lastSet == step || b->lastSet == step;
              } );
}

void Expectation::check( const std::vector<Overlap>& overlaps, FilterRule rule,
                         const std::vector<HeldPair>& held ) const
{
    auto next = held.begin();
    for ( const Overlap& overlap : overlaps )
    {
        if ( next != held.end() && next->key < overlap.key )
        {
            break;
        }
        if ( next != held.end() && next->key == overlap.key )
        {
            requirePresent( overlap, rule );
            ++next;
        }
        else
        {
            requireAbsent( overlap, rule );
        }
    }
    if ( next != held.end() )
    {
        const bool isStale = wasHeld( next->key );
        wrong( isStale ? "stale" : "extra", next->key,
               isStale ? ", which overlaps no more" : ", which do not overlap" );
    }
}

void Expectation::accept( std::vector<Overlap> overlaps, FilterRule rule, const std::vector<HeldPair>& held )
{
    m_overlaps = std::move( overlaps );
    m_held.clear();
    for ( const HeldPair& pair : held )
    {
        m_held.push_back( pair.key );
    }
    listExceptions( rule );
}

bool Expectation::wasHeld( PairKey key ) const
{
    return contains( m_held, key );
}

bool Expectation::isFree( const Overlap& overlap ) const
{
    const bool isForgotten = overlap.a->isForgotten || overlap.b->isForgotten;
    return contains( m_free, overlap.key ) || ( isForgotten && !m_readsForgotten );
}

void Expectation::requirePresent( const Overlap& overlap, FilterRule rule ) const
{
    if ( !mayPair( rule, *overlap.a, *overlap.b ) && !contains( m_refused, overlap.key ) )
    {
        wrong( "extra", overlap.key, ", which the filter refuses" );
    }
}

void Expectation::requireAbsent( const Overlap& overlap, FilterRule rule ) const
{
    if ( contains( m_refused, overlap.key ) )
    {
        wrong( "missing", overlap.key, ", which still overlaps since the filter let it in" );
    }
    if ( mayPair( rule, *overlap.a, *overlap.b ) && !isFree( overlap ) )
    {
        wrong( "missing", overlap.key, "" );
    }
}

void Expectation::listExceptions( FilterRule rule )
{
    m_refused.clear();
    m_free.clear();
    for ( const Overlap& overlap : m_overlaps )
    {
        const bool isHeld = contains( m_held, overlap.key );
        const bool isLetIn = mayPair( rule, *overlap.a, *overlap.b );
        if ( isHeld != isLetIn )
        {
            ( isHeld ? m_refused : m_free ).push_back( overlap.key );
        }
    }
}

} // namespace cullet::stress
