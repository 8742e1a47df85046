// SPDX-License-Identifier: Zlib
/// \file info_command.cpp
/// `cullet info`: what this build is, which devices it knows, which one "auto" takes and why.
#include "commands.h"

#include "machine.h"

#include "cullet.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace
{

std::vector<cltDeviceReport> deviceReports()
{
    std::vector<cltDeviceReport> reports( cltGetDevices( nullptr, 0 ) );
    const std::size_t count = cltGetDevices( reports.data(), reports.size() );
    reports.resize( std::min( reports.size(), count ) ); // a device may have left between the two calls
    return reports;
}

void printBuild()
{
    const cltVersion version = cltGetVersion();
    const cullet::compare::Machine machine = cullet::compare::describeMachine();
    fmt::print( "cullet     {}.{}.{} ({})\n", version.major, version.minor, version.patch, machine.commit );
    fmt::print( "Bullet     {}\n", machine.bullet );
    fmt::print( "compiler   {}\n", machine.compiler );
    fmt::print( "machine    {}\n", machineLine( machine ) );
    fmt::print( "system     {}\n", machine.system );
}

void printDevices( const std::vector<cltDeviceReport>& reports )
{
    for ( const cltDeviceReport& report : reports )
    {
        fmt::print( "{:<10} {}: {} ({})\n", cltDeviceName( report.device ), report.usable ? "usable" : "not usable",
                    report.name, report.reason );
    }
    const auto taken =
        std::find_if( reports.begin(), reports.end(), []( const cltDeviceReport& report ) { return report.usable; } );
    if ( taken == reports.end() )
    {
        fmt::print( "auto       takes nothing: no device is usable\n" );
        return;
    }
    fmt::print( "auto       takes {}: {}\n", cltDeviceName( taken->device ),
                taken == reports.begin() ? "the best device answers" : "the first usable one of the list above" );
}

} // namespace

void addInfoCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "info", "Version, devices, and what \"auto\" takes" );
    command->callback(
        []
        {
            printBuild();
            printDevices( deviceReports() );
        } );
}
