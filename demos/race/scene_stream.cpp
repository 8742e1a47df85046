// SPDX-License-Identifier: Zlib
/// \file scene_stream.cpp
/// A named scene as a stream of calls.
#include "stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace cullet::compare
{

static constexpr std::size_t insertedAtATime = 1024; // between two checks of an engine's budget

SceneStream::SceneStream( const cltSceneDef& def, const SceneLength& length )
    : m_scene( cltCreateScene( &def ), cltDestroyScene ), m_length( length )
{
    if ( !m_scene )
    {
        throw std::runtime_error( fmt::format( "not enough memory for a scene of {} bodies", def.bodyCount ) );
    }
    const float* extent = m_scene->extent;
    m_course.mostAlive = m_scene->boxCount;
    m_course.lowestCenter = btVector3( 0, 0, 0 );
    m_course.highestCenter = btVector3( extent[0], extent[1], extent[2] );
    m_course.steps = std::uint64_t( length.warmup ) + std::uint64_t( length.steps );
    m_course.untimedSteps = std::uint64_t( length.warmup );
}

bool SceneStream::next( Batch& batch )
{
    if ( m_isAtEnd )
    {
        return false;
    }
    if ( m_isInserted )
    {
        m_begin = m_scene->step == 0 ? Clock::now() : m_begin;
        m_isAtEnd = isLastStep();
        cltScene_Step( m_scene.get() );
        batch.calls = { { EventKind::move, 0, m_scene->movedCount } };
        batch.slots.assign( m_scene->moved, m_scene->moved + m_scene->movedCount );
    }
    else
    {
        insertAll( batch );
        m_isInserted = true;
    }
    batch.boxes.resize( batch.slots.size() );
    std::transform( batch.slots.begin(), batch.slots.end(), batch.boxes.begin(),
                    [this]( std::uint32_t slot ) { return m_scene->boxes[slot]; } );
    batch.bulletBoxes.resize( batch.slots.size() );
    std::transform( batch.boxes.begin(), batch.boxes.end(), batch.bulletBoxes.begin(), bulletBox );
    batch.step = m_scene->step;
    batch.endsStep = true;
    batch.isOfLastStep = m_isAtEnd;
    return true;
}

/// Fills the batch without its boxes.
void SceneStream::insertAll( Batch& batch ) const
{
    batch = {};
    const std::size_t count = m_scene->boxCount;
    for ( std::size_t first = 0; first < count; first += insertedAtATime )
    {
        batch.calls.push_back( { EventKind::create, first, std::min( first + insertedAtATime, count ) } );
    }
    batch.slots.resize( count );
    std::iota( batch.slots.begin(), batch.slots.end(), 0 );
    batch.filters.assign( m_scene->filters, m_scene->filters + count );
}

/// True if the next step is the last. After the time limit, any step is the last if a timed step precedes it.
bool SceneStream::isLastStep() const
{
    const bool isTimeUp = Clock::now() - m_begin >= std::chrono::duration<double>( m_length.seconds );
    return m_scene->step + 1 == m_course.steps || ( isTimeUp && m_scene->step > m_course.untimedSteps );
}

} // namespace cullet::compare
