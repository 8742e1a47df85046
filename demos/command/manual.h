// SPDX-License-Identifier: Zlib
/// \file manual.h
#ifndef CLT_COMMAND_MANUAL_H
#define CLT_COMMAND_MANUAL_H

#include <string>

namespace CLI
{
class App;
}

/// The manual page of the program with all its subcommands, for section 1.
std::string manualPage( const CLI::App& app );

#endif
