// SPDX-License-Identifier: Zlib
/// \file program.h
/// How every program of ours that has subcommands runs: what ends it becomes one line on stderr and an exit code.
#ifndef CLT_COMMAND_PROGRAM_H
#define CLT_COMMAND_PROGRAM_H

#include "commands.h"

/// Runs the subcommand that the line names.
/// \param addCommands  adds the subcommands that the program offers
int runProgram( int argc, char** argv, void ( *addCommands )( CLI::App& app ) );

#endif
