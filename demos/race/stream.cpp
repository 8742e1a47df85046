// SPDX-License-Identifier: Zlib
/// \file stream.cpp
/// A named scene as a stream of calls.
#include "stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace cullet::compare
{

SceneStream::SceneStream( const cltSceneDef& def, const SceneLength& length )
    : m_scene( cltCreateScene( &def ), cltDestroyScene ), m_length( length )
{
    if ( !m_scene )
    {
        throw std::runtime_error( fmt::format( "not enough memory for a scene of {} bodies", def.bodyCount ) );
    }
    const float* extent = m_scene->extent;
    m_info.mostAlive = m_scene->boxCount;
    m_info.lowestCenter = btVector3( 0, 0, 0 );
    m_info.highestCenter = btVector3( extent[0], extent[1], extent[2] );
    m_info.steps = std::uint64_t( length.warmup ) + std::uint64_t( length.steps );
    m_info.untimedSteps = std::uint64_t( length.warmup );
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
        addStep( batch );
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

/// Sets the calls, slots and filters of the batch that creates all boxes.
void SceneStream::insertAll( Batch& batch ) const
{
    batch = {};
    const std::size_t count = m_scene->boxCount;
    for ( std::size_t first = 0; first < count; first += callsAtATime )
    {
        batch.calls.push_back( { EventKind::create, first, std::min( first + callsAtATime, count ) } );
    }
    batch.slots.resize( count );
    std::iota( batch.slots.begin(), batch.slots.end(), 0 );
    batch.filters.assign( m_scene->filters, m_scene->filters + count );
}

/// Sets the calls, slots and filters of the batch of a step: boxes that were replaced are destroyed and created again.
void SceneStream::addStep( Batch& batch ) const
{
    const std::size_t replaced = m_scene->replacedCount;
    batch.slots.assign( m_scene->replaced, m_scene->replaced + replaced );
    batch.slots.insert( batch.slots.end(), m_scene->replaced, m_scene->replaced + replaced );
    batch.slots.insert( batch.slots.end(), m_scene->moved, m_scene->moved + m_scene->movedCount );
    batch.calls.clear();
    if ( replaced > 0 )
    {
        batch.calls.push_back( { EventKind::destroy, 0, replaced } );
        batch.calls.push_back( { EventKind::create, replaced, 2 * replaced } );
        batch.filters.resize( 2 * replaced );
        std::transform( batch.slots.begin(), batch.slots.begin() + std::ptrdiff_t( 2 * replaced ),
                        batch.filters.begin(), [this]( std::uint32_t slot ) { return m_scene->filters[slot]; } );
    }
    batch.calls.push_back( { EventKind::move, 2 * replaced, batch.slots.size() } );
}

/// True if the next step is the last: by its number, or because the time is up and a timed step was made.
bool SceneStream::isLastStep() const
{
    const bool isTimeUp = Clock::now() - m_begin >= std::chrono::duration<double>( m_length.seconds );
    return m_scene->step + 1 == m_info.steps || ( isTimeUp && m_scene->step > m_info.untimedSteps );
}

} // namespace cullet::compare
