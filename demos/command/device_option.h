// SPDX-License-Identifier: Zlib
/// \file device_option.h
/// The option `--device` of all subcommands that run cullet, and the devices of this machine.
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

/// The reports of all devices that this build supports. Uses their drivers: see runInChild.
std::vector<cltDeviceReport> deviceReports();

/// \param device  must outlive the parsing; its value is the default
void addDeviceOption( CLI::App& command, std::string& device );

/// The device with that name, which must be one that the option accepts.
cltDevice deviceNamed( const std::string& name );

/// Refuses a device that cannot be used, as an invalid option (exit code 2), with the reason. Call it before anything
/// runs.
void requireDevice( const std::string& name );

} // namespace cullet::command

#endif
