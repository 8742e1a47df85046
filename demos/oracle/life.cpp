// SPDX-License-Identifier: Zlib
/// \file life.cpp
/// Kinds of changes come in an order that differs from step to step, because the first changes after an update are
/// treated unlike the many that follow.
#include "life.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace cullet
{

namespace
{

enum Purpose
{
    choosingPhase,
    changing
};

constexpr std::size_t mostWide = 3; ///< each makes a pair with nearly every body
constexpr std::size_t mostCrowded = 300;

/// Those of Bullet's bodies, of its static ones, and some that refuse all, refuse half, or have the sign bit set.
cltFilter drawFilter( Random& random )
{
    constexpr cltFilter filters[] = { { 1, -1 },         { 1, -1 }, { 1, -1 }, { 1, -1 },  { 1, -1 },
                                      { 2, -3 },         { 2, 1 },  { 1, 0 },  { 64, 65 }, { 64, ~64 },
                                      { INT32_MIN, -1 }, { 0, -1 }, { -1, -1 } };
    return filters[random.below( std::size( filters ) )];
}

} // namespace

Life::Life( Stage& stage, std::uint64_t seed, std::size_t bodyCount, cltPrecision precision )
    : m_stage( stage ), m_arena( bodyCount, precision ), m_seed( seed ), m_bodyCount( bodyCount ),
      m_stepsLeft( phases[0].longest ), m_random( seed, changing, 0 )
{
}

void Life::beginStep()
{
    if ( m_stepsLeft == 0 )
    {
        Random random( m_seed, choosingPhase, ++m_phaseIndex );
        m_phase = &phases[random.below( phaseCount )];
        m_stepsLeft = 1 + random.below( m_phase->longest );
    }
    --m_stepsLeft;
    m_random = Random( m_seed, changing, ++m_step );
}

void Life::beginStep( const Phase& phase )
{
    ++m_phaseIndex;
    m_phase = &phase;
    m_stepsLeft = 0;
    m_random = Random( m_seed, changing, ++m_step );
}

void Life::changeFilters()
{
    for ( std::size_t left = countOf( m_phase->edits ); left > 0; --left )
    {
        const cltFilter filter = drawFilter( m_random );
        m_stage.setFilter( anyBody(), filter );
    }
}

void Life::changeBoxes()
{
    void ( Life::*kinds[] )() = {
        &Life::headForPopulation, &Life::churn, &Life::drift, &Life::jump, &Life::repeat, &Life::setOdd,
        &Life::setWide,           &Life::crowd };
    for ( std::size_t left = std::size( kinds ); left > 0; --left )
    {
        std::swap( kinds[m_random.below( left )], kinds[left - 1] );
        void ( Life::*next )() = kinds[left - 1]; // by name, because -fsanitize=bounds of gcc 12 looks at it too early
        ( this->*next )();
        m_stage.meanwhile();
    }
}

void Life::headForPopulation()
{
    const std::size_t goal = static_cast<std::size_t>( m_phase->population * static_cast<double>( m_bodyCount ) );
    const double most = std::ceil( m_phase->turnover * static_cast<double>( m_bodyCount ) );
    for ( std::size_t left = static_cast<std::size_t>( most ); left > 0 && m_stage.count() != goal; --left )
    {
        if ( m_stage.count() > goal )
        {
            destroyAny();
        }
        else
        {
            create();
        }
    }
}

void Life::churn()
{
    for ( std::size_t left = countOf( m_phase->churn ); left > 0; --left )
    {
        destroyAny();
        create();
    }
}

void Life::drift()
{
    const std::size_t count = countOf( m_phase->drift );
    const bool isEverybody = m_phase->drift == 1;
    for ( std::size_t k = 0; k < count; ++k )
    {
        const std::size_t body = isEverybody ? k : anyBody();
        m_stage.move( body, m_arena.drifted( m_stage.boxOf( body ), m_random ) );
    }
}

void Life::jump()
{
    for ( std::size_t left = countOf( m_phase->jump ); left > 0; --left )
    {
        const std::size_t body = anyBody();
        const cltAabbD before = m_stage.boxOf( body );
        m_stage.move( body, m_arena.ordinary( m_random ) );
        if ( m_random.oneIn( 4 ) )
        {
            m_stage.move( body, before );
        }
    }
}

void Life::repeat()
{
    const std::size_t count = countOf( m_phase->repeat );
    const std::size_t first = count == 0 ? 0 : anyBody();
    for ( std::size_t k = 0; k < count; ++k )
    {
        const std::size_t body = ( first + k ) % m_stage.count();
        m_stage.move( body, m_stage.boxOf( body ) );
    }
}

void Life::setOdd()
{
    for ( std::size_t left = countOf( m_phase->odd ); left > 0; --left )
    {
        const cltAabbD box = m_arena.odd( m_stage.boxOf( anyBody() ), m_random );
        if ( m_arena.isWide( box ) && wideCount() >= mostWide )
        {
            continue;
        }
        const std::size_t body = anyBody();
        const cltAabbD before = m_stage.boxOf( body );
        moveOddly( body, box );
        if ( m_random.oneIn( 8 ) )
        {
            m_stage.move( body, before );
        }
    }
}

void Life::setWide()
{
    if ( !m_phase->hasWide || m_stage.count() == 0 || m_random.oneIn( 2 ) )
    {
        return;
    }
    if ( wideCount() < mostWide )
    {
        const cltAabbD box = m_arena.wide( m_random );
        moveOddly( anyBody(), box );
        return;
    }
    for ( std::size_t body = 0; body < m_stage.count(); ++body )
    {
        if ( m_arena.isWide( m_stage.boxOf( body ) ) )
        {
            m_stage.move( body, m_arena.ordinary( m_random ) );
        }
    }
}

void Life::moveOddly( std::size_t body, const cltAabbD& box )
{
    ++m_oddCount;
    m_stage.move( body, box );
}

void Life::crowd()
{
    const std::size_t count = m_phase->crowds ? std::min( mostCrowded, countOf( 0.1 ) ) : 0;
    for ( std::size_t left = count; left > 0; --left )
    {
        const std::size_t body = anyBody();
        m_stage.move( body, m_arena.crowded( m_seed + m_phaseIndex, count, m_random ) );
    }
}

void Life::create()
{
    const cltAabbD box = m_arena.ordinary( m_random );
    m_stage.create( box, drawFilter( m_random ) );
}

void Life::destroyAny()
{
    m_stage.destroy( anyBody() );
}

std::size_t Life::anyBody()
{
    return m_random.below( m_stage.count() );
}

/// Rounded up: a share of a small world is at least one body.
std::size_t Life::countOf( double share ) const
{
    return static_cast<std::size_t>( std::ceil( share * static_cast<double>( m_stage.count() ) ) );
}

std::size_t Life::wideCount() const
{
    std::size_t count = 0;
    for ( std::size_t body = 0; body < m_stage.count(); ++body )
    {
        count += m_arena.isWide( m_stage.boxOf( body ) ) ? 1 : 0;
    }
    return count;
}

} // namespace cullet
