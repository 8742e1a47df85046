// SPDX-License-Identifier: Zlib
/// \file view_command.cpp
/// `cullet view`.
#include "screen.h"
#include "view_options.h"

#include "demos/command/commands.h"
#include "demos/command/option_checks.h"
#include "demos/recording/event.h"
#include "demos/world/file_world.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/ranges.h>
#include <memory>

namespace
{

using namespace cullet::view;
using cullet::command::between;
using cullet::command::Number;

constexpr double mostFrames = 1'000'000;

struct CommandOptions : ViewOptions
{
    std::string size = "1280x800";
    PictureRequest picture;
};

bool isMesh( const std::string& name )
{
    std::string ending = std::filesystem::u8path( name ).extension().string();
    std::transform( ending.begin(), ending.end(), ending.begin(), []( unsigned char c ) { return std::tolower( c ); } );
    return ending == ".obj" || ending == ".ply";
}

/// Decides by the files' names how they are read.
void checkFiles( SourceRequest& wanted )
{
    const std::string& first = wanted.files[0];
    if ( wanted.files.size() > 1 && !isMesh( first ) )
    {
        throw CLI::ValidationError( "WHAT", "only meshes can be several" );
    }
    if ( !std::filesystem::exists( std::filesystem::u8path( first ) ) )
    {
        throw CLI::ValidationError(
            "WHAT", fmt::format( "'{}' is no kind of world, no scene and no file; see cullet view --help", first ) );
    }
    wanted.fromFiles = isMesh( first )                      ? makeMeshSource
                       : cullet::demo::isWorldFile( first ) ? makeWorldFileSource
                                                            : makeRecordingSource;
    if ( isMesh( first ) )
    {
        wanted.broadphases.clear(); // they search no triangles
    }
}

/// Refuses options that have no meaning for what is shown.
void refuseUnused( const CLI::App& command, const SourceRequest& wanted )
{
    const auto refuse = [&command]( const char* option, bool isUsed, const char* user )
    {
        if ( command.count( option ) > 0 && !isUsed )
        {
            throw CLI::ValidationError( option, fmt::format( "is for {} only", user ) );
        }
    };
    const bool areMeshes = !wanted.files.empty() && isMesh( wanted.files[0] );
    refuse( "--moving", !wanted.scene.empty(), "scenes" );
    refuse( "--seed", !wanted.scene.empty(), "scenes" );
    refuse( "--bodies", wanted.files.empty(), "worlds and scenes" );
    refuse( "--broadphase", !areMeshes, "worlds, scenes and recordings" );
    refuse( "--poses", areMeshes, "meshes" );
}

std::string listOf( const char* what, const std::vector<std::string>& names )
{
    return fmt::format( "{}: {}\n", what, fmt::join( names, ", " ) );
}

void view( CommandOptions options, bool inWindow )
{
    Controls controls = controlsOf( options );
    if ( !controls.wanted.files.empty() )
    {
        checkFiles( controls.wanted );
    }
    const cullet::command::PictureSize size = cullet::command::parseSize( options.size );
    options.picture.width = size.width;
    options.picture.height = size.height;
    try
    {
        inWindow ? showWindow( controls, options.picture ) : showOffscreen( controls, options.picture );
    }
    catch ( const cullet::recording::RecordingError& error )
    {
        throw CLI::ValidationError( fmt::format( "'{}' {}", options.what[0], error.what() ) );
    }
    catch ( const std::runtime_error& error )
    {
        throw CLI::ValidationError( error.what() );
    }
}

} // namespace

void addViewCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "view", "Shows what a broadphase does, in a window or in a picture" );
    const auto options = std::make_shared<CommandOptions>();
    addViewOptions( *command, *options );
    command->add_flag( "--poses", options->controls.wanted.arePoses,
                       "The meshes are poses of one mesh, one after the other" );
    command->add_option( "--size", options->size, "Size of the window or the picture, in pixels" );
    CLI::Option* frames =
        command->add_option( "--frames", options->picture.frames, "Make this many steps without a window" )
            ->check( between( 1, mostFrames, Number::whole ) );
    CLI::Option* screenshot = command->add_option( "--screenshot", options->picture.screenshot,
                                                   "Write the last frame to this PNG, without a window" );
    command->callback(
        [=]
        {
            refuseUnused( *command, controlsOf( *options ).wanted );
            view( *options, frames->count() + screenshot->count() == 0 );
        } );
    command->footer( listOf( "Kinds of worlds", kindNames() ) + listOf( "Scenes", sceneNames() ) );
}
