// SPDX-License-Identifier: Zlib
/// \file program.cpp
/// Exit codes as commands.h says, and messages of libraries brought into one line.
#include "program.h"

#include "cullet.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>

namespace
{

constexpr int exitFailure = 1;
constexpr int exitUsage = 2;

std::string versionLine()
{
    const cltVersion version = cltGetVersion();
    return fmt::format( "cullet {}.{}.{}", version.major, version.minor, version.patch );
}

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

int run( int argc, char** argv, void ( *addCommands )( CLI::App& app ) )
{
    CLI::App app(
        "Finds every pair of overlapping boxes, exactly; and shows how fast, beside Bullet's own broadphases.",
        "cullet" );
    app.set_version_flag( "--version", versionLine() );
    app.require_subcommand( 1 );
    addCommands( app );
    try
    {
        app.parse( argc, argv );
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
    return 0;
}

} // namespace

int runProgram( int argc, char** argv, void ( *addCommands )( CLI::App& app ) )
{
    try
    {
        return run( argc, argv, addCommands );
    }
    catch ( const std::exception& error )
    {
        return complain( error.what(), exitFailure );
    }
}
