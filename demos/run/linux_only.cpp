// SPDX-License-Identifier: Zlib
/// \file linux_only.cpp
/// `cullet run` and `cullet doctor` on other systems: one line that says why they do nothing.
#include "demos/command/commands.h"

#include <CLI/App.hpp>

static void addRefusal( CLI::App& app, const char* name, const char* reason )
{
    CLI::App* command = app.add_subcommand( name, "Works on Linux only" );
    command->add_option_function<std::vector<std::string>>(
        "PROGRAM", []( const auto& ) {}, "A program and arguments" );
    command->allow_extras(); // options of the command and of the program
    command->callback(
        [name, reason]
        { throw CLI::ValidationError( name, std::string( "works on Linux only, because " ) + reason ); } );
}

void addRunCommand( CLI::App& app )
{
    addRefusal( app, "run", "it preloads a library" );
}

void addDoctorCommand( CLI::App& app )
{
    addRefusal( app, "doctor", "it tells what cullet run can do" );
}
