// SPDX-License-Identifier: Zlib
/// \file device_option.h
/// `--device`, shared by the subcommands that run cullet, and what is known of devices.
#ifndef CLT_COMMAND_DEVICE_OPTION_H
#define CLT_COMMAND_DEVICE_OPTION_H

#include "cullet.h"

#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace cullet::command
{

/// Of all devices that this build knows. Asks their drivers: see askChild.
std::vector<cltDeviceReport> deviceReports();

/// \param device  must outlive the parsing; its value is the default
void addDeviceOption( CLI::App& command, std::string& device );

/// One that the option takes.
cltDevice deviceNamed( const std::string& name );

/// Refuses a device that does not answer, with its reason, as an option that makes no sense here: exit code 2. To be
/// called before anything runs.
void requireDevice( const std::string& name );

} // namespace cullet::command

#endif
