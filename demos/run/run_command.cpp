// SPDX-License-Identifier: Zlib
/// \file run_command.cpp
/// `cullet run`: runs an unmodified program with libcullet-preload.so. This process becomes the program, so exit code,
/// signals and terminal are the program's own; with --verify or --stats a child becomes the program (watch.h).
#include "reach.h"
#include "watch.h"

#include "demos/command/commands.h"
#include "demos/command/option_checks.h"

#include "cullet.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace
{

using cullet::command::between;
using cullet::command::Number;

struct RunOptions
{
    std::string algorithm;
    int threads = 0;
    bool verify = false;
    std::string record;
    bool stats = false;
    std::vector<std::string> line; ///< the program and its arguments
};

/// The path of libcullet-preload.so, which is in a library folder beside the folder of this program.
std::string findPreload()
{
    const std::filesystem::path root = std::filesystem::read_symlink( "/proc/self/exe" ).parent_path().parent_path();
    for ( const char* folder : { "lib/cullet", CULLET_PRELOAD_DIR } )
    {
        const std::filesystem::path path = root / folder / "libcullet-preload.so";
        if ( std::filesystem::exists( path ) && path.string().find_first_of( " :" ) != std::string::npos )
        {
            throw std::runtime_error(
                fmt::format( "LD_PRELOAD cannot name '{}'", path.string() ) ); // blanks and colons separate its entries
        }
        if ( std::filesystem::exists( path ) )
        {
            return path.string();
        }
    }
    throw std::runtime_error( fmt::format( "libcullet-preload.so is not in {}; it is built where Bullet's headers are",
                                           ( root / CULLET_PRELOAD_DIR ).string() ) );
}

void set( const char* name, const std::string& value )
{
    if ( !value.empty() )
    {
        setenv( name, value.c_str(), 1 );
    }
}

void setEnvironment( const RunOptions& options, const std::string& preload )
{
    const char* others = std::getenv( "LD_PRELOAD" );
    set( "LD_PRELOAD", others && *others ? preload + ":" + others : preload );
    set( "CULLET_ALGORITHM", options.algorithm );
    set( "CULLET_THREADS", options.threads > 0 ? std::to_string( options.threads ) : "" );
    set( "CULLET_VERIFY", options.verify ? "1" : "" );
    set( "CULLET_STATS", options.stats ? "1" : "" );
    // The program may change its folder.
    set( "CULLET_RECORD", options.record.empty() ? "" : std::filesystem::absolute( options.record ).string() );
    if ( options.verify || options.stats || !options.record.empty() )
    {
        set( "CULLET_PROCESS", std::to_string( getpid() ) ); // exec keeps the process id
    }
}

/// Warns before the program starts if cullet will have no effect. The preloaded library then does not warn again.
void warn( const std::string& program )
{
    struct stat status;
    std::string text;
    try
    {
        text = cullet::run::warning( cullet::run::examine( program ) );
    }
    catch ( const std::runtime_error& error )
    {
        text = error.what(); // a shell may still be able to run it
    }
    if ( stat( program.c_str(), &status ) == 0 && ( status.st_mode & S_ISUID ) && status.st_uid != geteuid() )
    {
        text =
            fmt::format( "changes nothing: {} runs as another user, and then the loader ignores LD_PRELOAD", program );
    }
    if ( !text.empty() )
    {
        fmt::print( stderr, "cullet: {}\n", text );
        setenv( "CULLET_WARNED", "1", 1 );
    }
}

/// Whether the recording's file can be written. Checked early, so that the error is not among the program's output.
bool canBeWritten( const std::string& file )
{
    const std::filesystem::path path = std::filesystem::absolute( file.empty() ? "/" : file );
    return file != "--" && !std::filesystem::is_directory( path ) &&
           access( path.parent_path().c_str(), W_OK | X_OK ) == 0 &&
           ( !std::filesystem::exists( path ) || access( path.c_str(), W_OK ) == 0 );
}

void run( RunOptions options )
{
    const std::string program = cullet::run::findProgram( options.line.front() );
    warn( program );
    const std::string preload = findPreload();
    if ( options.verify || options.stats )
    {
        cullet::run::forkAndWatch();
    }
    setEnvironment( options, preload );
    std::vector<char*> arguments;
    for ( std::string& word : options.line )
    {
        arguments.push_back( word.data() );
    }
    arguments.push_back( nullptr );
    execvp( arguments[0], arguments.data() );
    throw std::runtime_error( fmt::format( "'{}' cannot be run: {}", options.line.front(), std::strerror( errno ) ) );
}

} // namespace

void addRunCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "run", "Run an unmodified program that links Bullet on cullet" );
    const auto options = std::make_shared<RunOptions>();
    command->add_option( "--algorithm", options->algorithm, "Algorithm that finds the pairs" )
        ->check( cullet::command::oneOf( cullet::command::namesOf( cltAlgorithmName, clt_algorithmFrontier ) ) );
    command->add_option( "--threads", options->threads, "Threads per update; 0: one per processor" )
        ->check( between( 0, CLT_MAX_THREADS, Number::whole ) );
    command->add_flag( "--verify", options->verify,
                       "Compare every step and query with Bullet's own broadphase; exit code 70 if one is wrong" );
    command->add_option( "--record", options->record, "Record the calls in this file, for cullet replay" )
        ->check( cullet::command::require( canBeWritten, "cannot be written" ) );
    command->add_flag( "--stats", options->stats, "Time cullet and Bullet's own broadphase" );
    command->add_option( "PROGRAM", options->line, "The program and its arguments, after --" )->required();
    command->positionals_at_end();
    command->callback( [options] { run( *options ); } );
}
