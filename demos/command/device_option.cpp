// SPDX-License-Identifier: Zlib
/// \file device_option.cpp
/// Whether a device answers is asked in a child process: a process that has asked a driver cannot have children that
/// use it, and the measurement of peak memory needs such children.
#include "device_option.h"

#include "child.h"
#include "option_checks.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace cullet::command
{

namespace
{

/// Empty if it can be used.
std::string reasonAgainst( cltDevice device )
{
    std::vector<cltDeviceReport> reports( cltGetDevices( nullptr, 0 ) );
    cltGetDevices( reports.data(), reports.size() );
    const auto found = std::find_if( reports.begin(), reports.end(),
                                     [device]( const cltDeviceReport& report ) { return report.device == device; } );
    return found == reports.end() ? "this build does not know it" : found->usable ? "" : found->reason;
}

std::string askForReason( cltDevice device )
{
    try
    {
        return askChild( [device] { return reasonAgainst( device ); } );
    }
    catch ( const std::runtime_error& error )
    {
        return error.what();
    }
}

} // namespace

void addDeviceOption( CLI::App& command, std::string& device )
{
    command.add_option( "--device", device, "Where cullet runs: auto, cpu or cuda; one that is not there is refused" )
        ->check( oneOf( { "auto", "cpu", "cuda" } ) )
        ->capture_default_str();
}

cltDevice deviceNamed( const std::string& name )
{
    return name == "cpu" ? clt_deviceCpu : name == "cuda" ? clt_deviceCuda : clt_deviceAuto;
}

void requireDevice( const std::string& name )
{
    // The CPU is always there.
    const std::string reason = deviceNamed( name ) == clt_deviceCuda ? askForReason( clt_deviceCuda ) : "";
    if ( !reason.empty() )
    {
        throw CLI::ValidationError( "--device", fmt::format( "{} cannot be used: {}", name, reason ) );
    }
}

} // namespace cullet::command
