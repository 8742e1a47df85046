// SPDX-License-Identifier: Zlib
/// \file program.cpp
/// Exit codes as commands.h says, and messages of libraries brought into one line.
#include "commands.h"
#include "manual.h"

#include "cullet.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

namespace
{

constexpr int exitFailure = 1;
constexpr int exitUsage = 2;

/// Messages of libraries may have several lines; scripts that read stderr want one.
int complain( std::string message, int exitCode )
{
    std::replace( message.begin(), message.end(), '\n', ' ' );
    fmt::print( stderr, "cullet: {}\n", message );
    return exitCode;
}

/// CLI11 says "A subcommand is required" even when there is one that it does not know, and helps all the same.
bool isUnknownSubcommand( const CLI::App& app, int argc, char** argv )
{
    return argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty();
}

} // namespace

static int run( int argc, char** argv, void ( *addCommands )( CLI::App& app ) )
{
    CLI::App app(
        "Finds every pair of overlapping boxes, exactly; and shows how fast, beside Bullet's own broadphases.",
        "cullet" );
    try
    {
        const cltVersion version = cltGetVersion();
        app.set_version_flag( "--version",
                              fmt::format( "cullet {}.{}.{}", version.major, version.minor, version.patch ) );
        const auto printManual = [&app]
        {
            fmt::print( "{}", manualPage( app ) );
            throw CLI::Success();
        };
        app.add_flag_callback( "--manual", printManual )->group( "" ); // for who builds packages, so not in the help
        app.require_subcommand( 1 );
        app.option_defaults()->always_capture_default();
        addCommands( app );
        app.parse( argc, argv );
        return 0;
    }
    catch ( const CLI::RuntimeError& error )
    {
        return error.get_exit_code();
    }
    catch ( const CLI::ParseError& error )
    {
        if ( isUnknownSubcommand( app, argc, argv ) )
        {
            return complain( fmt::format( "'{}' is no subcommand; see cullet --help", argv[1] ), exitUsage );
        }
        if ( error.get_exit_code() == 0 )
        {
            return app.exit( error ); // help or version
        }
        const bool needsSubcommand = dynamic_cast<const CLI::RequiredError*>( &error ) && app.get_subcommands().empty();
        return complain( needsSubcommand ? "a subcommand is required; see cullet --help" : error.what(), exitUsage );
    }
    catch ( const std::exception& error )
    {
        return complain( error.what(), exitFailure );
    }
}

/// What was printed may still wait to be written, and a disk be full.
int runProgram( int argc, char** argv, void ( *addCommands )( CLI::App& app ) )
{
    const int exitCode = run( argc, argv, addCommands );
    std::cout.flush();
    const bool isWritten = std::fflush( stdout ) == 0 && std::ferror( stdout ) == 0 && std::cout.good();
    return isWritten || exitCode != 0 ? exitCode : complain( "the output could not be written", exitFailure );
}
