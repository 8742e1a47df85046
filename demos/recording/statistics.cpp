// SPDX-License-Identifier: Zlib
/// \file statistics.cpp
/// Counts events and bounds boxes.
#include "statistics.h"

#include "recording_reader.h"

#include <algorithm>
#include <cmath>

namespace cullet::recording
{

namespace
{

void addBox( const Box& box, Statistics& statistics )
{
    bool isOdd = false;
    bool isFinite = true;
    std::array<double, 3> center;
    for ( std::size_t axis = 0; axis < 3; ++axis )
    {
        center[axis] = box.lower[axis] / 2 + box.upper[axis] / 2; // halved first, because the sum could overflow
        isOdd |= !( box.lower[axis] <= box.upper[axis] );
        isFinite &= std::isfinite( center[axis] );
    }
    statistics.oddBoxes += isOdd;
    for ( std::size_t axis = 0; axis < 3 && isFinite; ++axis )
    {
        statistics.lowestCenter[axis] = std::min( statistics.lowestCenter[axis], center[axis] );
        statistics.highestCenter[axis] = std::max( statistics.highestCenter[axis], center[axis] );
    }
}

} // namespace

Statistics readStatistics( const std::string& path )
{
    RecordingReader reader( path );
    Statistics statistics;
    statistics.scalarBytes = reader.scalarBytes();
    statistics.lowestCenter.fill( HUGE_VAL );
    statistics.highestCenter.fill( -HUGE_VAL );
    for ( Event event; reader.next( event ); )
    {
        const bool isMove = event.kind == EventKind::move && event.changed;
        const bool isCreate = event.kind == EventKind::create;
        ++statistics.counts[std::size_t( event.kind )];
        statistics.changedMoves += isMove;
        statistics.mostAlive = isCreate ? std::max( statistics.mostAlive, event.slot + 1 ) : statistics.mostAlive;
        statistics.lastPairs = event.kind == EventKind::step ? event.pairCount : statistics.lastPairs;
        statistics.hadCallback |= event.kind == EventKind::callback && event.hasCallback;
        if ( isMove || isCreate )
        {
            addBox( event.box, statistics );
        }
    }
    if ( statistics.lowestCenter[0] > statistics.highestCenter[0] )
    {
        statistics.lowestCenter.fill( 0 );
        statistics.highestCenter.fill( 0 );
    }
    return statistics;
}

} // namespace cullet::recording
