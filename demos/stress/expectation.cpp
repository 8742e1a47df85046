// SPDX-License-Identifier: Zlib
/// \file expectation.cpp
/// Reads no proxy before it is known to be alive: the memory of destroyed proxies may be freed.
#include "expectation.h"

#include <fmt/format.h>

#include <utility>

namespace cullet::stress
{

namespace
{

bool contains( const PairSet& pairs, PairKey key )
{
    return std::binary_search( pairs.begin(), pairs.end(), key );
}

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
    return { pairKey( a->uid, b->uid ), &pair };
}

} // namespace

PairSet findOverlaps( const Population& population )
{
    std::vector<Candidate<cltAabbD>> candidates;
    for ( std::size_t index = 0; index < population.size(); ++index )
    {
        candidates.push_back( { population[index].box, openFilter, population[index].uid } );
    }
    return sweptPairs( std::move( candidates ) );
}

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

Expectation::Expectation( const Population& population, bool readsAllFilters )
    : readsAllFilters( readsAllFilters ), m_population( population )
{
}

void Expectation::filterChanged( const FilterCallback* callback )
{
    m_callback = callback;
    listExceptions();
}

void Expectation::updated( std::uint64_t step )
{
    drop( m_rejected, &Body::born, step ); // uids are reused: a body created in this step is a new one
    drop( m_free, &Body::lastSet, step );
}

/// Drops the pairs that no longer overlap, and the pairs with a body in which the member `when` equals `step`.
void Expectation::drop( PairSet& pairs, std::uint64_t Body::*when, std::uint64_t step ) const
{
    const auto isOver = [&]( PairKey key )
    {
        const auto [a, b] = m_population.findBoth( key );
        return !a || !b || a->*when == step || b->*when == step || !overlap( a->box, b->box );
    };
    pairs.erase( std::remove_if( pairs.begin(), pairs.end(), isOver ), pairs.end() );
}

void Expectation::check( const PairSet& overlaps, const PairSet& held ) const
{
    const PairSet apart = difference( held, overlaps );
    if ( !apart.empty() )
    {
        const std::string name = pairName( apart[0] );
        wrongPairSet( wasHeld( apart[0] ) ? "stale " + name + ", which overlaps no more"
                                          : "extra " + name + ", which do not overlap" );
    }
    for ( const PairKey key : overlaps )
    {
        const auto [a, b] = m_population.findBoth( key );
        const bool isHeld = contains( held, key );
        const bool mustStay = contains( m_rejected, key );
        const bool isLetIn = mayPair( m_callback, *a, *b );
        if ( isHeld && !mustStay && !isLetIn )
        {
            wrongPairSet( "extra " + pairName( key ) + ", which the filter refuses" );
        }
        if ( !isHeld && mustStay )
        {
            wrongPairSet( "missing " + pairName( key ) + ", which still overlaps since the filter let it in" );
        }
        if ( !isHeld && isLetIn && !isUnread( key ) && !isFree( key ) )
        {
            wrongPairSet( "missing " + pairName( key ) );
        }
    }
}

void Expectation::accept( PairSet overlaps, PairSet held, std::uint64_t step )
{
    m_overlaps = std::move( overlaps );
    m_held = std::move( held );
    m_lastCheck = step;
    listExceptions();
}

bool Expectation::isUnread( PairKey key ) const
{
    const auto [a, b] = m_population.findBoth( key );
    return !readsAllFilters && ( a->isFilterUnread || b->isFilterUnread );
}

bool Expectation::wasHeld( PairKey key ) const
{
    return contains( m_held, key );
}

bool Expectation::isFree( PairKey key ) const
{
    return contains( m_free, key );
}

bool Expectation::hasLasted( PairKey key, std::uint64_t step ) const
{
    if ( !wasHeld( key ) )
    {
        return false;
    }
    const auto [a, b] = m_population.findBoth( key );
    const bool isReborn = std::max( a->born, b->born ) > m_lastCheck;
    // The pair overlaps at both checks. Only an update between these checks may have found its boxes separated.
    const bool mayHaveParted = std::max( a->lastSet, b->lastSet ) > m_lastCheck && step > m_lastCheck + 1;
    return !isReborn && !mayHaveParted;
}

void Expectation::listExceptions()
{
    m_rejected.clear();
    m_free.clear();
    for ( const PairKey key : m_overlaps )
    {
        const auto [a, b] = m_population.findBoth( key );
        const bool isHeld = wasHeld( key );
        if ( isHeld != mayPair( m_callback, *a, *b ) )
        {
            ( isHeld ? m_rejected : m_free ).push_back( key );
        }
    }
}

} // namespace cullet::stress
