// SPDX-License-Identifier: Zlib
/// \file peak_memory.cpp
/// Engines that share a process share an allocator, which keeps what one of them gave back; so each is measured in a
/// child process of its own. The child makes the scene, notes its resident memory, lets the engine work, and tells the
/// difference to the highest value since (VmHWM). Linux only, as is the reading of /proc.
#include "compare.h"

#include "demos/command/child.h"
#include "demos/race/contestant.h"

#include <fmt/format.h>

#include <malloc.h>

#include <fstream>
#include <stdexcept>

namespace cullet::compare
{

namespace
{

constexpr int memorySteps = 3;  // enough for buffers to grow to what they will be
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

/// Makes the next VmHWM the highest value from now on, and memory that the parent has freed no longer resident.
void startWatchingPeak()
{
    malloc_trim( 0 );
    std::ofstream( "/proc/self/clear_refs" ) << "5";
}

/// The batch that inserts all boxes is the largest, and the others take its place: nothing but the engine grows. The
/// scene goes on, because before its last step an engine is asked for its pairs.
/// \return MiB; empty if the cap stopped the engine before it had all boxes
std::string measureHere( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options )
{
    SceneStream stream( def, { 0, memorySteps + 1, forever } );
    Batch batch;
    stream.next( batch );
    startWatchingPeak();
    const double before = statusMib( "VmRSS:" );
    Contestant contestant( entrant, stream.course(), options );
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
        const std::string answer = command::askChild( [&] { return measureHere( def, entrant, options ); } );
        return answer.empty() ? std::nullopt : std::optional<double>( std::stod( answer ) );
    }
    catch ( const std::exception& error )
    {
        throw std::runtime_error(
            fmt::format( "{} at {} bodies: {}", entrantName( entrant ), def.bodyCount, error.what() ) );
    }
}

} // namespace cullet::compare
