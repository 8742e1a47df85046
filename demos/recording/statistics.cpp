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

/// \param isFirst  nothing was bounded before; false afterwards
void addBox( const Box& box, Statistics& statistics, bool& isFirst )
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
    statistics.oddBoxes += isOdd;
    for ( std::size_t axis = 0; axis < 3 && isFinite; ++axis )
    {
        double& lowest = statistics.lowestCenter[axis];
        double& highest = statistics.highestCenter[axis];
        lowest = isFirst ? center[axis] : std::min( lowest, center[axis] );
        highest = isFirst ? center[axis] : std::max( highest, center[axis] );
    }
    isFirst = isFirst && !isFinite;
}

} // namespace

Statistics readStatistics( const std::string& path )
{
    RecordingReader reader( path );
    Statistics statistics;
    statistics.scalarBytes = reader.scalarBytes();
    bool isFirst = true;
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
            addBox( event.box, statistics, isFirst );
        }
    }
    return statistics;
}

} // namespace cullet::recording
