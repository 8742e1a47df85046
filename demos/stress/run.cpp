// SPDX-License-Identifier: Zlib
/// \file run.cpp
/// One step: the world changes, queries look at it meanwhile, before the pairs are brought up to date and after, and the
/// pair set is checked when it is due. The last step is always checked.
#include "run.h"

#include "driver.h"
#include "fault.h"
#include "query_checks.h"

#include <chrono>
#include <utility>

namespace cullet::stress
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr int queriesBeforeUpdate = 3; ///< of each kind
constexpr int queriesAfterUpdate = 2;

class Run
{
public:
    Run( const Settings& settings, Subject subject )
        : m_settings( settings ), m_log( subject.log ), m_world( std::move( subject ) ), m_arena( settings.bodies ),
          m_driver( m_world, settings.seed, settings.bodies, [this] { lookNowAndThen(); } ),
          m_random( settings.seed, Purpose::queries, 0 )
    {
    }

    /// False when it was the last one.
    bool step()
    {
        ++m_step;
        m_world.beginStep( m_step );
        m_random = Random( m_settings.seed, Purpose::queries, m_step );
        m_driver.step( m_step, m_checked );
        checkQueries( m_world, m_arena, m_random, queriesBeforeUpdate );
        m_world.update( m_random.oneIn( 8 ) ? 3 : 1 );
        checkQueries( m_world, m_arena, m_random, queriesAfterUpdate );
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
        return { m_step, m_driver.phaseName(), m_world.population().size(), m_world.tally(), seconds() };
    }

    Outcome outcome( std::optional<Failure> failure )
    {
        return { m_world.tally(), seconds(), std::move( failure ), m_log ? *m_log : Log() };
    }

private:
    double seconds() const
    {
        return std::chrono::duration<double>( Clock::now() - m_begin ).count();
    }

    void lookNowAndThen()
    {
        if ( m_random.oneIn( 2 ) )
        {
            checkQueries( m_world, m_arena, m_random, 1 );
        }
    }

    Settings m_settings;
    std::shared_ptr<const Log> m_log;
    World m_world;
    Arena m_arena;
    Driver m_driver;
    Random m_random; ///< of this step's queries
    std::uint64_t m_step = 0;
    bool m_checked = false; ///< the previous step was checked in its turn
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
