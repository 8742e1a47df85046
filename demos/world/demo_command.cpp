// SPDX-License-Identifier: Zlib
/// \file demo_command.cpp
/// The subcommand `cullet demo`: its options, and what is refused before anything is simulated.
#include "demos/command/commands.h"

#include "broadphases.h"
#include "demo.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <memory>

namespace
{

using cullet::demo::DemoSettings;
using cullet::demo::PictureSize;

constexpr int mostBodies = 1000000;
constexpr int mostSteps = 1000000;
constexpr int mostThreads = 256;
constexpr int leastPixels = 16;
constexpr int mostPixels = 4096;

/// \return whether all of [first, last) is one number of pixels
bool parsePixels( const char* first, const char* last, int& pixels )
{
    const auto [end, error] = std::from_chars( first, last, pixels );
    return error == std::errc() && end == last && pixels >= leastPixels && pixels <= mostPixels;
}

/// From "1280x800".
PictureSize parseSize( const std::string& text )
{
    PictureSize size;
    const std::size_t cross = text.find( 'x' );
    const char* data = text.data();
    if ( cross == std::string::npos || !parsePixels( data, data + cross, size.width ) ||
         !parsePixels( data + cross + 1, data + text.size(), size.height ) )
    {
        throw CLI::ValidationError( "--size", "'" + text + "' is not WIDTHxHEIGHT, each from " +
                                                  std::to_string( leastPixels ) + " to " +
                                                  std::to_string( mostPixels ) );
    }
    return size;
}

/// Makes the directory if need be and tries a file in it, so that a long run does not end with nowhere to write.
void prepareDirectory( const std::string& path )
{
    std::error_code error;
    std::filesystem::create_directories( path, error );
    if ( error || !std::filesystem::is_directory( path, error ) )
    {
        const std::string reason = error ? error.message() : "not a directory";
        throw CLI::ValidationError( "--out", "cannot create directory '" + path + "': " + reason );
    }
    const std::filesystem::path table = std::filesystem::path( path ) / "demo-steps.csv";
    if ( !std::ofstream( table ) )
    {
        throw CLI::ValidationError( "--out", "cannot write into directory '" + path + "'" );
    }
}

void runCommand( DemoSettings settings, const std::string& size )
{
    settings.size = parseSize( size );
    prepareDirectory( settings.out );
    if ( !cullet::demo::runDemo( settings ) )
    {
        throw CLI::RuntimeError( 1 );
    }
}

} // namespace

void addDemoCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "demo", "A Bullet world: boxes, spheres and slabs fall on a plane" );
    const auto settings = std::make_shared<DemoSettings>();
    const auto size = std::make_shared<std::string>( "1280x800" );
    command->add_option( "--bodies", settings->bodies, "how many bodies fall" )
        ->check( CLI::Range( 1, mostBodies ) )
        ->capture_default_str();
    command->add_option( "--steps", settings->steps, "steps of 1/60 s" )
        ->check( CLI::Range( 1, mostSteps ) )
        ->capture_default_str();
    command->add_option( "--broadphase", settings->broadphase, "what finds the pairs" )
        ->check( CLI::IsMember( cullet::demo::broadphaseNames() ) )
        ->capture_default_str();
    command->add_option( "--threads", settings->threads, "threads of cullet, 0: one per processor" )
        ->check( CLI::Range( 0, mostThreads ) )
        ->capture_default_str();
    command->add_option( "--out", settings->out, "directory of the pictures" )->capture_default_str();
    command->add_option( "--size", *size, "of the pictures, in pixels" )->capture_default_str();
    command->callback( [settings, size] { runCommand( *settings, *size ); } );
}
