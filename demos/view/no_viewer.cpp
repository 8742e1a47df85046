// SPDX-License-Identifier: Zlib
/// \file no_viewer.cpp
/// `cullet view` in a build without the viewer.
#include "demos/command/commands.h"

#include <CLI/App.hpp>

void addViewCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "view", "Shows what a broadphase does; not in this build" );
    command->prefix_command(); // accepts all options
    command->callback(
        []
        {
            throw CLI::ValidationError( "this build has no viewer; it needs (Debian: apt-get install libepoxy-dev "
                                        "libglfw3-dev libimgui-dev) when it is made" );
        } );
}
