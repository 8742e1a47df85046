// SPDX-License-Identifier: Zlib
/// \file system.h
/// What the programs need of the operating system. Only posix.cpp, windows.cpp and demos/run (Linux only) contain code
/// for a certain system.
#ifndef CLT_SYSTEM_SYSTEM_H
#define CLT_SYSTEM_SYSTEM_H

#include <cstddef>
#include <functional>
#include <string>

namespace cullet::system
{

// ----------------------------------------------------------------------------------------------------------- processes

/// Runs another program, from the folder of this one and with the same arguments, and ends this process with its exit
/// code.
/// \param name       without an ending such as .exe
/// \param arguments  argv of main()
/// \throws std::system_error  with the program's path, if it cannot be started
[[noreturn]] void becomeProgram( const std::string& name, char** arguments );

/// Runs `work` in a child process and returns its result, for work that must not affect this process. Windows cannot
/// fork, so there it runs in this process. Call it before this process starts threads or uses a CUDA device, as a
/// forked child can use neither. Throws std::runtime_error with the message of an exception in the child, or if the
/// child died.
std::string runInChild( const std::function<std::string()>& work );

/// Whether the shell finds this program.
bool isInstalled( const std::string& program );

/// Starts a program that the shell finds, and writes `text` to its input.
/// \return whether the program read the text and succeeded
/// \throws std::runtime_error  if it cannot be started
bool runWithInput( const std::string& program, const std::string& text );

// -------------------------------------------------------------------------------------------------------- measurements

/// Milliseconds of processor time that this process has used, by all its threads. Windows counts in ticks of 15.6 ms.
double processorMs();

/// Whether peakRiseMib can be called: Linux only.
bool canMeasurePeak();

/// Runs `work` and returns by how many MiB the resident memory of this process rose at most.
double peakRiseMib( const std::function<void()>& work );

// --------------------------------------------------------------------------------------------------- output and facts

/// Makes stdout write \n unchanged, which Windows turns into \r\n, so that output has the same bytes on all systems.
void writeUnixLines();

/// Columns of the terminal that stderr writes to; 0 if it is no terminal.
std::size_t terminalWidth();

std::string processorName();

/// Name, version and architecture of the operating system.
std::string systemName();

double installedGib();

} // namespace cullet::system

#endif
