// SPDX-License-Identifier: Zlib
/// \file survey.cpp
/// Counts events.
#include "survey.h"

#include "recording_reader.h"

#include <algorithm>
#include <cmath>

namespace cullet::recording
{

namespace
{

class Surveyor
{
public:
    explicit Surveyor( std::uint32_t scalarBytes )
    {
        m_survey.scalarBytes = scalarBytes;
    }

    void count( const Event& event )
    {
        ++m_survey.events;
        switch ( event.kind )
        {
        case EventKind::create:
            ++m_survey.created;
            m_survey.mostAlive = std::max( m_survey.mostAlive, event.slot + 1 );
            countBox( event.box );
            break;
        case EventKind::move:
            ++m_survey.moves;
            if ( event.changed )
            {
                ++m_survey.changedMoves;
                countBox( event.box );
            }
            break;
        case EventKind::filter:
            ++m_survey.filterEdits;
            break;
        case EventKind::step:
            ++m_survey.steps;
            m_survey.lastPairs = event.pairCount;
            break;
        case EventKind::ray:
            ++m_survey.rays;
            break;
        case EventKind::boxQuery:
            ++m_survey.boxQueries;
            break;
        case EventKind::callback:
            m_survey.hadCallback |= event.hasCallback;
            break;
        case EventKind::destroy:
        case EventKind::resetPool:
            break;
        }
    }

    const Survey& survey() const
    {
        return m_survey;
    }

private:
    void countBox( const Box& box )
    {
        std::array<double, 3> center;
        bool isOdd = false;
        bool isFinite = true;
        for ( std::size_t axis = 0; axis < 3; ++axis )
        {
            center[axis] = box.lower[axis] / 2 + box.upper[axis] / 2; // halved first: the sum could overflow
            isOdd |= !( box.lower[axis] <= box.upper[axis] );
            isFinite &= std::isfinite( center[axis] );
        }
        m_survey.oddBoxes += isOdd;
        if ( isFinite )
        {
            countCenter( center );
        }
    }

    void countCenter( const std::array<double, 3>& center )
    {
        for ( std::size_t axis = 0; axis < 3; ++axis )
        {
            double& lowest = m_survey.lowestCenter[axis];
            double& highest = m_survey.highestCenter[axis];
            lowest = m_isFirst ? center[axis] : std::min( lowest, center[axis] );
            highest = m_isFirst ? center[axis] : std::max( highest, center[axis] );
        }
        m_isFirst = false;
    }

    Survey m_survey;
    bool m_isFirst = true;
};

} // namespace

Survey surveyRecording( const std::string& path )
{
    RecordingReader reader( path );
    Surveyor surveyor( reader.scalarBytes() );
    Event event;
    while ( reader.next( event ) )
    {
        surveyor.count( event );
    }
    return surveyor.survey();
}

} // namespace cullet::recording
