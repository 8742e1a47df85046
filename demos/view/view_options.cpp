// SPDX-License-Identifier: Zlib
#include "view_options.h"

#include "demos/command/option_checks.h"
#include "demos/world/world_options.h"

#include <fmt/ranges.h>

namespace cullet::view
{
namespace
{

using command::between;
using command::Number;
using command::oneOf;

constexpr double mostBodies = 1'000'000;
constexpr double mostSeed = 1e15; // a double holds all whole numbers up to this

const std::vector<std::pair<const char*, bool Overlay::*>> overlays = {
    { "bodies", &Overlay::bodies },     { "boxes", &Overlay::boxes }, { "pairs", &Overlay::pairs },
    { "rest", &Overlay::resting },      { "tree", &Overlay::tree },   { "curve", &Overlay::curve },
    { "fat-boxes", &Overlay::fatBoxes } };

std::vector<std::string> overlayNames()
{
    std::vector<std::string> names;
    std::transform( overlays.begin(), overlays.end(), std::back_inserter( names ),
                    []( const auto& overlay ) { return overlay.first; } );
    return names;
}

bool contains( const std::vector<std::string>& names, const std::string& name )
{
    return std::find( names.begin(), names.end(), name ) != names.end();
}

/// \param what  not empty
void request( const std::vector<std::string>& what, SourceRequest& wanted )
{
    wanted.kind.clear();
    if ( what.size() == 1 && contains( kindNames(), what[0] ) )
    {
        wanted.kind = what[0];
    }
    else if ( what.size() == 1 && contains( sceneNames(), what[0] ) )
    {
        wanted.scene = what[0];
    }
    else
    {
        wanted.files = what;
    }
}

} // namespace

void addViewOptions( CLI::App& app, ViewOptions& options )
{
    SourceRequest& wanted = options.controls.wanted;
    CLI::Option* what = app.add_option( "WHAT", options.what,
                                        "A kind of world, a scene of `cullet compare`, a world in a .bullet file, a "
                                        "recording, or meshes (.obj, .ply)" );
    app.add_option( "--kind", wanted.kind, "A kind of world, as of `cullet demo`" )
        ->check( oneOf( kindNames() ) )
        ->excludes( what );
    app.add_option( "--scene", wanted.scene, "A scene; needed if a kind of world has the same name" )
        ->check( oneOf( sceneNames() ) )
        ->excludes( what )
        ->excludes( app.get_option( "--kind" ) );
    app.add_option( "--bodies", wanted.bodies, "How many bodies" )->check( between( 1, mostBodies, Number::whole ) );
    app.add_option( "--broadphase", wanted.broadphases, "Broadphases that race" )
        ->delimiter( ',' )
        ->check( oneOf( demo::broadphaseNames() ) );
    app.add_option( "--moving", wanted.movingPercent, "Percent of a scene's bodies that move" )
        ->check( between( 0, 100, Number::real ) );
    app.add_option( "--seed", wanted.seed, "Seed of a scene's random numbers" )
        ->check( between( 0, mostSeed, Number::whole ) );
    app.add_option( "--threads", wanted.threads, "Threads of cullet, 0 for one per processor" )
        ->check( between( 0, CLT_MAX_THREADS, Number::whole ) );
    app.add_option( "--show", options.shown,
                    fmt::format( "What is shown from the start: {}", fmt::join( overlayNames(), ", " ) ) )
        ->delimiter( ',' )
        ->check( oneOf( overlayNames() ) );
}

Controls controlsOf( const ViewOptions& options )
{
    Controls controls = options.controls;
    command::refuseRepeats( "--broadphase", controls.wanted.broadphases );
    if ( !options.what.empty() )
    {
        request( options.what, controls.wanted );
    }
    else if ( !controls.wanted.scene.empty() )
    {
        controls.wanted.kind.clear();
    }
    for ( const auto& [name, isShown] : overlays )
    {
        controls.overlay.*isShown = contains( options.shown, name );
    }
    return controls;
}

} // namespace cullet::view
