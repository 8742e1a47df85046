// SPDX-License-Identifier: Zlib
// CPU and CUDA side by side, stage by stage: the same bytes in keys, leaves, nodes, cells, changes and pairs. Also
// compiled for a real device.
#include "gpu/core/frontier.h"
#include "gpu/core/traverse.h"
#include "tests/device/host_twin.h"
#include "tests/device/table.h"
#include "tests/support/config.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>
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
        if ( !m_cuda.exists() )
        {
            GTEST_SKIP() << "no CUDA device answers";
        }
    }

    /// Expects that `count` items of a device array are those of the host.
    void expectBytes( const char* what, const void* host, const cltCudaBuffer& device, size_t count, size_t itemSize )
    {
        const auto bytes = download<char>( m_cuda.as<cltCudaBackend>(), device.data, count * itemSize );
        EXPECT_TRUE( bytes.empty() || std::memcmp( host, bytes.data(), bytes.size() ) == 0 ) << what;
    }

    /// Expects the device to have the leaves and the search structure of the twin. With a kept order or region it has
    /// other leaves.
    void expectStructure( const cltReference& twin, const cltCudaBackend& cuda )
    {
        const cltPlan plan = planOf( cuda );
        const cltLeaves& leaves = twin.table.leaves;
        const uint32_t searchableCount = twin.table.searchableCount;
        ASSERT_EQ( leaves.count, plan.leafCount );
        ASSERT_EQ( searchableCount, plan.searchableCount );
        EXPECT_EQ( m_host.researchStats().outlierCount, m_cuda.researchStats().outlierCount );
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
        expectBytes( "moves", moves.data(), cuda.frontier.moves, cuda.frontier.asksMoves ? moves.size() : 0, 1 );
    }

    /// Updates both backends, compares every stage, commits, and compares all pairs.
    void expectSame()
    {
        Keys hostKeys;
        Keys cudaKeys;
        ASSERT_EQ( clt_ok, m_host.update( m_table, &hostKeys ) );
        ASSERT_EQ( clt_ok, m_cuda.update( m_table, &cudaKeys ) );
        EXPECT_EQ( hostKeys, cudaKeys ) << "in changes";
        EXPECT_EQ( m_host.researchStats().candidateCount, m_cuda.researchStats().candidateCount );
        const cltReference& twin = m_twin.build( m_table.upload() );
        const cltCudaBackend& cuda = m_cuda.as<cltCudaBackend>();
        ASSERT_EQ( twin.running, m_host.stats().algorithm );
        ASSERT_EQ( twin.running, m_cuda.stats().algorithm );
        if ( cuda.leaves.order == clt_orderNewRegion )
        {
            ASSERT_NO_FATAL_FAILURE( expectStructure( twin, cuda ) );
        }
        m_orders.insert( cuda.leaves.order );
        m_table.commit();
        ASSERT_EQ( clt_ok, m_host.readPairs( m_table, &hostKeys ) );
        ASSERT_EQ( clt_ok, m_cuda.readPairs( m_table, &cudaKeys ) );
        EXPECT_EQ( hostKeys, cudaKeys ) << "in pairs";
    }

    const cltAlgorithm m_algorithm = std::get<cltAlgorithm>( GetParam() );
    const cltPrecision m_precision = std::get<cltPrecision>( GetParam() );
    Table m_table{ m_precision };
    HostTwin m_twin{ m_algorithm, m_precision };
    Backend m_host{ clt_deviceCpu, m_algorithm, m_precision };
    Backend m_cuda{ clt_deviceCuda, m_algorithm, m_precision, std::get<cltOutput>( GetParam() ) };
    std::set<cltLeafOrder> m_orders;
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

/// The scene is so dense, and has so many large bodies, that the tree replaces the grid.
TEST_P( Stages, AreTheSameBytesInADenseScene )
{
    Random random( 31 );
    for ( int i = 0; i < 700; ++i )
    {
        m_table.create( randomCube( random, 8 ) );
    }
    for ( int step = 0; step < 4; ++step )
    {
        SCOPED_TRACE( step );
        ASSERT_NO_FATAL_FAILURE( expectSame() );
        stir( m_table, random, step );
    }
}

/// In each step bodies move a little, and a few jump, hide, grow large, are destroyed or get another filter. In every
/// third step a body appears, once outside of the region. In step 8 so many bodies appear that a new region is found,
/// and forty jump, so that they have two leaves.
TEST_P( Stages, AreTheSameBytesInEachOrder )
{
    Random random( 33 );
    std::vector<cltAabbD> boxes = randomCubes( random, 800, 12 );
    for ( const cltAabbD& box : boxes )
    {
        m_table.create( box );
    }
    for ( uint32_t step = 0; step < ( m_algorithm == clt_algorithmBruteForce ? 4u : 14u ); ++step )
    {
        SCOPED_TRACE( step );
        ASSERT_NO_FATAL_FAILURE( expectSame() );
        const bool isCrowded = step == 8;
        for ( uint32_t i = 0; i < ( isCrowded ? 200u : step % 3 == 2 ? 1u : 0u ); ++i )
        {
            m_table.create( cube( 3 + 0.01 * i, step == 5 ? 300 : 0, 0, 0.5 ) );
        }
        for ( uint32_t slot = 700; slot < 800; slot += 1 + step % 3 )
        {
            boxes[slot] = shifted( boxes[slot], random.between( -0.1, 0.1 ) );
            m_table.move( slot, boxes[slot] );
        }
        for ( uint32_t i = 0; i < 40 && isCrowded; ++i )
        {
            m_table.move( 600 + i, cube( 3.0 * i, 0, -40, 0.5 ) );
        }
        const uint32_t odd = 40 * step; // slots from here on change in this step alone
        m_table.move( odd, randomCube( random, 12 ) );
        m_table.move( odd + 1, cube( 0, 0, 0, 300 ) );
        m_table.move( odd + 2, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
        m_table.destroy( odd + 3 );
        m_table.setFilter( odd + 4, { 2, 5 } );
        m_table.move( odd + 5, span( -infinity, infinity ) );
        if ( step > 0 ) // three bodies of the previous step come back
        {
            m_table.move( odd - 40, boxes[odd - 40] );
            m_table.move( odd - 39, boxes[odd - 39] );
            m_table.move( odd - 38, boxes[odd - 38] );
        }
    }
    const bool keepsOrders = m_algorithm == clt_algorithmLbvh || m_algorithm == clt_algorithmFrontier;
    EXPECT_TRUE( !keepsOrders || m_orders.size() == 3 );
}
