// SPDX-License-Identifier: Zlib
// The stream in which a broadphase works, the current device and last error of its caller, and forked children.
#include "tests/device/emulation/emulation.h"
#include "tests/support/child.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <memory>
#include <thread>

using namespace test;

namespace
{

class Stream : public testing::Test
{
protected:
    ~Stream() override
    {
        EXPECT_EQ( 0u, emulation::counts.streamsHeld );
    }

    emulation::Cleanup m_cleanup;
};

} // namespace

TEST_F( Stream, IsTheCallersOrBelongsToTheBroadphase )
{
    cudaStream_t stream = nullptr;
    ASSERT_EQ( cudaSuccess, cudaStreamCreateWithFlags( &stream, cudaStreamNonBlocking ) );
    for ( const bool isCallers : { true, false } )
    {
        bool passed = false;
        cltBroadphaseDef def = defOf( clt_algorithmLbvh );
        def.stream = isCallers ? stream : nullptr;
        World world( def );
        world.create( span( 0, 1 ) );
        world.create( span( 1, 2 ) );
        EXPECT_EQ( cudaSuccess, emulation::enqueue( stream, [&passed] { passed = true; } ) );
        world.update();
        EXPECT_EQ( isCallers, passed ) << "the update waits for its stream alone";
        EXPECT_EQ( cudaSuccess, cudaStreamSynchronize( stream ) );
    }
    EXPECT_EQ( cudaSuccess, cudaStreamDestroy( stream ) );
}

/// The broadphase is on device 1, and device 0 is the current device of the thread that updates and destroys it.
/// Allocating or freeing memory without switching to device 1 would create a context on device 0.
TEST_F( Stream, CreatesNoContextOnOtherDevices )
{
    emulation::machine.deviceCount = 2;
    ASSERT_EQ( cudaSuccess, cudaSetDevice( 1 ) );
    emulation::counts.contexts = 0;
    auto world = std::make_unique<World>( defOf( clt_algorithmLbvh ) );
    const auto runUpdate = [&world]
    {
        world->create( span( 0, 1 ) );
        world->create( span( 1, 2 ) );
        world->update();
        EXPECT_EQ( 1u, emulation::counts.contextsHeld );
        EXPECT_EQ( clt_deviceCuda, world->stats().device );
        world.reset();
    };
    std::thread( runUpdate ).join();
    EXPECT_EQ( 1u << 1, emulation::counts.contexts );
    EXPECT_EQ( 0u, emulation::counts.contextsHeld );
    EXPECT_EQ( cudaSuccess, cudaSetDevice( 0 ) );
}

/// The broadphase stays on the device that was current at its creation, and the caller keeps its own current device.
TEST_F( Stream, RestoresTheCallersDevice )
{
    emulation::machine.deviceCount = 2;
    World world( defOf( clt_algorithmLbvh ) );
    ASSERT_EQ( cudaSuccess, cudaSetDevice( 1 ) );
    for ( int step = 0; step < 3; ++step )
    {
        world.create( span( step, step + 1 ) );
        const emulation::Counts before = emulation::counts;
        world.update();
        EXPECT_LT( before.switches, emulation::counts.switches );
        int ordinal = -1;
        EXPECT_EQ( cudaSuccess, cudaGetDevice( &ordinal ) );
        EXPECT_EQ( 1, ordinal );
    }
    EXPECT_EQ( cudaSuccess, cudaSetDevice( 0 ) );
}

/// The runtime keeps the last error of a thread. The broadphase does not take it for an error of its own calls.
TEST_F( Stream, IsUsedDespiteAnEarlierErrorOfTheCaller )
{
    World world( defOf( clt_algorithmLbvh ) ); // expects the device to do each update
    for ( int step = 0; step < 2; ++step )
    {
        emulation::machine.allocationsToFailure = 0;
        void* block = nullptr;
        ASSERT_EQ( cudaErrorMemoryAllocation, cudaMalloc( &block, 16 ) );
        world.create( span( 0, 1 ) );
        world.update();
    }
}

/// If the device cannot be made current, nothing is freed: memory would be freed on the wrong device. Runs in a child
/// process, because the test leaks memory.
TEST_F( Stream, FreesNothingOnAnUnreachableDevice )
{
    emulation::machine.deviceCount = 2;
    runInChild(
        []
        {
            auto world = std::make_unique<World>( defOf( clt_algorithmLbvh ) );
            cudaSetDevice( 1 );
            world->create( span( 0, 1 ) );
            world->update();
            const emulation::Counts before = emulation::counts;
            emulation::machine.callsToFailure = 0;
            world.reset();
            const emulation::Counts& after = emulation::counts;
            const bool isLeftAlone = before.blocksHeld > 0 && after.blocksHeld == before.blocksHeld &&
                                     after.streamsHeld == before.streamsHeld && after.switches == before.switches;
            return isLeftAlone && before.contextsHeld == 1 && after.contextsHeld == 0 ? 0 : 2;
        } );
}

/// The CPU finds the child's pairs, and the parent goes on with the device.
TEST_F( Stream, IsNotUsedByAForkedChild )
{
    const cltBroadphaseDef def = defOf( clt_algorithmLbvh );
    auto world = std::make_unique<World>( createBroadphase( def ), def );
    world->create( span( 0, 1 ) );
    world->create( span( 1, 2 ) );
    world->update();
    world->move( 0, span( 0, 0.5 ) );
    runInChild(
        [&world]
        {
            const emulation::Counts before = emulation::counts;
            world->update();
            world.reset();
            return before.calls == emulation::counts.calls && before.blocksHeld == emulation::counts.blocksHeld ? 0 : 2;
        } );
    world->update();
    EXPECT_EQ( clt_deviceCuda, world->stats().device );
}
