// SPDX-License-Identifier: Zlib
/// \file peak_memory.cpp
/// Measures each engine in a child process, because an allocator keeps memory that another engine has freed. The child
/// creates the scene, and returns by how much its resident memory rises while the engine works.
#include "compare.h"

#include "demos/race/race.h"
#include "demos/system/system.h"

#include <fmt/format.h>

#include <stdexcept>

namespace cullet::compare
{

namespace
{

constexpr int memorySteps = 3;  // enough for buffers to reach their final size
constexpr double forever = 1e9; // seconds

/// Measures in this process. The first batch, which inserts all boxes, is the largest, and later ones reuse its memory,
/// so only the engine grows. Omits the stream's last step, because Contestant::play copies all pairs before it.
/// \return MiB; empty if the cap stopped the engine before it had all boxes
std::string measureHere( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options )
{
    SceneStream stream( def, { 0, memorySteps + 1, forever } );
    Batch batch;
    stream.next( batch );
    bool hasAll = false;
    const auto work = [&]
    {
        Contestant contestant( entrant, stream.info(), options );
        contestant.play( batch, false );
        hasAll = contestant.running();
        for ( int step = 0; step < memorySteps && contestant.running(); ++step )
        {
            stream.next( batch );
            contestant.play( batch, false );
        }
    };
    const double mib = system::peakRiseMib( work );
    return hasAll ? fmt::format( "{}", mib ) : "";
}

} // namespace

std::optional<double> measurePeakMib( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options )
{
    try
    {
        const std::string answer = system::runInChild( [&] { return measureHere( def, entrant, options ); } );
        return answer.empty() ? std::nullopt : std::optional<double>( std::stod( answer ) );
    }
    catch ( const std::exception& error )
    {
        throw std::runtime_error( fmt::format( "{} at {} bodies: {}", entrant.name(), def.bodyCount, error.what() ) );
    }
}

} // namespace cullet::compare
