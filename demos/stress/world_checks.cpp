// SPDX-License-Identifier: Zlib
/// \file world_checks.cpp
/// What World holds the broadphase to: pairs at once, the pair set after an update, and that pairs keep what is theirs.
#include "world.h"

#include "fault.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"

#include <fmt/format.h>

#include <utility>

namespace cullet::stress
{

namespace
{

/// Bodies whose pairs are looked for at once, at most in a step: each costs a look at every body.
constexpr int mostChecksAtOnce = 48;

} // namespace

void World::requireAtOnce( const Body& body, const char* call )
{
    requireNoContradiction();
    if ( m_checkedAtOnce == mostChecksAtOnce )
    {
        return;
    }
    ++m_checkedAtOnce;
    ++m_tally.atOnce;
    for ( std::size_t index = 0; index < m_population.size(); ++index )
    {
        const Body& other = m_population[index];
        const bool isKnown = !other.isForgotten || promises().readsForgotten;
        const bool isPair =
            &other != &body && isKnown && overlap( body.box, other.box ) && mayPair( m_rule, body, other );
        if ( isPair && cache().findPair( body.proxy, other.proxy ) == nullptr )
        {
            throw Fault( "pair not there at once",
                         fmt::format( "{} after {} of {}", pairName( pairOf( body, other ) ), call, body.uid ) );
        }
    }
}

void World::check()
{
    const std::vector<HeldPair> held = readPairs( cache(), m_population );
    std::vector<Overlap> overlaps = findOverlaps( m_population );
    m_expectation.check( overlaps, m_rule, held );
    requireIdentity( held );
    requireWitness( held );
    m_expectation.accept( std::move( overlaps ), m_rule, held );
    m_lastCheck = m_step;
    ++m_tally.pairSets;
    m_tally.pairs += held.size();
    m_tally.freePairs += m_expectation.freeCount();
}

void World::requireIdentity( const std::vector<HeldPair>& held )
{
    for ( const HeldPair& pair : held )
    {
        const btCollisionAlgorithm* algorithm = pair.pair->m_algorithm;
        if ( algorithm == nullptr )
        {
            if ( !mayBeNew( pair.key ) )
            {
                wrongPairSet( pairName( pair.key ) + " lost its algorithm, but never ended" );
            }
            m_narrowphase.give( *pair.pair, pair.key );
        }
        else if ( m_narrowphase.ownerOf( algorithm ) != pair.key || !m_expectation.wasHeld( pair.key ) )
        {
            wrongPairSet( pairName( pair.key ) + " holds an algorithm that is not its own" );
        }
    }
    if ( m_narrowphase.livingCount() != held.size() )
    {
        wrongPairSet( fmt::format( "{} pairs ended and left their algorithms behind",
                                   m_narrowphase.livingCount() - held.size() ) );
    }
}

/// False for a pair that was held at the last check and cannot have ended since.
bool World::mayBeNew( PairKey key ) const
{
    if ( !m_expectation.wasHeld( key ) )
    {
        return true;
    }
    const Body* a = m_population.find( smallerOf( key ) );
    const Body* b = m_population.find( largerOf( key ) );
    const bool anyMoved = a->lastSet > m_lastCheck || b->lastSet > m_lastCheck;
    // It overlapped at the last check, or will be found out as not overlapping now; only updates between the two may
    // have seen it apart.
    const bool anyBetween = m_step > m_lastCheck + 1;
    const bool anyReborn = a->born > m_lastCheck || b->born > m_lastCheck;
    return ( anyMoved && anyBetween ) || anyReborn;
}

void World::requireWitness( const std::vector<HeldPair>& held ) const
{
    requireNoContradiction();
    for ( const HeldPair& pair : held )
    {
        if ( !m_witness.holds( pair.key ) )
        {
            wrongPairSet( "the ghost callback was not told of " + pairName( pair.key ) );
        }
    }
    if ( m_witness.pairCount() != held.size() )
    {
        wrongPairSet( fmt::format( "the ghost callback counts {} pairs, the cache holds {}", m_witness.pairCount(),
                                   held.size() ) );
    }
}

void World::requireNoContradiction() const
{
    for ( const std::string& contradiction : { m_witness.contradiction(), m_narrowphase.contradiction() } )
    {
        if ( !contradiction.empty() )
        {
            wrongPairSet( contradiction );
        }
    }
}

} // namespace cullet::stress
