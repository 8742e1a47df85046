// SPDX-License-Identifier: Zlib
/// \file operation_sequence.cpp
/// The order of the kinds of changes differs from step to step: a broadphase handles the first changes after an update
/// differently from the many that follow.
#include "operation_sequence.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace cullet
{

namespace
{

enum RandomPurpose
{
    choosingPhase,
    changing
};

constexpr std::size_t mostWide = 3; ///< bodies with a box that overlaps nearly all others
constexpr double mostCrowded = 300; ///< bodies in one dense place; at most a tenth of all

/// Filters of Bullet's dynamic and static bodies, and some that reject all pairs, half of them, or have the sign bit
/// set.
cltFilter drawFilter( Random& random )
{
    constexpr cltFilter filters[] = { { 1, -1 },         { 1, -1 }, { 1, -1 }, { 1, -1 },  { 1, -1 },
                                      { 2, -3 },         { 2, 1 },  { 1, 0 },  { 64, 65 }, { 64, ~64 },
                                      { INT32_MIN, -1 }, { 0, -1 }, { -1, -1 } };
    return filters[random.below( std::size( filters ) )];
}

} // namespace

OperationSequence::OperationSequence( OperationTarget& target, std::uint64_t seed, std::size_t bodyCount,
                                      cltPrecision precision )
    : m_target( target ), m_arena( bodyCount, precision ), m_seed( seed ), m_bodyCount( bodyCount ), m_phase( phases ),
      m_stepsLeft( phases[0].longest ), m_random( seed, changing, 0 )
{
}

void OperationSequence::beginStep()
{
    if ( m_stepsLeft == 0 )
    {
        Random random( m_seed, choosingPhase, ++m_phaseIndex );
        m_phase = &phases[random.below( std::size( phases ) )];
        m_stepsLeft = 1 + random.below( m_phase->longest );
    }
    --m_stepsLeft;
    m_random = Random( m_seed, changing, ++m_step );
}

void OperationSequence::beginStep( const Phase& phase )
{
    ++m_phaseIndex;
    m_phase = &phase;
    m_stepsLeft = 0;
    m_random = Random( m_seed, changing, ++m_step );
}

/// Calls `change` for a share of the bodies: for each body once if the share is 1, else for random ones, some twice.
template <typename Change>
void OperationSequence::forSome( double share, Change change )
{
    const std::size_t count = countOf( share );
    for ( std::size_t k = 0; k < count; ++k )
    {
        change( share == 1 ? k : anyBody() );
    }
}

void OperationSequence::changeFilters()
{
    forSome( m_phase->edits, [this]( std::size_t body ) { m_target.setFilter( body, drawFilter( m_random ) ); } );
}

void OperationSequence::changeBoxes()
{
    const auto replace = [this]( std::size_t body )
    {
        m_target.destroy( body );
        create();
    };
    const auto drift = [this]( std::size_t body )
    { m_target.move( body, m_arena.drifted( m_target.boxOf( body ), m_random, m_phase->driftReach ) ); };
    const auto jump = [this]( std::size_t body ) { moveAndPerhapsBack( body, m_arena.ordinary( m_random ) ); };
    const auto way = m_phase->jumpTogether > 0 ? m_arena.way( m_random ) : std::array<double, 3>{};
    const auto jumpTogether = [this, way]( std::size_t body )
    { m_target.move( body, m_arena.moved( m_target.boxOf( body ), way ) ); };
    const auto repeat = [this]( std::size_t body ) { m_target.move( body, m_target.boxOf( body ) ); };
    const auto setOdd = [this]( std::size_t body )
    { moveAndPerhapsBack( body, m_arena.odd( m_target.boxOf( anyBody() ), m_random ) ); };
    const double crowdShare = m_phase->crowds ? mostCrowded / std::max( 10 * mostCrowded, 1.0 * m_bodyCount ) : 0;
    const auto crowd = [this, crowdShare]( std::size_t body )
    { m_target.move( body, m_arena.crowded( m_seed + m_phaseIndex, countOf( crowdShare ), m_random ) ); };
    std::function<void()> kinds[] = { [this] { headForPopulation(); },
                                      [&] { forSome( m_phase->churn, replace ); },
                                      [&] { forSome( m_phase->drift, drift ); },
                                      [&] { forSome( m_phase->jump, jump ); },
                                      [&] { forSome( m_phase->jumpTogether, jumpTogether ); },
                                      [&] { forSome( m_phase->repeat, repeat ); },
                                      [&] { forSome( m_phase->odd, setOdd ); },
                                      [this] { setWide(); },
                                      [&] { forSome( crowdShare, crowd ); } };
    for ( std::size_t left = std::size( kinds ); left > 0; --left )
    {
        std::swap( kinds[m_random.below( left )], kinds[left - 1] );
        kinds[left - 1]();
        m_target.afterKind();
    }
}

void OperationSequence::headForPopulation()
{
    const std::size_t goal = static_cast<std::size_t>( m_phase->population * static_cast<double>( m_bodyCount ) );
    const double most = std::ceil( m_phase->turnover * static_cast<double>( m_bodyCount ) );
    for ( std::size_t left = static_cast<std::size_t>( most ); left > 0 && m_target.count() != goal; --left )
    {
        m_target.count() > goal ? m_target.destroy( anyBody() ) : create();
    }
}

void OperationSequence::create()
{
    const cltAabbD box = m_arena.ordinary( m_random );
    m_target.create( box, drawFilter( m_random ) );
}

void OperationSequence::moveAndPerhapsBack( std::size_t body, const cltAabbD& box )
{
    const cltAabbD before = m_target.boxOf( body );
    m_target.move( body, box );
    if ( m_random.oneIn( 4 ) )
    {
        m_target.move( body, before );
    }
}

void OperationSequence::setWide()
{
    if ( !m_phase->hasWide || m_target.count() == 0 || m_random.oneIn( 2 ) )
    {
        return;
    }
    std::vector<std::size_t> wide;
    for ( std::size_t body = 0; body < m_target.count(); ++body )
    {
        if ( m_arena.isWide( m_target.boxOf( body ) ) )
        {
            wide.push_back( body );
        }
    }
    if ( wide.size() < mostWide )
    {
        const cltAabbD box = m_arena.wide( m_random );
        return m_target.move( anyBody(), box );
    }
    for ( const std::size_t body : wide )
    {
        m_target.move( body, m_arena.ordinary( m_random ) );
    }
}

std::size_t OperationSequence::anyBody()
{
    return m_random.below( m_target.count() );
}

/// The number of bodies in a share of all, rounded up, so that a share of a small world is at least one body.
std::size_t OperationSequence::countOf( double share ) const
{
    return static_cast<std::size_t>( std::ceil( share * static_cast<double>( m_target.count() ) ) );
}

} // namespace cullet
