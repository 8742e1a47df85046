// SPDX-License-Identifier: Zlib
// Details of the kernels of `wide`: the tree of blocks, leaf counts just below and above multiples of a block's size,
// and which blocks are searched. Also compiled for a real device.
#include "tests/device/device_world.h"
#include "tests/device/host_twin.h"

#include <cstring>

using namespace test;

namespace
{

/// Expects a lane of a block above level 0 to hold the union of its child block, or NaN if it has no child.
void expectUnions( const cltWarpTree& tree, uint32_t level, uint32_t lane, uint32_t block )
{
    const uint32_t at = cltWarpTree_At( &tree, level, block );
    cltAabb box = cltWarpTree_Box( &tree, at, lane );
    ASSERT_EQ( lane >= cltWarpTree_ChildCount( &tree, level, block ), cltAabb_HasNan( &box ) );
    if ( cltAabb_HasNan( &box ) )
    {
        return;
    }
    const uint32_t child = cltWarpTree_At( &tree, level - 1, block * CLT_WARP_SIZE + lane );
    cltAabb bounds = cltAabb_Empty();
    cltFilter filter = { 0, 0 };
    for ( uint32_t i = 0; i < CLT_WARP_SIZE; ++i )
    {
        const cltAabb other = cltWarpTree_Box( &tree, child, i );
        const cltFilter filters = cltWarpTree_Filter( &tree, child, i );
        bounds = cltAabb_HasNan( &other ) ? bounds : cltAabb_Union( &bounds, &other );
        filter = cltFilter_Union( &filter, &filters );
    }
    EXPECT_EQ( 0, std::memcmp( &bounds, &box, sizeof box ) ) << level << ' ' << block << ' ' << lane;
    const cltFilter found = cltWarpTree_Filter( &tree, at, lane );
    EXPECT_EQ( std::make_pair( filter.group, filter.mask ), std::make_pair( found.group, found.mask ) );
    EXPECT_EQ( tree.moves[child] != 0, ( tree.moves[at] >> lane & 1u ) != 0 );
}

/// Expects level 0 of the tree to hold the boxes of the leaves.
void expectLeaves( const cltWarpTree& tree, const std::vector<cltLeaf>& records )
{
    for ( uint32_t i = 0; i < tree.leafCount; ++i )
    {
        cltLeaves leaves = {};
        leaves.records = const_cast<cltLeaf*>( records.data() );
        const cltAabb cover = cltLeaves_Cover( &leaves, i );
        const cltAabb box = cltWarpTree_Box( &tree, i / CLT_WARP_SIZE, i % CLT_WARP_SIZE );
        EXPECT_EQ( 0, std::memcmp( &cover, &box, sizeof box ) ) << i;
        EXPECT_EQ( cltLeafRef_Kind( records[i].ref ) != CLT_LEAF_STILL,
                   ( tree.moves[i / CLT_WARP_SIZE] >> i % CLT_WARP_SIZE & 1u ) != 0 );
    }
}

/// Expects level 0 of the device's last tree to match its leaves, and each other level to match the level below.
void expectTree( const cltCudaBackend& cuda )
{
    const cltDeviceBlocks& blocks = cuda.blocks;
    cltWarpTree tree = blocks.tree;
    tree.leafCount = planOf( cuda ).searchableCount;
    const uint32_t size = cltWarpTree_Size( &tree );
    auto boxes = download<cltWarpBoxes>( cuda, tree.boxes, size );
    auto moves = download<uint32_t>( cuda, tree.moves, size );
    auto filters = download<cltFilter>( cuda, tree.filters, tree.filters != nullptr ? size * CLT_WARP_SIZE : 0 );
    tree.boxes = boxes.data();
    tree.moves = moves.data();
    tree.filters = tree.filters != nullptr ? filters.data() : nullptr;
    expectLeaves( tree, download<cltLeaf>( cuda, cuda.leaves.records.data, tree.leafCount ) );
    for ( uint32_t level = 1; level <= cltWarpTree_Top( &tree ); ++level )
    {
        for ( uint32_t i = 0; i < cltWarpTree_BlockCount( &tree, level ) * CLT_WARP_SIZE; ++i )
        {
            expectUnions( tree, level, i % CLT_WARP_SIZE, i / CLT_WARP_SIZE );
        }
    }
    EXPECT_EQ( std::vector<uint32_t>( size ), download<uint32_t>( cuda, blocks.arrivals.data, size ) );
}

class Blocks : public testing::Test
{
protected:
    void SetUp() override
    {
        if ( !isUsable( clt_deviceCuda ) )
        {
            GTEST_SKIP() << "no CUDA device answers";
        }
    }

    Random m_random{ 33 };
};

} // namespace

/// Builds with and without filters, in a new and a kept order.
TEST_F( Blocks, HoldTheUnionsOfBlocksBelow )
{
    CubesOnCuda cubes( clt_algorithmWide, 1100, Random( 33 ) );
    ASSERT_FALSE( HasFailure() );
    const auto setFilter = [&]( cltProxyId proxy, const cltFilter& filter )
    { EXPECT_EQ( clt_ok, cltBroadphase_SetFilter( cubes.broadphase.get(), proxy, &filter ) ); };
    for ( int build = 0; build < cubes.buildCount && !HasFailure(); ++build )
    {
        ASSERT_EQ( clt_ok, cltBroadphase_Update( cubes.broadphase.get(), nullptr ) );
        EXPECT_EQ( build > 0, cubes.cuda->leaves.order == clt_orderKept );
        expectTree( *cubes.cuda );
        for ( cltProxyId proxy = 3; build == 1 && proxy < 100; ++proxy )
        {
            setFilter( proxy, { 1 << proxy % 5, 1 << proxy % 3 } );
        }
        setFilter( 7, { 1, build } );
    }
}

/// In two updates half of the bodies have moved, in the last update one body has.
TEST_F( Blocks, FindAllPairsWithAnyNumberOfLeaves )
{
    cltBroadphaseDef def = defOf( clt_algorithmWide );
    def.precision = clt_precisionDouble;
    for ( const uint32_t count : { 1u, 2u, 31u, 32u, 33u, 64u, 65u, 1023u, 1024u, 1025u, 1057u } )
    {
        SCOPED_TRACE( count );
        DeviceWorld world( def );
        world.createAll( randomCubes( m_random, count, 6 ) );
        for ( const uint32_t share : { 1u, 1u, count, count } )
        {
            world.update();
            for ( cltProxyId proxy = count / 2; proxy < count; proxy += share )
            {
                world.move( proxy, randomCube( m_random, 6 ) );
            }
        }
    }
}

/// The large bodies overlap all leaves: more than a warp lists at once, in all blocks on each level of the tree.
TEST_F( Blocks, FindABodyThatMeetsAllOthers )
{
    DeviceWorld world( clt_algorithmWide );
    world.createAll( boxesOf( 1500, []( int i ) { return cube( 3 * ( i % 100 ), 3 * ( i / 100 ), 0, 1 ); } ) );
    world.update();
    world.createAll( Boxes( CLT_OUTLIER_LIMIT + 1, span( -1, 1000 ) ) ); // so many are no outliers
    world.update();
    EXPECT_EQ( 0u, world.researchStats().outlierCount );
}
