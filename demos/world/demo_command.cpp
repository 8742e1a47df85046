// SPDX-License-Identifier: Zlib
/// \file demo_command.cpp
/// The subcommand `cullet demo`: its options, and what is refused before anything is simulated.
#include "demo.h"

#include "demos/command/commands.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace
{

using cullet::demo::DemoOptions;
using cullet::demo::PictureSize;

constexpr int leastPixels = 16;
constexpr int mostPixels = 4096;

/// From "1280x800".
PictureSize parseSize( const std::string& text )
{
    const auto fits = []( int pixels ) { return pixels >= leastPixels && pixels <= mostPixels; };
    PictureSize size;
    char rest;
    if ( std::sscanf( text.c_str(), "%4dx%4d%c", &size.width, &size.height, &rest ) != 2 || !fits( size.width ) ||
         !fits( size.height ) )
    {
        throw CLI::ValidationError(
            "--size", fmt::format( "'{}' is not WIDTHxHEIGHT, each from {} to {}", text, leastPixels, mostPixels ) );
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

void runCommand( DemoOptions options, const std::string& size )
{
    options.size = parseSize( size );
    prepareDirectory( options.out );
    if ( !cullet::demo::runDemo( options ) )
    {
        throw CLI::RuntimeError( 1 );
    }
}

} // namespace

void addDemoCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "demo", "A Bullet world: boxes, spheres and slabs fall on a plane" );
    const auto options = std::make_shared<DemoOptions>();
    const auto size = std::make_shared<std::string>( "1280x800" );
    addWorldOptions( *command, *options );
    command->add_option( "--out", options->out, "Directory of the pictures" )->capture_default_str();
    command->add_option( "--size", *size, "Of the pictures, in pixels" )->capture_default_str();
    command->callback( [options, size] { runCommand( *options, *size ); } );
}
