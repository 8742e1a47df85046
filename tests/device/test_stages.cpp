// SPDX-License-Identifier: Zlib
// CPU and CUDA side by side, stage by stage: the same bytes in keys, leaves, nodes, cells, changes and pairs. Also
// compiled for a real device.
#include "gpu/core/frontier.h"
#include "gpu/core/traverse.h"
#include "tests/device/host_twin.h"
#include "tests/device/table.h"
#include "tests/support/config.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
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

    void expectLeaves( const cltLeafTable& host, const cltDeviceLeaves& device )
    {
        const cltPlan plan = planOf( m_cuda.as<cltCudaBackend>() );
        const size_t count = host.leaves.count;
        ASSERT_EQ( count, plan.leafCount );
        ASSERT_EQ( host.searchableCount, plan.searchableCount );
        expectBytes( "keys", host.keys.data, device.keys, host.searchableCount, sizeof( uint64_t ) );
        expectBytes( "leaves", host.records.data, device.records, count, cltLeaf_Size( host.leaves.isDouble ) );
    }

    void expectCells( const cltCells& host, const cltDeviceCells& device )
    {
        const cltGrid grid = planOf( m_cuda.as<cltCudaBackend>() ).grid;
        ASSERT_EQ( 0, std::memcmp( &host.grid, &grid, sizeof grid ) );
        const size_t count = cltGrid_CellCount( &grid ) + 1u;
        expectBytes( "starts", host.starts, device.starts, count, sizeof( uint32_t ) );
    }

    void expectTree( const cltTree& host, const cltDeviceTree& device )
    {
        const size_t nodeCount = host.leafCount > 0 ? 2u * host.leafCount - 1u : 0u;
        expectBytes( "nodes", host.nodes, device.nodes, nodeCount, sizeof( cltNode ) );
        expectBytes( "filters", host.filters, device.filters, host.filters != nullptr ? nodeCount : 0u,
                     sizeof( cltFilter ) );
    }

    /// Expects the keys of a new order over the kept region to be those computed on the host.
    void expectKeys( const cltSlots& slots, const cltPlan& plan, const std::vector<uint64_t>& keys )
    {
        std::vector<uint64_t> expected;
        std::vector<uint32_t> placeCounts( CLT_PLACE_COUNT );
        for ( uint32_t slot = 0; slot < slots.count; ++slot )
        {
            uint32_t place = CLT_PLACE_COUNT;
            const uint64_t key = cltSlots_OnlyKey( &slots, slot, &plan.curve, plan.outlierBin, &place );
            if ( key != CLT_NO_KEY )
            {
                expected.push_back( key );
                ++placeCounts[place];
            }
        }
        std::sort( expected.begin(), expected.end() );
        EXPECT_EQ( expected, keys );
        EXPECT_EQ( placeCounts, std::vector<uint32_t>( plan.placeCounts, plan.placeCounts + CLT_PLACE_COUNT ) );
        EXPECT_EQ( expected.size(), plan.searchableCount + placeCounts[CLT_PLACE_NONE] );
    }

    /// Checks an order with one leaf per slot: each slot with a box has a leaf, and leaves and nodes are what the host
    /// makes of this order.
    void expectOnly( const cltUpload& upload, const cltCudaBackend& cuda )
    {
        const bool isDouble = m_precision == clt_precisionDouble;
        const cltSlots slots = { upload.boxes, upload.before, upload.states, isDouble, upload.slotCount };
        const cltPlan plan = planOf( cuda );
        const uint32_t count = plan.leafCount;
        const auto keys = download<uint64_t>( cuda, cuda.leaves.keys.data, count );
        std::vector<cltLeafD> records( count );
        const cltLeaves leaves = { records.data(), { upload.filters, upload.filtersBefore }, isDouble, 0, count };
        if ( cuda.leaves.order == clt_orderLastRegion )
        {
            expectKeys( slots, plan, keys );
        }
        std::vector<uint32_t> leavesOfSlot( upload.slotCount );
        uint32_t outlierCount = 0;
        for ( uint32_t i = 0; i < count; ++i )
        {
            const auto outlierBin = plan.outlierBin;
            outlierCount += cltLeaves_RegatherStep( &leaves, i, keys[i], outlierBin, &slots );
            leavesOfSlot[cltLeafRef_Slot( cltLeaves_Ref( &leaves, i ) )] +=
                cltLeafRef_Kind( static_cast<cltLeafRef>( keys[i] ) ) != CLT_LEAF_PREVIOUS;
        }
        EXPECT_EQ( outlierCount, plan.outlierCount );
        EXPECT_EQ( outlierCount, m_cuda.researchStats().outlierCount );
        for ( uint32_t slot = 0; slot < upload.slotCount; ++slot )
        {
            cltLeafSeed seeds[2];
            EXPECT_EQ( cltSlots_Seed( &slots, slot, seeds ) > 0 ? 1u : leavesOfSlot[slot], leavesOfSlot[slot] );
        }
        expectBytes( "leaves", records.data(), cuda.leaves.records, count, cltLeaf_Size( isDouble ) );
        if ( m_algorithm == clt_algorithmFrontier )
        {
            expectLevels( leaves, plan.searchableCount, cuda );
        }
        else
        {
            expectClimb( leaves, keys, plan.searchableCount, cuda );
        }
    }

    /// Expects the level tree that the host builds from the same leaves and shape.
    void expectLevels( cltLeaves leaves, uint32_t leafCount, const cltCudaBackend& cuda )
    {
        const cltLevels& levels = cuda.frontier.levels;
        std::vector<cltLevelNode> nodes( cltLevels_NodeCount( &levels ), cltLevelNode_Empty() );
        std::vector<uint8_t> moves( nodes.size() );
        leaves.filters = cuda.leaves.view.filters.now != nullptr ? leaves.filters : cltPairFilters();
        const cltLevelTree tree = { levels, nodes.data(), moves.data() };
        for ( uint32_t i = 0; i < leafCount; ++i )
        {
            if ( !cltLeaves_IsOutlier( &leaves, i ) )
            {
                cltLevelTree_AddLeafStep( &tree, &leaves, i );
            }
        }
        for ( uint32_t level = 1; level <= levels.top; ++level )
        {
            for ( uint32_t node = levels.starts[level]; node < levels.starts[level + 1]; ++node )
            {
                cltLevelTree_JoinStep( &tree, level, node );
            }
        }
        EXPECT_EQ( cuda.leaves.room, cltLevels_LeafCount( &levels ) );
        expectBytes( "nodes", nodes.data(), cuda.frontier.nodes, nodes.size(), sizeof( cltLevelNode ) );
        expectBytes( "moves", moves.data(), cuda.frontier.moves, cuda.frontier.asksMoves ? moves.size() : 0, 1 );
    }

    void expectClimb( cltLeaves leaves, const std::vector<uint64_t>& keys, uint32_t leafCount,
                      const cltCudaBackend& cuda )
    {
        const bool hasFilters = cuda.leaves.view.filters.now != nullptr;
        std::vector<cltNode> nodes( 2 * leafCount );
        std::vector<cltFilter> filters( 2 * leafCount );
        std::vector<uint32_t> meetings( leafCount, CLT_NO_PARTNER );
        const cltTree tree = { nodes.data(), keys.data(), meetings.data(), leafCount,
                               hasFilters ? filters.data() : nullptr };
        for ( uint32_t i = 0; i < leafCount; ++i )
        {
            cltTree_AddLeafStep( &tree, &leaves, i );
        }
        expectTree( tree, cuda.tree );
    }

    /// Updates both, compares every stage, commits, and compares all pairs.
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
        cuda.leaves.order == clt_orderNewRegion ? expectSorted( twin, cuda ) : expectOnly( m_table.upload(), cuda );
        m_table.commit();
        ASSERT_EQ( clt_ok, m_host.readPairs( m_table, &hostKeys ) );
        ASSERT_EQ( clt_ok, m_cuda.readPairs( m_table, &cudaKeys ) );
        EXPECT_EQ( hostKeys, cudaKeys ) << "in pairs";
    }

    void expectSorted( const cltReference& twin, const cltCudaBackend& cuda )
    {
        EXPECT_EQ( m_host.researchStats().outlierCount, m_cuda.researchStats().outlierCount );
        expectLeaves( twin.table, cuda.leaves );
        if ( twin.running == clt_algorithmGrid )
        {
            expectCells( twin.cells.view, cuda.cells );
        }
        else if ( twin.running == clt_algorithmLbvh )
        {
            expectTree( twin.tree.tree, cuda.tree );
        }
        else if ( twin.running == clt_algorithmFrontier )
        {
            expectLevels( twin.table.leaves, twin.table.searchableCount, cuda );
        }
    }

    const cltAlgorithm m_algorithm = std::get<cltAlgorithm>( GetParam() );
    const cltPrecision m_precision = std::get<cltPrecision>( GetParam() );
    Table m_table{ m_precision };
    HostTwin m_twin{ m_algorithm, m_precision };
    Backend m_host{ clt_deviceCpu, m_algorithm, m_precision };
    Backend m_cuda{ clt_deviceCuda, m_algorithm, m_precision, std::get<cltOutput>( GetParam() ) };
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

/// So dense, and with so many large bodies, that a grid is replaced by the tree.
TEST_P( Stages, AreTheSameBytesInADenseScene )
{
    Random random( 31 );
    for ( int step = 0; step < 8; ++step )
    {
        SCOPED_TRACE( step );
        stir( m_table, random, step );
        for ( int i = 0; step == 0 && i < 1200; ++i )
        {
            m_table.create( randomCube( random, 12 ) );
        }
        expectSame();
    }
}

/// Moves, hides or refilters a body; the scene stays spread.
static void stirSpread( Table& table, Random& random, uint32_t slot )
{
    const uint32_t kind = random.below( 20 );
    if ( kind == 0 )
    {
        table.move( slot, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
    }
    else if ( kind == 1 )
    {
        table.setFilter( slot, { 1 << random.below( 3 ), static_cast<int32_t>( random.below( 8 ) ) } );
    }
    else if ( slot < 20 ) // in too many cells or in none
    {
        table.move( slot, slot % 4 == 0 ? span( random.between( -9, 9 ), -infinity )
                                        : cube( random.between( -9, 9 ), 0, 0, random.between( 4, 30 ) ) );
    }
    else
    {
        table.move( slot, randomCube( random, 12 ) );
    }
}

TEST_P( Stages, AreTheSameBytesInASpreadScene )
{
    Random random( 32 );
    for ( int i = 0; i < 800; ++i )
    {
        m_table.create( randomCube( random, 12 ) );
    }
    for ( uint32_t share : { 1u, 7u, 2u, 100u } )
    {
        expectSame();
        EXPECT_EQ( m_algorithm, m_cuda.stats().algorithm );
        for ( uint32_t slot = 0; slot < m_table.slotCount(); slot += 1 + random.below( 2 * share - 1 ) )
        {
            stirSpread( m_table, random, slot );
        }
    }
}

/// Bodies move a little; sometimes some jump, hide, outgrow the others, are destroyed or change their filter; none is
/// created.
TEST_P( Stages, AreTheSameBytesInAKeptOrder )
{
    Random random( 33 );
    std::vector<cltAabbD> boxes;
    for ( uint32_t slot = 0; slot < 800; ++slot )
    {
        boxes.push_back( randomCube( random, 12 ) );
        m_table.create( boxes[slot] );
    }
    int keptCount = 0;
    for ( int step = 0; step < 12; ++step )
    {
        SCOPED_TRACE( step );
        expectSame();
        keptCount += m_cuda.as<cltCudaBackend>().leaves.order == clt_orderKept;
        const uint32_t odd = 100u * static_cast<uint32_t>( step ); // a few slots that are not used otherwise
        for ( uint32_t slot = 0; slot < 800; slot += step % 3 == 2 ? 9 : 1 )
        {
            if ( slot >= 700 ) // they may be gone
            {
                const double by = random.between( -0.1, 0.1 );
                for ( int axis = 0; axis < 3; ++axis )
                {
                    boxes[slot].lower[axis] += by;
                    boxes[slot].upper[axis] += by;
                }
                m_table.move( slot, boxes[slot] );
            }
        }
        if ( odd < 700 )
        {
            m_table.move( odd, randomCube( random, 12 ) ); // jumps, and comes back
            m_table.move( odd + 1, cube( 0, 0, 0, 300 ) );
            m_table.move( odd + 2, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
            m_table.destroy( odd + 3 );
            m_table.setFilter( odd + 4, { 2, 5 } );
            m_table.move( odd + 5, { { -infinity, -infinity, -infinity }, { infinity, infinity, infinity } } );
        }
        if ( odd >= 100 && odd < 800 )
        {
            m_table.move( odd - 100, boxes[odd - 100] );
            m_table.move( odd - 99, boxes[odd - 99] );
        }
    }
    EXPECT_EQ( m_algorithm == clt_algorithmLbvh || m_algorithm == clt_algorithmFrontier ? 11 : 0, keptCount );
}

/// A body is created in each update, so all are sorted, over the region of the first update. Some bodies hide, jump,
/// outgrow the others or leave the region.
TEST_P( Stages, AreTheSameBytesInAKeptRegion )
{
    Random random( 35 );
    std::vector<cltAabbD> boxes;
    for ( uint32_t slot = 0; slot < 800; ++slot )
    {
        boxes.push_back( randomCube( random, 12 ) );
        m_table.create( boxes[slot] );
    }
    int inRegionCount = 0;
    for ( uint32_t step = 0; step < 12; ++step )
    {
        SCOPED_TRACE( step );
        expectSame();
        inRegionCount += m_cuda.as<cltCudaBackend>().leaves.order == clt_orderLastRegion;
        for ( uint32_t i = 0; i < ( step == 5 ? 200 : 1 ); ++i ) // so many that a new region is found
        {
            m_table.create( cube( 3 + 0.01 * i, step % 3 == 0 ? 300 : 0, 0, 0.5 ) ); // some are outside of it
        }
        for ( uint32_t slot = 700; slot < 800; slot += 1 + step % 3 )
        {
            boxes[slot].upper[0] += 0.1;
            m_table.move( slot, boxes[slot] );
        }
        for ( uint32_t i = 0; step == 5 && i < 40; ++i ) // bodies that jump then have two leaves
        {
            m_table.move( 600 + i, cube( 3.0 * i, 0, -40, 0.5 ) );
        }
        const uint32_t odd = 50 * step;              // a few slots that are not used otherwise
        m_table.move( odd, cube( 0, 0, 200, 0.5 ) ); // jumps
        m_table.move( odd + 1, cube( 0, 0, 0, 300 ) );
        m_table.move( odd + 2, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
        m_table.destroy( odd + 3 );
        m_table.setFilter( odd + 4, { 2, 5 } );
        m_table.move( odd + 5, span( -infinity, infinity ) );
    }
    EXPECT_TRUE( m_algorithm == clt_algorithmBruteForce || m_algorithm == clt_algorithmGrid || inRegionCount == 10 )
        << inRegionCount;
}
