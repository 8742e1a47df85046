// SPDX-License-Identifier: Zlib
/// \file info_command.cpp
/// `cullet info`: what this build is, which devices it knows, which one "auto" takes and why.
#include "commands.h"

#include "core_facts.h"
#include "machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace
{

using cullet::compare::requireOk;

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

void printDevices()
{
    for ( const cltDeviceReport& report : deviceReports() )
    {
        fmt::print( "{:<10} {}: {} ({})\n", cltDeviceName( report.device ), report.usable ? "usable" : "not usable",
                    report.name, report.reason );
    }
}

/// What a broadphase that chooses by itself says after its first update.
cltStats statsOfAuto()
{
    const cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltBroadphase* created = nullptr;
    requireOk( cltCreateBroadphase( &def, &created ) );
    const std::unique_ptr<cltBroadphase, void ( * )( cltBroadphase* )> broadphase( created, cltDestroyBroadphase );
    const cltAabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
    cltProxyId proxy;
    requireOk( cltBroadphase_CreateProxy( created, &box, nullptr, 0, &proxy ) );
    requireOk( cltBroadphase_Update( created, nullptr ) );
    cltStats stats;
    requireOk( cltBroadphase_GetStats( created, &stats ) );
    return stats;
}

/// Asked, not repeated: what auto does is known in one place only.
void printChoice()
{
    const cltStats stats = statsOfAuto();
    fmt::print( "auto       takes {}: {}\n", cltDeviceName( stats.device ), stats.deviceReason );
    fmt::print( "           and there {}: {}\n", cltAlgorithmName( stats.algorithm ), stats.reason );
}

} // namespace

void addInfoCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "info", "Version, devices, and what \"auto\" takes" );
    command->callback(
        []
        {
            printBuild();
            printDevices();
            printChoice();
        } );
}
