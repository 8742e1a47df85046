// SPDX-License-Identifier: Zlib
/// \file peak_memory.cpp
/// The child makes the scene, notes its resident memory, lets the engine work, and sends the difference to the highest
/// value since (VmHWM) through a pipe. Linux only, as is the reading of /proc.
#include "peak_memory.h"

#include "contestant.h"
#include "scene_pointer.h"

#include <fmt/format.h>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <system_error>

namespace cullet::compare
{

namespace
{

constexpr int memorySteps = 3; // enough for buffers to grow to what they will be

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

/// The child's work: a number, "capped", or "!" and what went wrong.
std::string measureHere( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options )
{
    const ScenePointer scene = createScene( def );
    Moves moves( *scene );
    startWatchingPeak();
    const double before = statusMib( "VmRSS:" );
    Contestant contestant( entrant.kind, { *scene, coreChoice( options, entrant.threads ) }, options.capSeconds );
    if ( !contestant.start() )
    {
        return "capped";
    }
    for ( int step = 1; step <= memorySteps && contestant.running(); ++step )
    {
        cltScene_Step( scene.get() );
        moves.update( *scene );
        contestant.step( moves, step, false );
    }
    return fmt::format( "{}", statusMib( "VmHWM:" ) - before );
}

/// Leaves by _exit: what the parent has registered to run at exit is the parent's.
[[noreturn]] void runChild( int pipe, const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options )
{
    std::string answer;
    try
    {
        answer = measureHere( def, entrant, options );
    }
    catch ( const std::exception& error )
    {
        answer = fmt::format( "!{}", error.what() );
    }
    const ssize_t written = write( pipe, answer.data(), answer.size() );
    _exit( written == ssize_t( answer.size() ) ? 0 : 1 );
}

std::string readAll( int pipe )
{
    std::string text;
    char part[256];
    for ( ssize_t count; ( count = read( pipe, part, sizeof part ) ) > 0; )
    {
        text.append( part, std::size_t( count ) );
    }
    return text;
}

} // namespace

std::optional<double> measurePeakMib( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options )
{
    int ends[2];
    if ( pipe( ends ) != 0 )
    {
        throw std::system_error( errno, std::generic_category(), "pipe" );
    }
    const pid_t child = fork();
    if ( child < 0 )
    {
        throw std::system_error( errno, std::generic_category(), "fork" );
    }
    if ( child == 0 )
    {
        runChild( ends[1], def, entrant, options );
    }
    close( ends[1] );
    const std::string answer = readAll( ends[0] );
    close( ends[0] );
    int status = 0;
    waitpid( child, &status, 0 );
    if ( answer.empty() || answer[0] == '!' )
    {
        throw std::runtime_error( fmt::format( "{} at {} bodies: {}", entrantName( entrant ), def.bodyCount,
                                               answer.empty() ? "its process died" : answer.substr( 1 ) ) );
    }
    return answer == "capped" ? std::nullopt : std::optional<double>( std::stod( answer ) );
}

} // namespace cullet::compare
