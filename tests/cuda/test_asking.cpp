// SPDX-License-Identifier: Zlib
// Machines without a driver, without a device, with too old a one: what is said, and what auto does then.
#include "tests/cuda/emulation/emulation.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace test;

namespace
{

/// What is said of CUDA, wherever it stands among the devices.
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
    ADD_FAILURE() << "nothing is said of CUDA";
    return {};
}

struct Line
{
    cltStatus status;
    std::string text;
};

void keepLine( cltStatus status, const char* message, void* line )
{
    *static_cast<Line*>( line ) = { status, message };
}

class Asking : public testing::Test
{
protected:
    void TearDown() override
    {
        emulation::reset();
    }

    /// What is said of CUDA on such a machine, and that nothing else works there either.
    std::string reasonOn( const emulation::Machine& machine )
    {
        emulation::setMachine( machine );
        const uint64_t calls = emulation::counts().calls;
        const cltDeviceReport report = cudaReport();
        EXPECT_FALSE( report.usable );
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.device = clt_deviceCuda;
        cltBroadphase* broadphase = nullptr;
        EXPECT_EQ( clt_noDevice, cltCreateBroadphase( &def, &broadphase ) );
        EXPECT_EQ( nullptr, broadphase );
        def.device = clt_deviceAuto;
        BroadphasePtr onCpu = createBroadphase( def );
        cltStats stats;
        EXPECT_EQ( clt_ok, cltBroadphase_GetStats( onCpu.get(), &stats ) );
        EXPECT_EQ( clt_deviceCpu, stats.device );
        EXPECT_EQ( calls, emulation::counts().calls ) << "asking is all that was called for";
        return report.reason;
    }
};

} // namespace

TEST_F( Asking, NoDriver )
{
    emulation::Machine machine;
    machine.driverVersion = 0;
    EXPECT_EQ( "no CUDA driver is installed", reasonOn( machine ) );
}

TEST_F( Asking, DriverTooOld )
{
    emulation::Machine machine;
    machine.driverVersion = 11000;
    machine.deviceCountError = cudaErrorInsufficientDriver;
    EXPECT_NE( std::string::npos, reasonOn( machine ).find( "update the driver" ) );
}

TEST_F( Asking, NoDevice )
{
    emulation::Machine machine;
    machine.deviceCount = 0;
    machine.deviceCountError = cudaErrorNoDevice;
    EXPECT_EQ( "a CUDA driver, but no device", reasonOn( machine ) );
}

TEST_F( Asking, DeviceTooOld )
{
    emulation::Machine machine;
    machine.major = 7;
    machine.minor = 0;
    const std::string reason = reasonOn( machine );
    EXPECT_NE( std::string::npos, reason.find( "too old" ) );
    EXPECT_NE( std::string::npos, reason.find( "7.0" ) );
}

/// The device answers, but the code is for others: that shows when it wakes, and is said in words that help.
TEST_F( Asking, NoCodeForTheDevice )
{
    for ( cudaError_t error : { cudaErrorInvalidDeviceFunction, cudaErrorNoKernelImageForDevice, cudaErrorInvalidPtx,
                                cudaErrorUnsupportedPtxVersion, cudaErrorJitCompilerNotFound } )
    {
        emulation::Machine machine;
        machine.codeError = error;
        emulation::setMachine( machine );
        Line line = { clt_ok, "" };
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.device = clt_deviceCuda;
        def.log = keepLine;
        def.userContext = &line;
        World world( createBroadphase( def ), def );
        world.create( span( 0, 1 ) );
        world.create( span( 1, 2 ) );
        const emulation::Counts before = emulation::counts();
        world.update();
        EXPECT_EQ( before.allocations, emulation::counts().allocations );
        EXPECT_EQ( clt_deviceCpu, world.stats().device );
        EXPECT_EQ( clt_noDevice, line.status );
        EXPECT_EQ( 0u, line.text.find( "cuda: this build of cullet has no code for the device (" ) ) << line.text;
    }
}

TEST_F( Asking, ADeviceThatAnswers )
{
    const cltDeviceReport report = cudaReport();
    EXPECT_TRUE( report.usable );
    EXPECT_STREQ( "answers, compute capability 9.0", report.reason );
}

TEST_F( Asking, CreatingDoesNotWakeTheDevice )
{
    const emulation::Counts before = emulation::counts();
    for ( cltDevice device : { clt_deviceCuda, clt_deviceAuto } )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.device = device;
        World world( createBroadphase( def ), def );
        world.create( span( 0, 1 ) );
        if ( device == clt_deviceAuto )
        {
            world.update(); // far too little for a device
        }
    }
    EXPECT_EQ( before.calls, emulation::counts().calls );
    EXPECT_EQ( before.allocations, emulation::counts().allocations );
}
