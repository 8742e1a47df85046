// SPDX-License-Identifier: Zlib
// The device's keys, leaves, nodes and cells are the bytes that the host builds. Also compiled for a real device.
#include "gpu/core/frontier.h"
#include "gpu/core/traverse.h"
#include "tests/device/device_world.h"
#include "tests/device/host_twin.h"
#include "tests/support/random_operations.h"

#include <cstring>
#include <tuple>

using namespace test;

namespace
{

using Param = std::tuple<cltAlgorithm, cltPrecision, cltOutput>;

class Stages : public testing::TestWithParam<Param>
{
protected:
    void SetUp() override
    {
        if ( !isUsable( clt_deviceCuda ) )
        {
            GTEST_SKIP() << "no CUDA device answers";
        }
        cltResearchDef research = cltDefaultResearchDef();
        research.output = std::get<cltOutput>( GetParam() );
        cltBroadphaseDef def = defOf( m_algorithm, m_precision );
        def.research = &research;
        m_world = std::make_unique<DeviceWorld>( def );
        m_world->beforeCommit = [this]( const cltUpload& upload ) { expectTwin( m_twin.build( upload ) ); };
    }

    /// Expects that `count` items of a device array are those of the host.
    void expectBytes( const char* what, const void* host, const cltCudaBuffer& device, size_t count, size_t itemSize )
    {
        const auto bytes = download<char>( *m_world->cuda, device.data, count * itemSize );
        EXPECT_TRUE( bytes.empty() || std::memcmp( host, bytes.data(), bytes.size() ) == 0 ) << what;
    }

    /// Expects the device to have the leaves and the search structure of the twin. After a kept order or region nothing
    /// is compared: the device has other leaves.
    void expectTwin( const cltReference& twin )
    {
        const cltCudaBackend& cuda = *m_world->cuda;
        ASSERT_EQ( twin.running, cuda.stats.algorithm );
        m_orders.insert( cuda.leaves.order );
        m_ran.insert( twin.running );
        if ( cuda.leaves.order != clt_orderNewRegion )
        {
            return;
        }
        const cltPlan plan = planOf( cuda );
        const cltLeaves& leaves = twin.table.leaves;
        const uint32_t searchableCount = twin.table.searchableCount;
        ASSERT_EQ( leaves.count, plan.leafCount );
        ASSERT_EQ( searchableCount, plan.searchableCount );
        EXPECT_EQ( twin.outlierCount, cuda.research.outlierCount );
        EXPECT_EQ( twin.candidateCount, cuda.research.candidateCount );
        expectBytes( "keys", twin.table.keys.data, cuda.leaves.keys, searchableCount, sizeof( uint64_t ) );
        expectBytes( "leaves", leaves.records, cuda.leaves.records, leaves.count, cltLeaf_Size( leaves.isDouble ) );
        if ( twin.running == clt_algorithmGrid )
        {
            const size_t count = cltGrid_CellCount( &plan.grid ) + 1u;
            ASSERT_EQ( 0, std::memcmp( &twin.cells.view.grid, &plan.grid, sizeof plan.grid ) );
            expectBytes( "starts", twin.cells.view.starts, cuda.cells.starts, count, sizeof( uint32_t ) );
        }
        else if ( twin.running == clt_algorithmLbvh )
        {
            const cltTree& tree = twin.tree.tree;
            const size_t count = tree.leafCount > 0 ? 2u * tree.leafCount - 1u : 0u;
            expectBytes( "nodes", tree.nodes, cuda.tree.nodes, count, sizeof( cltNode ) );
            expectBytes( "filters", tree.filters, cuda.tree.filters, tree.filters != nullptr ? count : 0u,
                         sizeof( cltFilter ) );
        }
        else if ( twin.running == clt_algorithmFrontier )
        {
            expectLevels( leaves, searchableCount, cuda );
        }
    }

    /// Builds a level tree on the host from the same leaves, with as many levels and nodes as the device's tree, and
    /// expects the device's tree to be equal.
    void expectLevels( const cltLeaves& leaves, uint32_t leafCount, const cltCudaBackend& cuda )
    {
        const cltLevels& levels = cuda.frontier.levels;
        std::vector<cltLevelNode> nodes( cltLevels_NodeCount( &levels ), cltLevelNode_Empty() );
        std::vector<uint8_t> moves( nodes.size() );
        const cltLevelTree tree = { levels, nodes.data(), moves.data() };
        for ( uint32_t i = 0; i < leafCount; ++i )
        {
            cltLevelTree_AddLeafStep( &tree, &leaves, i );
        }
        for ( uint32_t level = 1; level <= levels.top; ++level )
        {
            for ( uint32_t node = levels.starts[level]; node < levels.starts[level + 1]; ++node )
            {
                cltLevelTree_JoinStep( &tree, level, node );
            }
        }
        expectBytes( "nodes", nodes.data(), cuda.frontier.nodes, nodes.size(), sizeof( cltLevelNode ) );
        expectBytes( "moves", moves.data(), cuda.frontier.moves, cuda.frontier.recordsMoves ? moves.size() : 0, 1 );
    }

    const cltAlgorithm m_algorithm = std::get<cltAlgorithm>( GetParam() );
    const cltPrecision m_precision = std::get<cltPrecision>( GetParam() );
    HostTwin m_twin{ m_algorithm, m_precision };
    std::unique_ptr<DeviceWorld> m_world;
    std::set<cltLeafOrder> m_orders;
    std::set<cltAlgorithm> m_ran;
};

std::string nameOfParam( const testing::TestParamInfo<Param>& info )
{
    const auto [algorithm, precision, output] = info.param;
    return std::string( cltAlgorithmName( algorithm ) ) + ( precision == clt_precisionDouble ? "_double" : "_float" ) +
           ( output == clt_outputBits ? "_bits" : "_keys" );
}

INSTANTIATE_TEST_SUITE_P( keys, Stages,
                          testing::Combine( testing::Values( clt_algorithmGrid, clt_algorithmLbvh,
                                                             clt_algorithmFrontier ),
                                            testing::ValuesIn( allPrecisions ), testing::Values( clt_outputKeys ) ),
                          nameOfParam );
INSTANTIATE_TEST_SUITE_P( bits, Stages,
                          testing::Combine( testing::Values( clt_algorithmBruteForce ),
                                            testing::ValuesIn( allPrecisions ), testing::Values( clt_outputBits ) ),
                          nameOfParam );

} // namespace

/// Bodies appear, move, jump, gather in one place, change their filters and vanish. They are so dense that `lbvh`
/// replaces the grid.
TEST_P( Stages, AreTheSameBytesInEachPhase )
{
    WorldTarget target( *m_world );
    cullet::OperationSequence sequence( target, 31, 700, m_precision );
    for ( const cullet::Phase& phase : cullet::phases )
    {
        SCOPED_TRACE( phase.name );
        sequence.beginStep( phase );
        sequence.changeFilters();
        sequence.changeBoxes();
        m_world->update();
    }
    EXPECT_TRUE( m_algorithm != clt_algorithmGrid || m_ran.count( clt_algorithmLbvh ) > 0 );
}

/// In each step bodies move a little, and a few jump, get a NaN, grow large, are destroyed or get another filter. In
/// every third step a body appears, once outside of the region that the curve codes cover. In step 8 so many bodies
/// appear that a new region is found, and forty jump, so that they have two leaves.
TEST_P( Stages, AreTheSameBytesInEachOrder )
{
    Random random( 33 );
    Boxes boxes = randomCubes( random, 800, 12 );
    m_world->createAll( boxes );
    for ( uint32_t step = 0; step < ( m_algorithm == clt_algorithmBruteForce ? 4u : 14u ) && !HasFailure(); ++step )
    {
        SCOPED_TRACE( step );
        m_world->update();
        const bool isCrowded = step == 8;
        for ( uint32_t i = 0; i < ( isCrowded ? 200u : step % 3 == 2 ? 1u : 0u ); ++i )
        {
            m_world->create( cube( 3 + 0.01 * i, step == 5 ? 300 : 0, 0, 0.5 ) );
        }
        for ( uint32_t slot = 700; slot < 800; slot += 1 + step % 3 )
        {
            boxes[slot] = shifted( boxes[slot], random.between( -0.1, 0.1 ) );
            m_world->move( slot, boxes[slot] );
        }
        for ( uint32_t i = 0; i < 40 && isCrowded; ++i )
        {
            m_world->move( 600 + i, cube( 3.0 * i, 0, -40, 0.5 ) );
        }
        const uint32_t firstChanged = 40 * step; // slots from here on change in this step alone
        m_world->move( firstChanged, randomCube( random, 12 ) );
        m_world->move( firstChanged + 1, cube( 0, 0, 0, 300 ) );
        m_world->move( firstChanged + 2, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
        m_world->destroy( firstChanged + 3 );
        m_world->setFilter( firstChanged + 4, { 2, 5 } );
        m_world->move( firstChanged + 5, span( -infinity, infinity ) );
        for ( uint32_t i = 0; i < ( step > 0 ? 3u : 0u ); ++i ) // bodies of the previous step come back
        {
            m_world->move( firstChanged - 40 + i, boxes[firstChanged - 40 + i] );
        }
    }
    const bool keepsOrders = m_algorithm == clt_algorithmLbvh || m_algorithm == clt_algorithmFrontier;
    EXPECT_TRUE( !keepsOrders || m_orders.size() == 3 );
    EXPECT_EQ( 1u, m_ran.count( m_algorithm ) );
}

/// Six bodies lie far from all others, one on each side. So the region follows from the sorted sample of centres.
TEST_P( Stages, AreTheSameBytesIfAFewBodiesAreFarAway )
{
    Random random( 34 );
    Boxes boxes = randomCubes( random, 600, 12 );
    for ( int side = 0; side < 6; ++side )
    {
        const double distance = side < 3 ? 1e5 : -1e5;
        boxes[100 * side + 7] =
            cube( side % 3 == 0 ? distance : 0, side % 3 == 1 ? distance : 0, side % 3 == 2 ? distance : 0, 0.5 );
    }
    m_world->createAll( boxes );
    m_world->update();
    EXPECT_EQ( 1u, m_orders.count( clt_orderNewRegion ) );
}
