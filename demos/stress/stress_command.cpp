// SPDX-License-Identifier: Zlib
/// \file stress_command.cpp
/// `cullet stress`: the run in this program, or in the one whose Bullet has the precision asked for.
#include "report.h"
#include "stress_options.h"

#include "demos/command/commands.h"
#include "demos/command/device_option.h"
#include "demos/command/progress.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace
{

using namespace cullet::stress;

/// Replaces this process by the program whose Bullet has that precision, beside this one, with the same arguments:
/// Bullet in one precision cannot live in one process with Bullet in the other, since both have the same names. Linux:
/// /proc says where this program lies and what it was called with.
[[noreturn]] void becomeProgramFor( const std::string& precision )
{
    const char* name = precision == "double" ? "cullet-float64" : "cullet";
    const std::string path = std::filesystem::read_symlink( "/proc/self/exe" ).replace_filename( name );
    std::ifstream file( "/proc/self/cmdline" );
    std::vector<std::string> arguments;
    for ( std::string argument; std::getline( file, argument, '\0' ); )
    {
        arguments.push_back( argument );
    }
    std::vector<char*> pointers;
    for ( std::string& argument : arguments )
    {
        pointers.push_back( argument.data() );
    }
    pointers.push_back( nullptr );
    execv( path.c_str(), pointers.data() );
    throw std::runtime_error(
        fmt::format( "for --precision {} it needs the program {}, which is built where Bullet has that precision: {}",
                     precision, path, std::strerror( errno ) ) );
}

std::string heading( const StressOptions& options )
{
    const std::string device = options.device == "auto" ? "" : ", " + options.device;
    return fmt::format( "{} bodies, seed {}, {} cache, {}, {}{}", options.settings.bodies, options.settings.seed,
                        options.cache, options.precision, options.algorithm, device );
}

Outcome runWithProgress( const StressOptions& options )
{
    cullet::command::Progress progress;
    progress.stage( heading( options ) );
    double shownAt = 0;
    return runStress( options.settings, createSubject( subjectDef( options ) ),
                      [&]( const Moment& moment )
                      {
                          if ( moment.seconds >= shownAt + 0.1 )
                          {
                              shownAt = moment.seconds;
                              progress.detail( progressLine( moment ) );
                          }
                      } );
}

void stress( const StressOptions& options )
{
    if ( options.precision != ownPrecision() )
    {
        becomeProgramFor( options.precision );
    }
    cullet::command::requireDevice( options.device );
    const Outcome outcome = runWithProgress( options );
    fmt::print( "{}", report( heading( options ), outcome ) );
    std::fflush( stdout );
    if ( outcome.failure )
    {
        const Failure& failure = *outcome.failure;
        fmt::print( stderr, "cullet: {}: seed {} step {}: {}; run again with: {}\n", failure.what,
                    options.settings.seed, failure.step, failure.detail, commandTo( options, failure.step ) );
        throw CLI::RuntimeError( 1 );
    }
}

} // namespace

void addStressCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "stress", "A long run of everything, checked against an oracle" );
    const auto options = std::make_shared<StressOptions>();
    addStressOptions( *command, *options );
    command->callback( [options] { stress( *options ); } );
}
