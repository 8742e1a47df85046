// SPDX-License-Identifier: Zlib
/// \file driver.cpp
/// First what a broadphase is not told of, filters and the cache; then boxes, in an order that differs from step to
/// step, because the first changes after an update are treated unlike the many that follow.
#include "driver.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace cullet::stress
{

namespace
{

constexpr std::size_t mostWide = 3; ///< each makes a pair with nearly every body
constexpr std::size_t mostCrowded = 300;
constexpr std::size_t mostTakenOut = 4; ///< pairs a step

Traits drawTraits( Random& random )
{
    // Bullet's bodies, its static ones, and filters that refuse all, refuse half, or have the sign bit set.
    constexpr int filters[][2] = { { 1, -1 },         { 1, -1 }, { 1, -1 }, { 1, -1 },  { 1, -1 },
                                   { 2, -3 },         { 2, 1 },  { 1, 0 },  { 64, 65 }, { 64, ~64 },
                                   { INT32_MIN, -1 }, { 0, -1 }, { -1, -1 } };
    constexpr Client clients[] = { Client::object, Client::object, Client::none, Client::ghost };
    const auto& filter = filters[random.below( std::size( filters ) )];
    return { filter[0], filter[1], clients[random.below( std::size( clients ) )] };
}

} // namespace

Driver::Driver( World& world, std::uint64_t seed, std::size_t bodyCount, std::function<void()> look )
    : m_world( world ), m_arena( bodyCount ), m_seed( seed ), m_bodyCount( bodyCount ), m_look( std::move( look ) ),
      m_schedule( seed ), m_at{}
{
}

void Driver::step( std::uint64_t step, bool afterCheck )
{
    m_at = m_schedule.next();
    Random random( m_seed, Purpose::operations, step );
    if ( afterCheck && m_world.population().size() > 0 )
    {
        editFilters( random );
        editCache( random );
    }
    changeBoxes( random );
    if ( m_world.population().size() == 0 || random.oneIn( 50 ) )
    {
        m_world.resetPool();
    }
}

/// All edits before the first setAabb: what a pair must be is then settled by the filter as all of the step sees it.
void Driver::editFilters( Random& random )
{
    const std::size_t count = countOf( m_at.phase->edits );
    const bool swaps = m_at.phase->swapsFilter && random.oneIn( 3 );
    std::vector<Body*> edited;
    for ( std::size_t k = 0; k < count; ++k )
    {
        const Traits traits = drawTraits( random );
        edited.push_back( &anyBody( random ) );
        m_world.editFilter( *edited.back(), traits.group, traits.mask );
    }
    if ( swaps )
    {
        constexpr FilterRule rules[] = { FilterRule::stock, FilterRule::either, FilterRule::thirds };
        m_world.install( rules[random.below( std::size( rules ) )] );
    }
    if ( count == 0 && !swaps )
    {
        return;
    }
    m_world.filtersEdited();
    for ( Body* body : edited )
    {
        if ( !random.oneIn( 5 ) ) // the fifth is forgotten, as applications do
        {
            m_world.set( *body, random.oneIn( 2 ) ? body->box : m_arena.drifted( body->box, random ) );
        }
    }
}

void Driver::editCache( Random& random )
{
    if ( !m_at.phase->editsCache || !m_world.promises().repairsCache )
    {
        return;
    }
    const std::size_t count = random.below( mostTakenOut + 1 );
    for ( std::size_t k = 0; k < count && !m_world.expectation().heldPairs().empty(); ++k )
    {
        const std::vector<PairKey>& held = m_world.expectation().heldPairs();
        m_world.takeOut( held[random.below( held.size() )] );
    }
    if ( random.oneIn( 4 ) )
    {
        m_world.takeOutAllOf( anyBody( random ) );
    }
    if ( random.oneIn( 4 ) )
    {
        m_world.cleanAllOf( anyBody( random ) );
    }
}

void Driver::changeBoxes( Random& random )
{
    Operation operations[] = {
        &Driver::headForPopulation, &Driver::churn, &Driver::drift, &Driver::jump, &Driver::repeat, &Driver::setOdd,
        &Driver::setWide,           &Driver::crowd };
    for ( std::size_t left = std::size( operations ); left > 0; --left )
    {
        const std::size_t chosen = random.below( left );
        std::swap( operations[chosen], operations[left - 1] );
        const Operation operation = operations[left - 1];
        ( this->*operation )( random );
        m_look();
    }
}

void Driver::headForPopulation( Random& random )
{
    const std::size_t goal = std::size_t( m_at.phase->population * double( m_bodyCount ) );
    const std::size_t most = std::size_t( std::ceil( m_at.phase->turnover * double( m_bodyCount ) ) );
    for ( std::size_t k = 0; k < most && m_world.population().size() > goal; ++k )
    {
        destroyAny( random );
    }
    for ( std::size_t k = 0; k < most && m_world.population().size() < goal; ++k )
    {
        create( random );
    }
}

void Driver::churn( Random& random )
{
    const std::size_t count = countOf( m_at.phase->churn );
    for ( std::size_t k = 0; k < count; ++k )
    {
        destroyAny( random );
        create( random );
    }
}

void Driver::drift( Random& random )
{
    if ( m_at.phase->drift == 1 )
    {
        for ( std::size_t index = 0; index < m_world.population().size(); ++index )
        {
            Body& body = m_world.population()[index];
            m_world.set( body, m_arena.drifted( body.box, random ) );
        }
        return;
    }
    const std::size_t count = countOf( m_at.phase->drift );
    for ( std::size_t k = 0; k < count; ++k )
    {
        Body& body = anyBody( random );
        m_world.set( body, m_arena.drifted( body.box, random ) );
    }
}

void Driver::jump( Random& random )
{
    const std::size_t count = countOf( m_at.phase->jump );
    for ( std::size_t k = 0; k < count; ++k )
    {
        Body& body = anyBody( random );
        m_world.set( body, m_arena.ordinary( random ) );
    }
}

void Driver::repeat( Random& random )
{
    const std::size_t count = countOf( m_at.phase->repeat );
    const std::size_t first = count == 0 ? 0 : random.below( m_world.population().size() );
    for ( std::size_t k = 0; k < count; ++k )
    {
        Body& body = m_world.population()[( first + k ) % m_world.population().size()];
        m_world.set( body, body.box );
    }
}

void Driver::setOdd( Random& random )
{
    const std::size_t count = countOf( m_at.phase->odd );
    for ( std::size_t k = 0; k < count; ++k )
    {
        const Box neighbor = anyBody( random ).box;
        const Box box = m_arena.odd( neighbor, random );
        if ( !m_arena.isWide( box ) || wideCount() < mostWide )
        {
            setOddBox( anyBody( random ), box );
        }
    }
}

void Driver::setOddBox( Body& body, const Box& box )
{
    ++m_world.tally().oddBoxes;
    m_world.set( body, box );
}

void Driver::setWide( Random& random )
{
    if ( !m_at.phase->hasWide || m_world.population().size() == 0 || random.oneIn( 2 ) )
    {
        return;
    }
    if ( wideCount() < mostWide )
    {
        const Box box = m_arena.wide( random );
        setOddBox( anyBody( random ), box );
        return;
    }
    for ( std::size_t index = 0; index < m_world.population().size(); ++index )
    {
        Body& body = m_world.population()[index];
        if ( m_arena.isWide( body.box ) )
        {
            m_world.set( body, m_arena.ordinary( random ) );
        }
    }
}

void Driver::crowd( Random& random )
{
    const std::size_t count = m_at.phase->crowds ? std::min( mostCrowded, countOf( 0.1 ) ) : 0;
    for ( std::size_t k = 0; k < count; ++k )
    {
        Body& body = anyBody( random );
        m_world.set( body, m_arena.crowded( m_seed + m_at.index, count, random ) );
    }
}

/// Rounded up: a share of a small world is at least one body.
std::size_t Driver::countOf( double share ) const
{
    return std::size_t( std::ceil( share * double( m_world.population().size() ) ) );
}

std::size_t Driver::wideCount() const
{
    std::size_t count = 0;
    for ( std::size_t index = 0; index < m_world.population().size(); ++index )
    {
        count += m_arena.isWide( m_world.population()[index].box ) ? 1 : 0;
    }
    return count;
}

Body& Driver::anyBody( Random& random )
{
    return m_world.population()[random.below( m_world.population().size() )];
}

void Driver::create( Random& random )
{
    const Box box = m_arena.ordinary( random );
    m_world.create( box, drawTraits( random ) );
}

void Driver::destroyAny( Random& random )
{
    m_world.destroy( random.below( m_world.population().size() ) );
}

} // namespace cullet::stress
