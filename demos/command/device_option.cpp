// SPDX-License-Identifier: Zlib
/// \file device_option.cpp
/// Whether a device answers is asked in a child process: a process that has asked a driver cannot have children that use
/// it, and the measurement of peak memory needs such children.
#include "device_option.h"

#include "option_checks.h"

#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace cullet::command
{

namespace
{

cltDeviceReport reportOn( cltDevice device )
{
    std::vector<cltDeviceReport> reports( cltGetDevices( nullptr, 0 ) );
    cltGetDevices( reports.data(), reports.size() );
    const auto found = std::find_if( reports.begin(), reports.end(),
                                     [device]( const cltDeviceReport& report ) { return report.device == device; } );
    return found == reports.end() ? cltDeviceReport{ device, false, "", "this build does not know it" } : *found;
}

/// The child's part. Never returns.
[[noreturn]] void report( cltDevice device, int pipeEnd )
{
    const cltDeviceReport answer = reportOn( device );
    const bool isWritten = write( pipeEnd, &answer, sizeof answer ) == ssize_t( sizeof answer );
    _exit( isWritten ? 0 : 1 );
}

cltDeviceReport askInChild( cltDevice device )
{
    int ends[2];
    if ( pipe( ends ) != 0 )
    {
        throw std::runtime_error( "no pipe to ask for devices" );
    }
    const pid_t child = fork();
    if ( child == 0 )
    {
        report( device, ends[1] );
    }
    close( ends[1] );
    cltDeviceReport answer{ device, false, "", "the process that asked for it ended" };
    cltDeviceReport received;
    if ( child > 0 && read( ends[0], &received, sizeof received ) == ssize_t( sizeof received ) )
    {
        answer = received;
    }
    close( ends[0] );
    if ( child > 0 )
    {
        waitpid( child, nullptr, 0 );
    }
    return answer;
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
    const cltDevice device = deviceNamed( name );
    if ( device != clt_deviceCuda )
    {
        return; // the CPU is always there
    }
    const cltDeviceReport report = askInChild( device );
    if ( !report.usable )
    {
        throw CLI::ValidationError( "--device", fmt::format( "{} cannot be used: {}", name, report.reason ) );
    }
}

} // namespace cullet::command
