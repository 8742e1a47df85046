// SPDX-License-Identifier: Zlib
/// \file device_option.cpp
/// Tests devices in a child process: once this process has used a driver, children that it forks cannot use it. Peak
/// memory is measured in forked children, on devices too.
#include "device_option.h"

#include "option_checks.h"

#include "demos/system/system.h"

#include <stdexcept>

namespace cullet::command
{

std::vector<cltDeviceReport> deviceReports()
{
    std::vector<cltDeviceReport> reports( cltGetDevices( nullptr, 0 ) );
    const std::size_t count = cltGetDevices( reports.data(), reports.size() );
    reports.resize( std::min( reports.size(), count ) ); // a device may have been removed between the two calls
    return reports;
}

void addDeviceOption( CLI::App& command, std::string& device )
{
    command.add_option( "--device", device, "Device of cullet: auto, cpu or cuda; a missing one is refused" )
        ->check( oneOf( namesOf( cltDeviceName, clt_deviceCuda ) ) );
}

cltDevice deviceNamed( const std::string& name )
{
    return valueNamed( name, cltDeviceName, clt_deviceCuda );
}

/// The reason why CUDA cannot be used; empty if it can.
static std::string reasonAgainstCuda()
{
    for ( const cltDeviceReport& report : deviceReports() )
    {
        if ( report.device == clt_deviceCuda )
        {
            return report.usable ? "" : report.reason;
        }
    }
    return "this build does not support it";
}

void requireDevice( const std::string& name )
{
    std::string reason;
    try
    {
        const bool isCuda = deviceNamed( name ) == clt_deviceCuda; // the CPU can always be used
        reason = isCuda ? system::runInChild( reasonAgainstCuda ) : "";
    }
    catch ( const std::runtime_error& error )
    {
        reason = error.what();
    }
    if ( !reason.empty() )
    {
        throw CLI::ValidationError( "--device", fmt::format( "{} cannot be used: {}", name, reason ) );
    }
}

} // namespace cullet::command
