// SPDX-License-Identifier: Zlib
/// \file world.cpp
/// The calls of the application. What is checked after each is in world_checks.cpp.
#include "world.h"

#include "fault.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace cullet::stress
{

World::World( Subject subject, std::function<void()> look )
    : m_subject( std::move( subject ) ), m_look( std::move( look ) ), m_expectation( promises().readsForgotten )
{
    cache().setInternalGhostPairCallback( &m_witness );
}

World::~World()
{
    while ( m_population.size() > 0 )
    {
        btBroadphaseProxy* proxy = m_population[m_population.size() - 1].proxy;
        cache().removeOverlappingPairsContainingProxy( proxy, &m_narrowphase );
        broadphase().destroyProxy( proxy, &m_narrowphase );
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

void World::create( const cltAabbD& box, const cltFilter& filter )
{
    constexpr Client clients[] = { Client::object, Client::object, Client::none, Client::ghost };
    const Client client = clients[Random( ++m_tally.creates ).below( std::size( clients ) )];
    btBroadphaseProxy* proxy =
        broadphase().createProxy( vectorOf( box.lower ), vectorOf( box.upper ), 0, clientOf( client ), filter.group,
                                  filter.mask, &m_narrowphase );
    const std::uint32_t uid = std::uint32_t( proxy->m_uniqueId );
    if ( m_population.find( proxy ) != nullptr || m_population.find( uid ) != nullptr )
    {
        throw Fault( "wrong proxy", fmt::format( "createProxy gave out {} again, which lives", uid ) );
    }
    const Body& body = m_population.add( { proxy, uid, box, filter, client, false, m_step, m_step } );
    if ( promises().pairsOfNewAtOnce )
    {
        requireAtOnce( body, "createProxy" );
    }
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
    broadphase().destroyProxy( gone.proxy, &m_narrowphase );
    m_population.remove( index );
    requireNoContradiction();
    if ( m_witness.degreeOf( gone.uid ) != 0 )
    {
        wrongPairSet( fmt::format( "{} pairs of {} outlive destroyProxy", m_witness.degreeOf( gone.uid ), gone.uid ) );
    }
}

void World::move( std::size_t index, const cltAabbD& box )
{
    Body& body = m_population[index];
    const bool isSame = std::memcmp( &body.box, &box, sizeof( box ) ) == 0;
    ++( isSame ? m_tally.repeats : m_tally.moves );
    m_movesSinceUpdate += isSame ? 0 : 1;
    m_tally.oddBoxes += hasNan( box ) ? 1 : 0;
    body.box = box;
    body.lastSet = m_step;
    body.isForgotten = false;
    broadphase().setAabb( body.proxy, vectorOf( box.lower ), vectorOf( box.upper ), &m_narrowphase );
    const bool isGhost = body.client == Client::ghost && promises().pairsOfGhostAtOnce;
    if ( !isSame && ( isGhost || m_movesSinceUpdate <= promises().movesAtOnce ) )
    {
        requireAtOnce( body, "setAabb" );
    }
}

void World::setFilter( std::size_t index, const cltFilter& filter )
{
    ++m_tally.filterEdits;
    Body& body = m_population[index];
    body.proxy->m_collisionFilterGroup = filter.group;
    body.proxy->m_collisionFilterMask = filter.mask;
    body.filter = filter;
    body.isForgotten = true;
    m_edited.push_back( index );
}

void World::install( FilterRule rule )
{
    ++m_tally.filterSwaps;
    std::unique_ptr<RuleFilter> filter = rule == FilterRule::stock ? nullptr : std::make_unique<RuleFilter>( rule );
    cache().setOverlapFilterCallback( filter.get() );
    m_filter = std::move( filter ); // the one before goes only now: the cache may have held it until the line above
    m_rule = rule;
}

std::vector<std::size_t> World::filtersEdited()
{
    m_expectation.filterChanged( m_rule );
    return std::exchange( m_edited, {} );
}

void World::takeOut( PairKey key )
{
    ++m_tally.cacheEdits;
    cache().removeOverlappingPair( m_population.find( smallerOf( key ) )->proxy,
                                   m_population.find( largerOf( key ) )->proxy, &m_narrowphase );
    m_expectation.pairTakenOut( key );
}

void World::takeOutAllOf( std::size_t index )
{
    ++m_tally.cacheEdits;
    const Body& body = m_population[index];
    cache().removeOverlappingPairsContainingProxy( body.proxy, &m_narrowphase );
    const PairSet pairs = heldPairs(); // a copy: taking out changes it
    for ( const PairKey key : pairs )
    {
        if ( smallerOf( key ) == body.uid || largerOf( key ) == body.uid )
        {
            m_expectation.pairTakenOut( key );
        }
    }
}

void World::cleanAllOf( std::size_t index )
{
    ++m_tally.cacheEdits;
    const Body& body = m_population[index];
    cache().cleanProxyFromPairs( body.proxy, &m_narrowphase );
    for ( const HeldPair& held : readPairs( cache(), m_population ) )
    {
        const bool isCleaned = smallerOf( held.key ) == body.uid || largerOf( held.key ) == body.uid;
        if ( isCleaned && held.pair->m_algorithm != nullptr )
        {
            wrongPairSet( pairName( held.key ) + " kept its algorithm when it was cleaned" );
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
        broadphase().calculateOverlappingPairs( &m_narrowphase );
        ++m_tally.updates;
        if ( m_subject.status() != clt_ok )
        {
            throw Fault( "update failed", cltStatusMessage( m_subject.status() ) );
        }
        if ( k > 0 && m_witness.changeCount() != changesBefore )
        {
            wrongPairSet( "calculateOverlappingPairs changed pairs though nothing had moved" );
        }
    }
    m_movesSinceUpdate = 0;
    m_expectation.updated( m_population, m_step );
    requireNoContradiction();
}

void World::resetPool()
{
    ++m_tally.resets;
    broadphase().resetPool( &m_narrowphase );
}

} // namespace cullet::stress
