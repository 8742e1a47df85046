// SPDX-License-Identifier: Zlib
/// \file run.cpp
/// One step: the world changes, queries look at it meanwhile, before the pairs are brought up to date and after, and
/// the pair set is checked when it is due. The last step is always checked.
#include "run.h"

#include "fault.h"
#include "query_checks.h"

#include <chrono>
#include <utility>

namespace cullet::stress
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t queryPurpose = 100; ///< none of Life's
constexpr int queriesBeforeUpdate = 3;      ///< of each kind
constexpr int queriesAfterUpdate = 2;
constexpr std::size_t mostTakenOut = 4; ///< pairs a step

class Run
{
public:
    Run( const Settings& settings, Subject subject )
        : m_settings( settings ), m_log( subject.log ), m_world( std::move( subject ), [this] { lookNowAndThen(); } ),
          m_life( m_world, settings.seed, settings.bodies, bulletPrecision ), m_random( settings.seed )
    {
    }

    /// False when it was the last one.
    bool step()
    {
        ++m_step;
        m_random = Random( m_settings.seed, queryPurpose, m_step );
        m_world.beginStep( m_step );
        live();
        checkQueries( m_world, m_life.arena(), m_random, queriesBeforeUpdate );
        m_world.update( m_random.oneIn( 8 ) ? 3 : 1 );
        checkQueries( m_world, m_life.arena(), m_random, queriesAfterUpdate );
        const bool isLast = m_settings.steps != 0 ? m_step == m_settings.steps : seconds() >= 60 * m_settings.minutes;
        m_checked = m_step % m_settings.checkEvery == 0;
        if ( m_checked || isLast )
        {
            m_world.check();
        }
        return !isLast;
    }

    Moment moment()
    {
        return { m_step, m_life.phase().name, m_world.count(), m_world.tally(), seconds() };
    }

    Outcome outcome( std::optional<Failure> failure )
    {
        return { moment().tally, seconds(), std::move( failure ), m_log ? *m_log : Log() };
    }

private:
    /// First what a broadphase is not told of, filters and the cache, and that only after a check; then boxes.
    void live()
    {
        m_life.beginStep();
        if ( m_checked && m_world.count() > 0 )
        {
            editFilters();
            editCache();
        }
        m_life.changeBoxes();
        if ( m_world.count() == 0 || m_life.random().oneIn( 50 ) )
        {
            m_world.resetPool();
        }
    }

    /// All edits before the first setAabb: what a pair must be is then settled by the filter as all of the step sees
    /// it.
    void editFilters()
    {
        Random& random = m_life.random();
        m_life.changeFilters();
        if ( m_life.phase().swapsFilter && random.oneIn( 3 ) )
        {
            m_world.install( FilterRule( random.below( 3 ) ) );
        }
        for ( const std::size_t body : m_world.filtersEdited() )
        {
            if ( !random.oneIn( 5 ) ) // the fifth is forgotten, as applications do
            {
                const cltAabbD box = m_world.boxOf( body );
                m_world.move( body, random.oneIn( 2 ) ? box : m_life.arena().drifted( box, random ) );
            }
        }
    }

    void editCache()
    {
        Random& random = m_life.random();
        if ( !m_life.phase().editsCache || !m_world.promises().repairsCache )
        {
            return;
        }
        const PairSet& held = m_world.heldPairs();
        for ( std::size_t left = random.below( mostTakenOut + 1 ); left > 0 && !held.empty(); --left )
        {
            m_world.takeOut( held[random.below( held.size() )] );
        }
        if ( random.oneIn( 4 ) )
        {
            m_world.takeOutAllOf( m_life.anyBody() );
        }
        if ( random.oneIn( 4 ) )
        {
            m_world.cleanAllOf( m_life.anyBody() );
        }
    }

    double seconds() const
    {
        return std::chrono::duration<double>( Clock::now() - m_begin ).count();
    }

    void lookNowAndThen()
    {
        if ( m_random.oneIn( 2 ) )
        {
            checkQueries( m_world, m_life.arena(), m_random, 1 );
        }
    }

    Settings m_settings;
    std::shared_ptr<const Log> m_log;
    World m_world;
    Life m_life;
    Random m_random; ///< of this step's queries
    std::uint64_t m_step = 0;
    bool m_checked = false; ///< the step before was checked in its turn
    Clock::time_point m_begin = Clock::now();
};

} // namespace

Outcome runStress( const Settings& settings, Subject subject, const std::function<void( const Moment& )>& tell )
{
    Run run( settings, std::move( subject ) );
    try
    {
        while ( run.step() )
        {
            tell( run.moment() );
        }
    }
    catch ( const Fault& fault )
    {
        return run.outcome( Failure{ run.moment().step, fault.what(), fault.detail } );
    }
    return run.outcome( std::nullopt );
}

} // namespace cullet::stress
