// SPDX-License-Identifier: Zlib
/// \file commands.h
/// The subcommands of the program `cullet`. Each function adds one to the command line. Its work runs as the
/// subcommand's callback while the line is parsed. The way a callback ends decides the exit code of the program:
///
///     returns                          0
///     throws CLI::ParseError           2, and prints its text in one line: an option is invalid
///     throws CLI::RuntimeError( n )    n, and prints nothing: the callback has reported the failure itself
///     throws any other std::exception  1, and prints its text in one line
#ifndef CLT_COMMAND_COMMANDS_H
#define CLT_COMMAND_COMMANDS_H

#include <string>

namespace CLI
{
class App;
}

void addInfoCommand( CLI::App& app );
void addDemoCommand( CLI::App& app );
void addCompareCommand( CLI::App& app );
void addBenchCommand( CLI::App& app );
void addStressCommand( CLI::App& app );
void addRecordCommand( CLI::App& app );
void addReplayCommand( CLI::App& app );
void addMeshCommand( CLI::App& app );
void addViewCommand( CLI::App& app );
void addPapersCommand( CLI::App& app );
void addRunCommand( CLI::App& app );
void addDoctorCommand( CLI::App& app );

/// Parses the command line, which runs its subcommand.
/// \param addCommands  adds the program's subcommands
/// \return the program's exit code
int runProgram( int argc, char** argv, void ( *addCommands )( CLI::App& app ) );

/// The manual page of the program with all its subcommands, for section 1 of the manual.
std::string manualPage( const CLI::App& app );

/// Runs another program, which lies in the folder of this program, with the same arguments and in place of this one.
/// \param remedy  how to get the program, for the message if it is missing
/// \throws std::runtime_error  if the program cannot be started
[[noreturn]] void execProgram( const std::string& name, const std::string& remedy );

#endif
