// SPDX-License-Identifier: Zlib
/// \file run.cpp
/// One step: the world changes, with queries between the changes, before the update and after it. The pair set is
/// checked every checkEvery steps and in the last one.
#include "run.h"

#include "world.h"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <utility>

namespace cullet::stress
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr cltPrecision bulletPrecision =
    sizeof( btScalar ) == sizeof( double ) ? clt_precisionDouble : clt_precisionFloat;
constexpr std::uint64_t queryPurpose = 100; ///< part of the seed of queries; OperationSequence uses other numbers
constexpr int queriesBeforeUpdate = 3;      ///< of each kind
constexpr int queriesAfterUpdate = 2;
constexpr std::size_t mostTakenOut = 4;  ///< pairs removed from the cache in a step
constexpr double progressInterval = 0.1; ///< seconds between lines of progress

class Run
{
public:
    Run( const Settings& settings, Subject subject )
        : m_settings( settings ), m_random( settings.seed ),
          m_world( std::move( subject ), settings.bodies,
                   [this]
                   {
                       if ( m_random.oneIn( 2 ) )
                       {
                           checkQueries( m_world, m_sequence.arena(), m_random, 1 );
                       }
                   } ),
          m_sequence( m_world, settings.seed, settings.bodies, bulletPrecision )
    {
    }

    Outcome runToEnd( const std::function<void( const std::string& )>& reportProgress )
    {
        std::optional<Fault> found;
        double saidAt = 0;
        try
        {
            while ( step() )
            {
                if ( seconds() >= saidAt + progressInterval )
                {
                    saidAt = seconds();
                    reportProgress( fmt::format( "step {}, {}, {} bodies, {:.0f} s", m_world.step,
                                                 m_sequence.phase().name, m_world.count(), saidAt ) );
                }
            }
        }
        catch ( const Fault& fault )
        {
            found = fault;
        }
        return { m_world.tally, m_world.step, seconds(), found };
    }

private:
    /// Makes the next step. Returns false after the last one.
    bool step()
    {
        m_world.beginStep();
        m_random = Random( m_settings.seed, queryPurpose, m_world.step );
        changeWorld();
        checkQueries( m_world, m_sequence.arena(), m_random, queriesBeforeUpdate );
        m_world.update( m_random.oneIn( 8 ) ? 3 : 1 );
        checkQueries( m_world, m_sequence.arena(), m_random, queriesAfterUpdate );
        const bool isLast =
            m_settings.steps != 0 ? m_world.step == m_settings.steps : seconds() >= 60 * m_settings.minutes;
        m_checked = m_world.step % m_settings.checkEvery == 0;
        if ( m_checked || isLast )
        {
            m_world.check();
        }
        return !isLast;
    }

    /// If the previous step was checked, first edits filters and the cache without a call of the broadphase. Then
    /// changes boxes.
    void changeWorld()
    {
        m_sequence.beginStep();
        if ( m_checked && m_world.count() > 0 )
        {
            editFilters();
            editCache();
        }
        m_sequence.changeBoxes();
        if ( m_world.count() == 0 || m_sequence.random().oneIn( 50 ) )
        {
            m_world.resetPool();
        }
    }

    /// Makes all edits before the first setAabb, so that the whole step has the same filters.
    void editFilters()
    {
        Random& random = m_sequence.random();
        if ( m_sequence.phase().edits > 0 )
        {
            m_world.revertEdits( random );
        }
        m_sequence.changeFilters();
        if ( m_sequence.phase().swapsFilter && random.oneIn( 3 ) )
        {
            m_world.installFilter( random.below( 4 ) );
        }
        m_world.filtersEdited();
        for ( std::size_t body = 0; body < m_world.count(); ++body )
        {
            // A fifth of the edited bodies gets no setAabb, as happens in applications.
            if ( m_world.population[body].isFilterUnread && !random.oneIn( 5 ) )
            {
                const cltAabbD box = m_world.boxOf( body );
                m_world.move( body, random.oneIn( 2 ) ? box : m_sequence.arena().drifted( box, random ) );
            }
        }
    }

    void editCache()
    {
        Random& random = m_sequence.random();
        if ( !m_sequence.phase().editsCache )
        {
            return;
        }
        const PairSet& held = m_world.expectation.heldPairs();
        for ( std::size_t left = random.below( mostTakenOut + 1 ); left > 0 && !held.empty(); --left )
        {
            m_world.takeOut( held[random.below( held.size() )] );
        }
        if ( random.oneIn( 4 ) )
        {
            m_world.takeOutAllOf( m_sequence.anyBody() );
        }
        if ( random.oneIn( 4 ) )
        {
            m_world.cleanAllOf( m_sequence.anyBody() );
        }
    }

    double seconds() const
    {
        return std::chrono::duration<double>( Clock::now() - m_begin ).count();
    }

    Settings m_settings;
    Random m_random; ///< of this step's queries
    Clock::time_point m_begin = Clock::now();
    bool m_checked = false; ///< the pair set was checked in the previous step
    World m_world;
    OperationSequence m_sequence;
};

} // namespace

Subject createSubject( const cltBroadphaseDef& core, bool givesCache )
{
    Subject subject;
    subject.givenCache.reset( givesCache ? new btHashedOverlappingPairCache : nullptr );
    CulletBroadphase* broadphase = new CulletBroadphase( core, subject.givenCache.get() );
    subject.broadphase.reset( broadphase );
    if ( broadphase->getCreationStatus() != clt_ok )
    {
        throw std::runtime_error( cltStatusMessage( broadphase->getCreationStatus() ) );
    }
    return subject;
}

Outcome runStress( const Settings& settings, Subject subject,
                   const std::function<void( const std::string& )>& reportProgress )
{
    return Run( settings, std::move( subject ) ).runToEnd( reportProgress );
}

} // namespace cullet::stress
