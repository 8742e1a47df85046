// SPDX-License-Identifier: Zlib
// Pairs of triangles on the device: uploads, overflow and failures.
#include "tests/device/emulation/emulation.h"
#include "tests/mesh/mesh_world.h"
#include "tests/support/child.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

class MeshDevice : public testing::Test
{
protected:
    ~MeshDevice() override
    {
        EXPECT_EQ( 0u, emulation::counts.blocksHeld );
        EXPECT_EQ( 0u, emulation::counts.streamsHeld );
    }

    static cltBroadphaseDef def()
    {
        cltBroadphaseDef result = cltDefaultBroadphaseDef();
        result.threadCount = 2;
        return result;
    }

    /// Creates, moves and destroys meshes, and searches after each change. The pairs need more and more capacity.
    static std::vector<PartPairs> runMeshOperations( MeshWorld& world )
    {
        Random random( 3 );
        MeshOptions options;
        options.selfCollision = true;
        options.isSwept = true;
        std::vector<PartPairs> found;
        const cltMeshId first = world.create( soup( random, 30, 1 ), options );
        found.push_back( world.find( clt_meshBoxes ) );
        const cltMeshId second = world.create( soup( random, 150, 1 ), options );
        found.push_back( world.find( clt_meshTriangles ) );
        world.place( first, { 1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0 } );
        found.push_back( world.find( clt_meshKdops ) );
        world.destroy( second );
        world.create( soup( random, 60, 1 ) );
        found.push_back( world.find( clt_meshTriangles ) );
        return found;
    }

    emulation::Cleanup m_cleanup;
};

} // namespace

TEST_F( MeshDevice, IsNeededToCreateASet )
{
    emulation::machine.deviceCount = 0;
    cltBroadphaseDef wanted = def();
    wanted.device = clt_deviceCuda;
    cltMeshSet* set = nullptr;
    EXPECT_EQ( clt_noDevice, cltCreateMeshSet( &wanted, &set ) );
    EXPECT_EQ( nullptr, set );
    wanted.device = clt_deviceAuto;
    EXPECT_EQ( clt_ok, cltCreateMeshSet( &wanted, &set ) );
    cltDestroyMeshSet( set );
}

/// In each round one allocation or one other call fails. Every seventh failing call also breaks the device. All
/// searches find the same pairs as a device that runs blocks and threads in descending order.
TEST_F( MeshDevice, IsReplacedByTheCpuWhenAnAllocationOrACallFails )
{
    emulation::machine.order = emulation::Order::backward;
    MeshWorld backward( def() );
    const std::vector<PartPairs> expected = runMeshOperations( backward );
    using Machine = emulation::Machine;
    for ( int64_t Machine::*countdown : { &Machine::allocationsToFailure, &Machine::callsToFailure } )
    {
        int64_t moment = 0;
        for ( bool failed = true; failed && !HasFailure(); ++moment )
        {
            SCOPED_TRACE( moment );
            uint32_t logCount = 0;
            cltBroadphaseDef logging = def();
            logging.hooks.userContext = &logCount;
            logging.hooks.log = []( cltStatus, const char*, void* count ) { ++*static_cast<uint32_t*>( count ); };
            MeshWorld world( logging );
            emulation::machine = {};
            emulation::machine.*countdown = moment;
            emulation::machine.breaks = moment % 7 == 0;
            EXPECT_TRUE( expected == runMeshOperations( world ) );
            failed = emulation::machine.hasFailed;
            EXPECT_EQ( failed ? 1u : 0u, logCount );
            EXPECT_EQ( failed ? 1u : 0u, world.stats().deviceFailureCount );
            EXPECT_EQ( failed ? clt_deviceCpu : clt_deviceCuda, world.stats().device );
            EXPECT_EQ( failed, world.stats().deviceBytes == 0 );
        }
        EXPECT_GT( moment, 20 );
    }
}

TEST_F( MeshDevice, RepeatsASearchThatOverflows )
{
    MeshWorld world( def() );
    Random random( 5 );
    MeshOptions options;
    options.selfCollision = true;
    world.create( soup( random, 40, 1 ), options );
    world.find( clt_meshTriangles );
    EXPECT_EQ( 0u, world.stats().redoCount );
    world.create( soup( random, 400, 1 ), options );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs( Pairing::triangles ) );
    world.create( soup( random, 300, 1 ), options );
    world.find( clt_meshTriangles );
    EXPECT_GT( world.stats().redoCount, 0u );
    world.find( clt_meshKdops ); // its keys overflow
    world.find( clt_meshTriangles );
    EXPECT_EQ( 0u, world.stats().redoCount );
    EXPECT_EQ( clt_deviceCuda, world.stats().device );
}

/// Meshes have 0 to 2,000 triangles. A thread block builds the tree of up to 512, so some trees need several blocks.
TEST_F( MeshDevice, SearchesTreesOfEveryHeight )
{
    MeshWorld world( def() );
    Random random( 6 );
    MeshOptions options;
    options.selfCollision = true;
    for ( std::uint32_t count : { 1u, 0u, 2000u, 3u, 513u, 512u } )
    {
        Shape shape; // of small triangles: few pairs for the oracle
        for ( std::uint32_t i = 0; i < count; ++i )
        {
            const double middle[3] = { random.between( -6, 6 ), random.between( -6, 6 ), random.between( -6, 6 ) };
            for ( std::uint32_t corner = 0; corner < 3; ++corner )
            {
                shape.triangles.push_back( 3 * i + corner );
                shape.add( middle[0] + random.between( -0.5, 0.5 ), middle[1] + random.between( -0.5, 0.5 ),
                           middle[2] + random.between( -0.5, 0.5 ) );
            }
        }
        world.create( shape, options );
    }
    ASSERT_NO_FATAL_FAILURE( world.expectPairs( Pairing::triangles ) );
}

/// A search waits once. Meshes that did not move are not uploaded again. If no mesh moved, nothing is searched.
TEST_F( MeshDevice, IsSentOnlyWhatMoved )
{
    MeshWorld world( def() );
    Random random( 7 );
    std::vector<cltMeshId> meshes;
    for ( int i = 0; i < 6; ++i )
    {
        meshes.push_back( world.create( soup( random, 100, 1 ) ) );
    }
    const auto bytesOf = [&]( cltMeshTest test, std::uint64_t waitCount )
    {
        const emulation::Counts before = emulation::counts;
        const PartPairs found = world.find( test );
        EXPECT_GT( found.size(), 0u );
        EXPECT_EQ( waitCount, emulation::counts.waits - before.waits );
        return emulation::counts.bytesToDevice - before.bytesToDevice;
    };
    world.find( clt_meshBoxes ); // grows the buffers
    const std::uint64_t pairBytes = 8;
    EXPECT_EQ( 15 * pairBytes, bytesOf( clt_meshTriangles, 1 ) );
    EXPECT_EQ( 0u, bytesOf( clt_meshTriangles, 0 ) );
    world.move( meshes[2], world.shape( meshes[2] ).vertices );
    const std::uint64_t meshBytes = world.shape( meshes[2] ).vertices.size() * sizeof( float );
    EXPECT_EQ( 5 * pairBytes + meshBytes, bytesOf( clt_meshTriangles, 1 ) );
    EXPECT_EQ( 15 * pairBytes, bytesOf( clt_meshKdops, 1 ) );
}

TEST_F( MeshDevice, HasTheSameStatsAsTheCpu )
{
    Random random( 8 );
    MeshOptions options;
    options.selfCollision = true;
    MeshWorld world( def() );
    world.create( ball( 3, 1 ), options );
    world.create( soup( random, 200, 1 ), options );
    world.find( clt_meshTriangles );
    const cltMeshStats found = world.stats();
    emulation::machine.callsToFailure = 0;
    world.find( clt_meshBoxes );
    world.find( clt_meshTriangles );
    const cltMeshStats expected = world.stats();
    EXPECT_EQ( clt_deviceCuda, found.device );
    EXPECT_EQ( clt_deviceCpu, expected.device );
    EXPECT_GT( found.sharedCount, 0u );
    EXPECT_EQ( expected.candidateCount, found.candidateCount );
    EXPECT_EQ( expected.sharedCount, found.sharedCount );
    EXPECT_EQ( expected.pairCount, found.pairCount );
}

TEST_F( MeshDevice, WorksOnTheCallersStream )
{
    cudaStream_t stream = nullptr;
    ASSERT_EQ( cudaSuccess, cudaStreamCreateWithFlags( &stream, cudaStreamNonBlocking ) );
    bool passed = false;
    {
        cltBroadphaseDef withStream = def();
        withStream.stream = stream;
        MeshWorld world( withStream );
        world.create( ball( 1, 1 ) );
        world.create( ball( 1, 1 ) );
        EXPECT_EQ( cudaSuccess, emulation::enqueue( stream, [&passed] { passed = true; } ) );
        EXPECT_GT( world.find( clt_meshTriangles ).size(), 0u );
    }
    EXPECT_TRUE( passed );
    EXPECT_EQ( cudaSuccess, cudaStreamDestroy( stream ) );
}

TEST_F( MeshDevice, IsNotUsedByAForkedChild )
{
    MeshWorld world( def() );
    Random random( 9 );
    world.create( soup( random, 30, 1 ) );
    const cltMeshId mesh = world.create( soup( random, 30, 1 ) );
    world.find( clt_meshTriangles );
    world.move( mesh, soup( random, 30, 1 ).vertices );
    runInChild(
        [&world]
        {
            const emulation::Counts before = emulation::counts;
            world.expectPairs( Pairing::triangles );
            return before.calls == emulation::counts.calls && world.stats().device == clt_deviceCpu ? 0 : 2;
        } );
    world.expectPairs( Pairing::triangles );
    EXPECT_EQ( clt_deviceCuda, world.stats().device );
}
