// SPDX-License-Identifier: Zlib
/// \file main.cpp
/// The program `cullet`.
#include "program.h"

namespace
{

void addCommands( CLI::App& app )
{
    addInfoCommand( app );
    addDemoCommand( app );
    addCompareCommand( app );
    addStressCommand( app );
    addRecordCommand( app );
    addReplayCommand( app );
}

} // namespace

int main( int argc, char** argv )
{
    return runProgram( argc, argv, addCommands );
}
