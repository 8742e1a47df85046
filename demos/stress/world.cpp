// SPDX-License-Identifier: Zlib
/// \file world.cpp
/// The calls of the application. What is checked after each is in world_checks.cpp.
#include "world.h"

#include "fault.h"

#include <fmt/format.h>

#include <utility>

namespace cullet::stress
{

World::World( Subject subject ) : m_subject( std::move( subject ) ), m_expectation( m_subject.promises.readsForgotten )
{
    cache().setInternalGhostPairCallback( &m_witness );
}

World::~World()
{
    while ( m_population.size() > 0 )
    {
        btBroadphaseProxy* proxy = m_population[m_population.size() - 1].proxy;
        cache().removeOverlappingPairsContainingProxy( proxy, &m_narrowphase );
        m_subject.broadphase->destroyProxy( proxy, &m_narrowphase );
        m_population.remove( m_population.size() - 1 );
    }
}

void World::beginStep( std::uint64_t step )
{
    m_step = step;
    m_checkedAtOnce = 0;
    ++m_tally.steps;
}

void* World::clientOf( Client client )
{
    switch ( client )
    {
    case Client::ghost:
        return &m_ghost;
    case Client::none:
        return promises().takesNullClients ? nullptr : &m_object;
    case Client::object:
        break;
    }
    return &m_object;
}

Body& World::create( const Box& box, const Traits& traits )
{
    ++m_tally.creates;
    btBroadphaseProxy* proxy = m_subject.broadphase->createProxy(
        lowerOf( box ), upperOf( box ), 0, clientOf( traits.client ), traits.group, traits.mask, &m_narrowphase );
    if ( m_population.find( proxy ) != nullptr || m_population.find( std::uint32_t( proxy->m_uniqueId ) ) != nullptr )
    {
        throw Fault( "wrong proxy", fmt::format( "createProxy gave out {} again, which lives", proxy->m_uniqueId ) );
    }
    Body& body = m_population.add(
        { proxy, proxy->m_uniqueId, box, traits.group, traits.mask, traits.client, false, m_step, m_step } );
    if ( promises().pairsOfNewAtOnce )
    {
        requireAtOnce( body, "createProxy" );
    }
    return body;
}

void World::destroy( std::size_t index )
{
    ++m_tally.destroys;
    const Body gone = m_population[index];
    // btCollisionWorld calls the cache first when it removes an object, but not when it refreshes a proxy.
    if ( gone.uid % 2 == 0 )
    {
        cache().cleanProxyFromPairs( gone.proxy, &m_narrowphase );
    }
    m_subject.broadphase->destroyProxy( gone.proxy, &m_narrowphase );
    m_population.remove( index );
    requireNoContradiction();
    if ( m_witness.degreeOf( gone.uid ) != 0 )
    {
        throw Fault( "wrong pair set",
                     fmt::format( "{} pairs of {} outlive destroyProxy", m_witness.degreeOf( gone.uid ), gone.uid ) );
    }
}

void World::set( Body& body, const Box& box )
{
    const bool isSameBox = isSame( body.box, box );
    ++( isSameBox ? m_tally.repeats : m_tally.moves );
    m_movesSinceUpdate += isSameBox ? 0 : 1;
    body.box = box;
    body.lastSet = m_step;
    body.isForgotten = false;
    m_subject.broadphase->setAabb( body.proxy, lowerOf( box ), upperOf( box ), &m_narrowphase );
    if ( !isSameBox && promisesAtOnce( body ) )
    {
        requireAtOnce( body, "setAabb" );
    }
}

void World::editFilter( Body& body, int group, int mask )
{
    ++m_tally.filterEdits;
    body.group = body.proxy->m_collisionFilterGroup = group;
    body.mask = body.proxy->m_collisionFilterMask = mask;
    body.isForgotten = true;
}

void World::install( FilterRule rule )
{
    ++m_tally.filterSwaps;
    std::unique_ptr<RuleFilter> filter = rule == FilterRule::stock ? nullptr : std::make_unique<RuleFilter>( rule );
    cache().setOverlapFilterCallback( filter.get() );
    m_filter = std::move( filter ); // the old one goes only now: the cache may have held it until the line above
    m_rule = rule;
}

void World::filtersEdited()
{
    m_expectation.filterChanged( m_rule );
}

void World::takeOut( PairKey key )
{
    ++m_tally.cacheEdits;
    const BodyPair bodies = bodiesOf( m_population, key );
    cache().removeOverlappingPair( bodies.a->proxy, bodies.b->proxy, &m_narrowphase );
    m_expectation.pairTakenOut( key );
}

void World::takeOutAllOf( Body& body )
{
    ++m_tally.cacheEdits;
    cache().removeOverlappingPairsContainingProxy( body.proxy, &m_narrowphase );
    const std::vector<PairKey> pairs = m_expectation.heldPairs(); // a copy: taking out changes it
    for ( const PairKey key : pairs )
    {
        if ( std::uint32_t( key >> 32 ) == std::uint32_t( body.uid ) ||
             std::uint32_t( key & UINT32_MAX ) == std::uint32_t( body.uid ) )
        {
            m_expectation.pairTakenOut( key );
        }
    }
}

void World::cleanAllOf( const Body& body )
{
    ++m_tally.cacheEdits;
    cache().cleanProxyFromPairs( body.proxy, &m_narrowphase );
    for ( const HeldPair& held : readPairs( cache(), m_population ) )
    {
        const bool isCleaned = held.pair->m_pProxy0 == body.proxy || held.pair->m_pProxy1 == body.proxy;
        if ( isCleaned && held.pair->m_algorithm != nullptr )
        {
            throw Fault( "wrong pair set", cullet::pairName( held.key ) + " kept its algorithm when it was cleaned" );
        }
        if ( isCleaned && m_expectation.wasHeld( held.key ) ) // else it is so new that nobody dispatched it yet
        {
            m_narrowphase.give( *held.pair, held.key );
        }
    }
}

void World::update( int times )
{
    for ( int k = 0; k < times; ++k )
    {
        const std::uint64_t changesBefore = m_witness.changeCount();
        m_subject.broadphase->calculateOverlappingPairs( &m_narrowphase );
        ++m_tally.updates;
        if ( m_subject.status() != clt_ok )
        {
            throw Fault( "update failed", cltStatusMessage( m_subject.status() ) );
        }
        if ( k > 0 && m_witness.changeCount() != changesBefore )
        {
            throw Fault( "wrong pair set", "calculateOverlappingPairs changed pairs though nothing had moved" );
        }
    }
    m_movesSinceUpdate = 0;
    m_expectation.updated( m_population, m_step );
    requireNoContradiction();
}

void World::resetPool()
{
    ++m_tally.resets;
    m_subject.broadphase->resetPool( &m_narrowphase );
}

} // namespace cullet::stress
