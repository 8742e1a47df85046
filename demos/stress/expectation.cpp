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

bool contains( const std::vector<PairKey>& ascending, PairKey key )
{
    return std::binary_search( ascending.begin(), ascending.end(), key );
}

void erase( std::vector<PairKey>& ascending, PairKey key )
{
    const auto [first, last] = std::equal_range( ascending.begin(), ascending.end(), key );
    ascending.erase( first, last );
}

/// Uids may be given out again: a body born in this step is not the one that the list means.
bool stillOverlap( const BodyPair& bodies, std::uint64_t step )
{
    const bool live = bodies.a != nullptr && bodies.b != nullptr;
    return live && bodies.a->born < step && bodies.b->born < step && overlap( bodies.a->box, bodies.b->box );
}

template <typename IsOver>
void removeIf( std::vector<PairKey>& ascending, const Population& population, IsOver isOver )
{
    const auto end = std::remove_if( ascending.begin(), ascending.end(),
                                     [&]( PairKey key ) { return isOver( bodiesOf( population, key ) ); } );
    ascending.erase( end, ascending.end() );
}

[[noreturn]] void wrong( const char* kind, PairKey key, const char* why )
{
    throw Fault( "wrong pair set", kind + ( " " + cullet::pairName( key ) ) + why );
}

} // namespace

Expectation::Expectation( bool readsForgotten ) : m_readsForgotten( readsForgotten )
{
}

void Expectation::filterChanged( FilterRule rule )
{
    listExceptions( rule );
}

void Expectation::pairTakenOut( PairKey key )
{
    erase( m_held, key );
    erase( m_refused, key );
}

void Expectation::updated( const Population& population, std::uint64_t step )
{
    removeIf( m_refused, population, [step]( const BodyPair& bodies ) { return !stillOverlap( bodies, step ); } );
    removeIf( m_free, population,
              [step]( const BodyPair& bodies )
              { return !stillOverlap( bodies, step ) || bodies.a->lastSet == step || bodies.b->lastSet == step; } );
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
