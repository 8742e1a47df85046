// SPDX-License-Identifier: Zlib
/// \file program.cpp
/// Runs a program: with exit codes as in commands.h, and with error messages in one line.
#include "commands.h"

#include "cullet.h"

#include "demos/system/system.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <system_error>

namespace
{

constexpr int exitFailure = 1;
constexpr int exitUsage = 2;

char** mainArguments = nullptr; ///< for execProgram

/// Prints a message in one line, for scripts that read stderr. Messages of libraries may have several.
int printError( std::string message, int exitCode )
{
    std::replace( message.begin(), message.end(), '\n', ' ' );
    fmt::print( stderr, "cullet: {}\n", message );
    return exitCode;
}

/// Detects an unknown subcommand, for which CLI11 would report "A subcommand is required".
bool isUnknownSubcommand( const CLI::App& app, int argc, char** argv )
{
    return argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty();
}

} // namespace

static int run( int argc, char** argv, void ( *addCommands )( CLI::App& app ) )
{
    CLI::App app(
        "Finds all pairs of overlapping boxes, exactly, and compares its speed with that of Bullet's broadphases.",
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
        app.add_flag_callback( "--manual", printManual )->group( "" ); // for building packages, so hidden in the help
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
            return printError( fmt::format( "'{}' is no subcommand; see cullet --help", argv[1] ), exitUsage );
        }
        if ( error.get_exit_code() == 0 )
        {
            return app.exit( error ); // help or version
        }
        const bool needsSubcommand = dynamic_cast<const CLI::RequiredError*>( &error ) && app.get_subcommands().empty();
        return printError( needsSubcommand ? "a subcommand is required; see cullet --help" : error.what(), exitUsage );
    }
    catch ( const std::exception& error )
    {
        return printError( error.what(), exitFailure );
    }
}

/// Flushes the output and reports an error such as a full disk.
int runProgram( int argc, char** argv, void ( *addCommands )( CLI::App& app ) )
{
    mainArguments = argv;
    cullet::system::writeUnixLines();
    const int exitCode = run( argc, argv, addCommands );
    std::cout.flush();
    const bool isWritten = std::fflush( stdout ) == 0 && std::ferror( stdout ) == 0 && std::cout.good();
    return isWritten || exitCode != 0 ? exitCode : printError( "the output could not be written", exitFailure );
}

void execProgram( const std::string& name, const std::string& remedy )
{
    try
    {
        cullet::system::becomeProgram( name, mainArguments );
    }
    catch ( const std::system_error& error )
    {
        throw std::runtime_error( fmt::format( "cannot run {}; {}", error.what(), remedy ) );
    }
}
