// SPDX-License-Identifier: Zlib
/// \file world.cpp
/// The calls of the application, and the checks after them: the pairs after a single call, the pair set after an
/// update, and the algorithm of each pair, which must not change.
#include "world.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <utility>

namespace cullet::stress
{

namespace
{

/// Largest number of checks right after a call in a step: each of these checks visits every body.
constexpr int mostChecksAtOnce = 48;

} // namespace

/// An update of CulletBroadphase checks at least LOOKS proxies for groups and masks edited in place. If there are at
/// most LOOKS proxy slots, each update finds every edit, and only then does the expectation require it. Bodies created
/// and destroyed in one step also take slots, so there may be twice as many slots as bodies.
World::World( Subject tested, std::size_t bodies, std::function<void()> makeQueries )
    : subject( std::move( tested ) ), cullet( dynamic_cast<const CulletBroadphase*>( subject.broadphase.get() ) ),
      expectation( population, 2 * bodies <= std::size_t( CulletBroadphase::LOOKS ) ),
      m_makeQueries( std::move( makeQueries ) )
{
    cache().setInternalGhostPairCallback( &m_pairObserver );
}

World::~World()
{
    while ( population.size() > 0 )
    {
        btBroadphaseProxy* proxy = population[population.size() - 1].proxy;
        cache().removeOverlappingPairsContainingProxy( proxy, &m_pairObserver );
        subject.broadphase->destroyProxy( proxy, &m_pairObserver );
        population.remove( population.size() - 1 );
    }
    subject.broadphase.reset(); // first: its destructor may call the other members
}

void World::beginStep()
{
    ++step;
    m_checkedAtOnce = 0;
}

void World::create( const cltAabbD& box, const cltFilter& filter )
{
    void* const clients[] = { &m_object, &m_object, cullet ? nullptr : &m_object, &m_ghost };
    void* const client = clients[Random( ++tally["createProxy"] ).below( std::size( clients ) )];
    btBroadphaseProxy* proxy = subject.broadphase->createProxy( vectorOf( box.lower ), vectorOf( box.upper ), 0, client,
                                                                filter.group, filter.mask, &m_pairObserver );
    const std::uint32_t uid = std::uint32_t( proxy->m_uniqueId );
    if ( population.find( proxy ) != nullptr || population.find( uid ) != nullptr )
    {
        throw Fault{ "wrong proxy", fmt::format( "createProxy gave out {} again, which lives", uid ) };
    }
    requireAtOnce( population.add( { { uid, filter }, proxy, box, client == &m_ghost, step, step, false, false } ),
                   "createProxy" );
}

void World::destroy( std::size_t index )
{
    ++tally["destroyProxy"];
    const Body gone = population[index];
    // btCollisionWorld calls the cache first when it removes an object, but not when it refreshes a proxy.
    if ( gone.uid % 2 == 0 )
    {
        cache().cleanProxyFromPairs( gone.proxy, &m_pairObserver );
    }
    subject.broadphase->destroyProxy( gone.proxy, &m_pairObserver );
    population.remove( index );
    m_pairObserver.requireNoContradiction();
    if ( m_pairObserver.knowsPairOf( gone.uid ) )
    {
        wrongPairSet( fmt::format( "pairs of {} outlive destroyProxy", gone.uid ) );
    }
}

void World::move( std::size_t index, const cltAabbD& box )
{
    Body& body = population[index];
    const bool isSame = std::memcmp( &body.box, &box, sizeof( box ) ) == 0;
    ++tally[isSame ? "setAabb, the same box" : hasNan( box ) ? "setAabb, with a NaN" : "setAabb, another box"];
    m_movesSinceUpdate += isSame ? 0 : 1;
    body.box = box;
    body.lastSet = isSame && !body.isFilterUnread ? body.lastSet : step;
    body.isFilterUnread = false;
    subject.broadphase->setAabb( body.proxy, vectorOf( box.lower ), vectorOf( box.upper ), &m_pairObserver );
    // With a given cache, the broadphase cannot know whether a ghost callback is installed or a client object is a
    // ghost.
    const bool isGhost = body.isGhost && subject.givenCache == nullptr;
    if ( !isSame && ( isGhost || m_movesSinceUpdate <= CulletBroadphase::EAGER_MOVES ) )
    {
        requireAtOnce( body, "setAabb" );
    }
}

void World::setFilter( std::size_t index, const cltFilter& filter )
{
    edit( population[index], filter );
}

void World::revertEdits( Random& random )
{
    for ( const auto& [uid, before] : std::exchange( m_edits, {} ) )
    {
        Body* body = population.find( uid );
        if ( body != nullptr && random.oneIn( 2 ) )
        {
            edit( *body, before );
        }
    }
}

void World::edit( Body& body, const cltFilter& filter )
{
    ++tally["group and mask edited"];
    m_edits.push_back( { body.uid, body.filter } );
    body.proxy->m_collisionFilterGroup = filter.group;
    body.proxy->m_collisionFilterMask = filter.mask;
    body.filter = filter;
    body.isFilterUnread = true;
}

void World::installFilter( unsigned rejectedThird )
{
    ++tally["filter callback exchanged"];
    std::unique_ptr<FilterCallback> filter =
        rejectedThird == 3 ? nullptr : std::make_unique<FilterCallback>( rejectedThird );
    cache().setOverlapFilterCallback( filter.get() );
    m_lastSwap = step;
    m_filter = std::move( filter ); // deletes the previous filter, which the cache no longer uses
}

void World::filtersEdited()
{
    expectation.filterChanged( m_filter.get() );
}

void World::takeOut( PairKey key )
{
    ++tally["pair cache edited"];
    const auto [a, b] = population.findBoth( key );
    cache().removeOverlappingPair( a->proxy, b->proxy, &m_pairObserver );
    expectation.pairsTakenOut( [key]( PairKey other ) { return other == key; } );
}

void World::takeOutAllOf( std::size_t index )
{
    ++tally["pair cache edited"];
    const Body& body = population[index];
    cache().removeOverlappingPairsContainingProxy( body.proxy, &m_pairObserver );
    expectation.pairsTakenOut( [&body]( PairKey key ) { return isPairOf( key, body.uid ); } );
}

void World::cleanAllOf( std::size_t index )
{
    ++tally["pair cache edited"];
    const Body& body = population[index];
    cache().cleanProxyFromPairs( body.proxy, &m_pairObserver );
    for ( const HeldPair& held : readPairs( cache(), population ) )
    {
        // Newer pairs have not been dispatched yet.
        if ( isPairOf( held.key, body.uid ) && expectation.wasHeld( held.key ) )
        {
            m_pairObserver.giveAlgorithm( *held.pair, held.key ); // check counts algorithms that were not destroyed
        }
    }
}

void World::update( int times )
{
    for ( int k = 0; k < times; ++k )
    {
        m_pairObserver.takeChanges();
        subject.broadphase->calculateOverlappingPairs( &m_pairObserver );
        ++tally["calculateOverlappingPairs"];
        if ( cullet && cullet->getStatus() != clt_ok )
        {
            throw Fault{ "update failed", cltStatusMessage( cullet->getStatus() ) };
        }
        for ( const PairKey key : m_pairObserver.takeChanges() )
        {
            if ( k > 0 && !expectation.isUnread( key ) )
            {
                wrongPairSet( "calculateOverlappingPairs changed " + pairName( key ) + " though nothing had moved" );
            }
        }
    }
    m_movesSinceUpdate = 0;
    expectation.updated( step );
    m_pairObserver.requireNoContradiction();
}

void World::resetPool()
{
    ++tally["resetPool"];
    subject.broadphase->resetPool( &m_pairObserver );
}

// -------------------------------------------------------------------------------------------------------------- checks

void World::requireAtOnce( const Body& body, const char* call )
{
    m_pairObserver.requireNoContradiction();
    if ( cullet == nullptr || m_checkedAtOnce == mostChecksAtOnce )
    {
        return;
    }
    ++m_checkedAtOnce;
    ++tally["checked pairs at once, bodies"];
    for ( std::size_t index = 0; index < population.size(); ++index )
    {
        const Body& other = population[index];
        const bool isKnown = !other.isFilterUnread || expectation.readsAllFilters;
        const bool isPair =
            &other != &body && isKnown && overlap( body.box, other.box ) && mayPair( m_filter.get(), body, other );
        const PairKey key = pairKey( body.uid, other.uid );
        // a pair that the cache rejected, by a callback or by an edited mask, waits for the next update
        const bool isRejected = m_filter || body.wasFilterUnread || other.wasFilterUnread;
        const bool mayWait = m_lastSwap == step || ( isRejected && expectation.isFree( key ) );
        if ( isPair && !mayWait && cache().findPair( body.proxy, other.proxy ) == nullptr )
        {
            throw Fault{ "pair not there at once",
                         fmt::format( "{} after {} of {}", pairName( key ), call, body.uid ) };
        }
    }
}

void World::check()
{
    const std::vector<HeldPair> held = readPairs( cache(), population );
    PairSet keys( held.size() );
    std::transform( held.begin(), held.end(), keys.begin(), []( const HeldPair& pair ) { return pair.key; } );
    PairSet overlaps = findOverlaps( population );
    expectation.check( overlaps, keys );
    requireOwnAlgorithms( held );
    m_pairObserver.requireNoContradiction();
    const std::string wrong = firstWrongPair( m_pairObserver.pairs(), keys, true );
    if ( !wrong.empty() )
    {
        wrongPairSet( "the ghost callback " + wrong );
    }
    tally["checked pairs"] += keys.size();
    expectation.accept( std::move( overlaps ), std::move( keys ), step );
    for ( std::size_t index = 0; index < population.size(); ++index )
    {
        population[index].wasFilterUnread = population[index].isFilterUnread;
    }
    ++tally["checked pair sets"];
    tally["checked overlaps, free to be pairs or not"] += expectation.freeCount();
}

void World::requireOwnAlgorithms( const std::vector<HeldPair>& held )
{
    for ( const auto& [key, pair] : held )
    {
        if ( pair->m_algorithm == nullptr )
        {
            if ( expectation.hasLasted( key, step ) )
            {
                wrongPairSet( pairName( key ) + " lost its algorithm, but never ended" );
            }
            m_pairObserver.giveAlgorithm( *pair, key );
        }
        else if ( !m_pairObserver.isAlgorithmOf( pair->m_algorithm, key ) || !expectation.wasHeld( key ) )
        {
            wrongPairSet( pairName( key ) + " holds an algorithm that is not its own" );
        }
    }
    if ( m_pairObserver.algorithmCount() != held.size() )
    {
        wrongPairSet( fmt::format( "{} pairs ended and left their algorithms behind",
                                   m_pairObserver.algorithmCount() - held.size() ) );
    }
}

} // namespace cullet::stress
