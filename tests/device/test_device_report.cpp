// SPDX-License-Identifier: Zlib
// Machines without a driver, without a device, or with too old a device: the reported reason, and what runs instead.
#include "tests/device/emulation/emulation.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace test;

namespace
{

/// The report of CUDA among those of all devices.
cltDeviceReport cudaReport()
{
    std::vector<cltDeviceReport> reports( cltGetDevices( nullptr, 0 ) );
    cltGetDevices( reports.data(), reports.size() );
    for ( const cltDeviceReport& report : reports )
    {
        if ( report.device == clt_deviceCuda )
        {
            return report;
        }
    }
    ADD_FAILURE() << "there is no report of CUDA";
    return {};
}

class DeviceReport : public testing::Test
{
protected:
    /// Expects that on `machine` CUDA is not usable for the `expected` reason, and that auto runs on the CPU.
    void expectReason( const emulation::Machine& machine, const std::string& expected )
    {
        SCOPED_TRACE( expected );
        emulation::machine = machine;
        const uint64_t calls = emulation::counts.calls;
        const cltDeviceReport report = cudaReport();
        EXPECT_FALSE( report.usable );
        EXPECT_EQ( expected, report.reason );
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.device = clt_deviceCuda;
        cltBroadphase* broadphase = nullptr;
        EXPECT_EQ( clt_noDevice, cltCreateBroadphase( &def, &broadphase ) );
        EXPECT_EQ( nullptr, broadphase );
        def.device = clt_deviceAuto;
        World onCpu( createBroadphase( def ), def );
        EXPECT_EQ( clt_deviceCpu, onCpu.stats().device );
        EXPECT_EQ( calls, emulation::counts.calls ) << "only queries are called";
    }

    emulation::Cleanup m_cleanup;
};

} // namespace

TEST_F( DeviceReport, ReportsWhatIsMissing )
{
    emulation::Machine machine;
    machine.major = 7;
    expectReason( machine, "the device is too old: compute capability 7.0, and this library needs 7.5" );
    machine.deviceCountError = cudaErrorNoDevice;
    expectReason( machine, "a CUDA driver, but no device" );
    machine.driverVersion = 11000;
    machine.deviceCountError = cudaErrorInsufficientDriver;
    expectReason( machine, "the CUDA driver is older than this library's CUDA runtime; update the driver" );
    machine.driverVersion = 0;
    expectReason( machine, "no CUDA driver is installed" );
}

/// There is a device, but the library has no code for it. Initialization finds this, and the message says so.
TEST_F( DeviceReport, ReportsMissingCodeForTheDevice )
{
    for ( cudaError_t error : { cudaErrorInvalidDeviceFunction, cudaErrorNoKernelImageForDevice, cudaErrorInvalidPtx,
                                cudaErrorUnsupportedPtxVersion, cudaErrorJitCompilerNotFound } )
    {
        emulation::machine.codeError = error;
        std::pair<cltStatus, std::string> line;
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.device = clt_deviceCuda;
        def.hooks.log = []( cltStatus status, const char* message, void* context ) {
            *static_cast<std::pair<cltStatus, std::string>*>( context ) = { status, message };
        };
        def.hooks.userContext = &line;
        World world( createBroadphase( def ), def );
        world.create( span( 0, 1 ) );
        world.create( span( 1, 2 ) );
        const emulation::Counts before = emulation::counts;
        world.update();
        EXPECT_EQ( before.allocations, emulation::counts.allocations );
        EXPECT_EQ( clt_deviceCpu, world.stats().device );
        EXPECT_EQ( clt_noDevice, line.first );
        EXPECT_EQ( 0u, line.second.find( "cuda: this build of cullet has no code for the device (" ) ) << line.second;
    }
}

TEST_F( DeviceReport, DoesNotInitializeAUsableDevice )
{
    const emulation::Counts before = emulation::counts;
    EXPECT_TRUE( cudaReport().usable );
    EXPECT_STREQ( "answers, compute capability 9.0", cudaReport().reason );
    for ( cltDevice device : { clt_deviceCuda, clt_deviceAuto } )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.device = device;
        World world( createBroadphase( def ), def );
        world.create( span( 0, 1 ) );
        if ( device == clt_deviceAuto )
        {
            world.update(); // too few bodies for a device
        }
    }
    EXPECT_EQ( before.calls, emulation::counts.calls );
    EXPECT_EQ( before.allocations, emulation::counts.allocations );
}
