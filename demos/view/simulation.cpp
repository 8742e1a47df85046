// SPDX-License-Identifier: Zlib
#include "simulation.h"

#include "demos/report/timing.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace cullet::view
{
namespace
{

/// With more bodies, checking is off at first.
constexpr std::size_t mostCheckedBodies = 20'000;

std::size_t differenceCount( const PairSet& these, const PairSet& others )
{
    PairSet difference;
    std::set_difference( these.begin(), these.end(), others.begin(), others.end(), std::back_inserter( difference ) );
    return difference.size();
}

} // namespace

Simulation::Simulation( const SourceRequest& request )
    : m_request( request ), m_source( makeSource( request ) ), m_exact( m_source->contestantCount() ),
      m_records( m_source->contestantCount() )
{
    m_source->getBodies( 0, m_bodies );
    m_exact[0].update( m_bodies );
    checks = m_bodies.count() <= mostCheckedBodies;
}

void Simulation::useAlgorithm( cltAlgorithm algorithm )
{
    if ( algorithm != m_algorithm )
    {
        m_algorithm = algorithm;
        m_exact[0] = ExactPairs( algorithm );
        m_exact[0].update( m_bodies );
    }
}

bool Simulation::step()
{
    if ( !m_source->step() )
    {
        return false;
    }
    ++m_stepCount;
    m_source->getBodies( 0, m_bodies );
    m_exact[0].update( m_bodies );
    ageEndedPairs();
    for ( std::size_t k = 0; k < m_records.size(); ++k )
    {
        note( k );
        if ( checks )
        {
            check( k );
        }
    }
    return true;
}

/// Leaves out the first step, in which a broadphase finds all pairs at once.
void Simulation::note( std::size_t contestant )
{
    if ( m_stepCount == 1 )
    {
        return;
    }
    std::deque<std::vector<double>>& times = m_records[contestant].times;
    times.push_back( m_source->times( contestant ) );
    if ( times.size() > rememberedSteps )
    {
        times.pop_front();
    }
}

void Simulation::check( std::size_t contestant )
{
    if ( contestant > 0 )
    {
        m_source->getBodies( contestant, m_others );
        m_exact[contestant].update( m_others );
    }
    const PairSet reported = m_source->pairs( contestant );
    m_records[contestant].pairCount = reported.size();
    if ( !m_source->canBeChecked() )
    {
        return;
    }
    // A pair may outlive an edit of a filter that rejects it, so these are counted by their boxes.
    const std::vector<cltAabb>& boxes = ( contestant > 0 ? m_others : m_bodies ).boxes;
    const auto isExtra = [&boxes]( PairKey pair )
    { return !overlap( boxes[smallerOf( pair )], boxes[largerOf( pair )] ); };
    PairSet expected = m_exact[contestant].pairs();
    const auto isRefused = [this]( PairKey pair ) { return !m_source->accepts( smallerOf( pair ), largerOf( pair ) ); };
    expected.erase( std::remove_if( expected.begin(), expected.end(), isRefused ), expected.end() );
    Record& record = m_records[contestant];
    record.extraCount = std::size_t( std::count_if( reported.begin(), reported.end(), isExtra ) );
    record.missingCount = differenceCount( expected, reported );
}

void Simulation::ageEndedPairs()
{
    for ( EndedPair& ended : m_ended )
    {
        ++ended.age;
    }
    m_ended.erase( std::remove_if( m_ended.begin(), m_ended.end(),
                                   []( const EndedPair& ended ) { return ended.age > fadeSteps; } ),
                   m_ended.end() );
    const cltPairChanges& changes = m_exact[0].changes();
    std::transform( changes.ended, changes.ended + changes.endedCount, std::back_inserter( m_ended ),
                    []( const cltPair& pair ) {
                        return EndedPair{ pair, 0 };
                    } );
}

std::optional<Figures> Simulation::figures( std::size_t contestant ) const
{
    std::vector<double> broadphase, whole;
    for ( const std::vector<double>& times : m_records[contestant].times )
    {
        double sum = 0;
        for ( std::size_t part = 0; part < times.size(); ++part )
        {
            sum += m_source->parts()[part].isBroadphase ? times[part] : 0;
        }
        broadphase.push_back( sum );
        whole.push_back( std::accumulate( times.begin(), times.end(), 0.0 ) );
    }
    if ( whole.empty() )
    {
        return std::nullopt;
    }
    const auto mean = []( const std::vector<double>& values )
    { return std::accumulate( values.begin(), values.end(), 0.0 ) / double( values.size() ); };
    const auto worst = []( const std::vector<double>& values )
    { return *std::max_element( values.begin(), values.end() ); };
    return Figures{ mean( broadphase ), *compare::medianIfAny( broadphase ), worst( broadphase ),
                    mean( whole ),      *compare::medianIfAny( whole ),      worst( whole ) };
}

} // namespace cullet::view
