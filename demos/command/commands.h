// SPDX-License-Identifier: Zlib
/// \file commands.h
/// The subcommands of the program `cullet`. Each function adds one to the command line; its work runs as the
/// subcommand's callback while the line is parsed. How a callback ends decides the exit code of the program:
///
///     returns                          0
///     throws CLI::ParseError           2, its text in one line: an option made no sense
///     throws CLI::RuntimeError( n )    n, silently: everything has been said, for example a check that failed
///     throws any other std::exception  1, its text in one line
#ifndef CLT_COMMAND_COMMANDS_H
#define CLT_COMMAND_COMMANDS_H

namespace CLI
{
class App;
}

void addInfoCommand( CLI::App& app );
void addDemoCommand( CLI::App& app );
void addCompareCommand( CLI::App& app );
void addStressCommand( CLI::App& app );
void addRecordCommand( CLI::App& app );
void addReplayCommand( CLI::App& app );
void addMeshCommand( CLI::App& app );
void addPapersCommand( CLI::App& app );
void addRunCommand( CLI::App& app );
void addDoctorCommand( CLI::App& app );

/// Runs the subcommand that the line names.
/// \param addCommands  adds the subcommands that the program offers
/// \return the program's exit code
int runProgram( int argc, char** argv, void ( *addCommands )( CLI::App& app ) );

#endif
