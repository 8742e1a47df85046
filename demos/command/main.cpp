// SPDX-License-Identifier: Zlib
/// \file main.cpp
/// The program `cullet` and the list of its subcommands.
#include "commands.h"

static void addCommands( CLI::App& app )
{
    addInfoCommand( app );
    addDemoCommand( app );
    addCompareCommand( app );
    addBenchCommand( app );
    addStressCommand( app );
    addRecordCommand( app );
    addReplayCommand( app );
    addMeshCommand( app );
    addViewCommand( app );
    addPapersCommand( app );
    addRunCommand( app );
    addDoctorCommand( app );
}

int main( int argc, char** argv )
{
    return runProgram( argc, argv, addCommands );
}
