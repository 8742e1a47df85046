// SPDX-License-Identifier: Zlib
/// \file info_command.cpp
/// `cullet info`: prints the versions, the devices that this build supports, and which one "auto" chooses and why.
#include "commands.h"
#include "device_option.h"

#include "demos/engines/core_engine.h"
#include "demos/report/machine.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

namespace
{

using namespace cullet::compare;

void printBuild()
{
    const cltVersion version = cltGetVersion();
    const Machine machine = describeMachine();
    fmt::print( "cullet     {}.{}.{} ({})\n", version.major, version.minor, version.patch, machine.commit );
    fmt::print( "Bullet     {}\n", machine.bullet );
    fmt::print( "compiler   {}\n", machine.compiler );
    fmt::print( "machine    {}\n", machineLine( machine ) );
    fmt::print( "system     {}\n", machine.system );
}

void printDevices()
{
    for ( const cltDeviceReport& report : cullet::command::deviceReports() )
    {
        fmt::print( "{:<10} {}: {} ({})\n", cltDeviceName( report.device ), report.usable ? "usable" : "not usable",
                    report.name, report.reason );
    }
}

/// Creates a broadphase with the default def, and prints the device and algorithm that its first update chose.
void printChoice()
{
    const CorePointer core = createCore( cltDefaultBroadphaseDef() );
    const cltAabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
    requireOk( cltBroadphase_CreateProxies( core.get(), 1, &box, nullptr, nullptr, nullptr ) );
    requireOk( cltBroadphase_Update( core.get(), nullptr ) );
    const cltStats stats = coreStats( *core );
    fmt::print( "auto       takes {}: {}\n", cltDeviceName( stats.device ), stats.deviceReason );
    fmt::print( "           and there {}: {}\n", cltAlgorithmName( stats.algorithm ), stats.reason );
}

} // namespace

void addInfoCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "info", "Prints version, devices, and what \"auto\" chooses" );
    command->callback(
        []
        {
            printBuild();
            printDevices();
            printChoice();
        } );
}
