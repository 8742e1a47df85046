// SPDX-License-Identifier: Zlib
/// \file peak_memory.cpp
/// Measures each engine in a child process, because an allocator keeps memory that another engine has freed. The child
/// creates the scene, notes its resident memory, lets the engine work, and returns the difference to the highest value
/// since (VmHWM). Linux only, as it reads /proc.
#include "compare.h"

#include "demos/command/child.h"
#include "demos/race/race.h"

#include <fmt/format.h>

#include <malloc.h>

#include <fstream>
#include <stdexcept>

namespace cullet::compare
{

namespace
{

constexpr int memorySteps = 3;  // enough for buffers to reach their final size
constexpr double forever = 1e9; // seconds

/// A field of /proc/self/status in MiB.
double statusMib( const std::string& field )
{
    std::ifstream status( "/proc/self/status" );
    for ( std::string name; status >> name; status.ignore( 4096, '\n' ) )
    {
        double kib = 0;
        if ( name == field && status >> kib )
        {
            return kib / 1024;
        }
    }
    throw std::runtime_error( "/proc/self/status has no " + field );
}

/// Returns freed memory to the system, and resets VmHWM to the current value.
void startWatchingPeak()
{
    malloc_trim( 0 );
    std::ofstream( "/proc/self/clear_refs" ) << "5";
}

/// Measures in this process. The first batch, which inserts all boxes, is the largest, and later ones reuse its memory,
/// so only the engine grows. Omits the stream's last step, because Contestant::play copies all pairs before it.
/// \return MiB; empty if the cap stopped the engine before it had all boxes
std::string measureHere( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options )
{
    SceneStream stream( def, { 0, memorySteps + 1, forever } );
    Batch batch;
    stream.next( batch );
    startWatchingPeak();
    const double before = statusMib( "VmRSS:" );
    Contestant contestant( entrant, stream.info(), options );
    contestant.play( batch, false );
    const bool hasAll = contestant.running();
    for ( int step = 0; step < memorySteps && contestant.running(); ++step )
    {
        stream.next( batch );
        contestant.play( batch, false );
    }
    return hasAll ? fmt::format( "{}", statusMib( "VmHWM:" ) - before ) : "";
}

} // namespace

std::optional<double> measurePeakMib( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options )
{
    try
    {
        const std::string answer = command::runInChild( [&] { return measureHere( def, entrant, options ); } );
        return answer.empty() ? std::nullopt : std::optional<double>( std::stod( answer ) );
    }
    catch ( const std::exception& error )
    {
        throw std::runtime_error( fmt::format( "{} at {} bodies: {}", entrant.name(), def.bodyCount, error.what() ) );
    }
}

} // namespace cullet::compare
