// SPDX-License-Identifier: Zlib
// The device's sort equals std::sort for counts around tiles, in either order of execution, whatever the capacity.
#include "gpu/core/leaf.h"
#include "gpu/cuda/merge_sort.cuh"
#include "tests/device/emulation/emulation.h"
#include "tests/support/boxes.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <tuple>

using namespace test;

namespace
{

constexpr uint64_t tile = 4096;

/// No key, few, and counts around one, some and more tiles than one merge takes: up to two passes.
std::vector<uint64_t> countsAroundTiles()
{
    std::vector<uint64_t> counts = { 0, 1, 9 };
    for ( const uint64_t tileCount : { 1, 3, 4, 5, 16, 17 } )
    {
        for ( const uint64_t more : { 0, 1, 2 } )
        {
            counts.push_back( tileCount * tile + more - 1 );
        }
    }
    return counts;
}

class MergeSort : public testing::TestWithParam<emulation::Order>
{
protected:
    MergeSort()
    {
        emulation::machine.order = GetParam();
        EXPECT_EQ( clt_ok, cltCudaVisit( &m_device, "test" ).status );
    }

    /// Sorts knownCount + more keys; returns the first `room` keys of the array.
    std::vector<uint64_t> sort( const std::vector<uint64_t>& keys, uint64_t room, uint64_t knownCount, uint64_t more,
                                bool isOfLeaves )
    {
        cltCudaBuffer device;
        cltCudaBuffer spare;
        cltCudaBuffer count;
        std::vector<uint64_t> sorted( room );
        EXPECT_EQ( clt_ok, cltCudaBuffer_Reserve( &device, &m_device, room, sizeof( uint64_t ) ) );
        EXPECT_EQ( clt_ok, cltCudaBuffer_Reserve( &spare, &m_device, room, sizeof( uint64_t ) ) );
        EXPECT_EQ( clt_ok, cltCudaBuffer_Reserve( &count, &m_device, 1, sizeof( uint64_t ) ) );
        EXPECT_EQ( clt_ok, cltCudaCopy( &m_device, device.data, keys.data(), room * sizeof( uint64_t ) ) );
        EXPECT_EQ( clt_ok, cltCudaCopy( &m_device, count.data, &more, sizeof more ) );
        const cltMergeSort run = { static_cast<uint64_t*>( device.data ),
                                   static_cast<uint64_t*>( spare.data ),
                                   room,
                                   knownCount,
                                   static_cast<const uint64_t*>( count.data ),
                                   isOfLeaves };
        EXPECT_EQ( clt_ok, cltMergeSort_Run( &run, &m_device ) );
        EXPECT_EQ( clt_ok, cltCudaCopy( &m_device, sorted.data(), device.data, room * sizeof( uint64_t ) ) );
        EXPECT_EQ( clt_ok, cltCudaDevice_Wait( &m_device ) );
        return sorted;
    }

    emulation::Cleanup m_cleanup;
    cltCudaDevice m_device = {};
    Random m_random{ 77 };
};

INSTANTIATE_TEST_SUITE_P(, MergeSort, testing::Values( emulation::Order::forward, emulation::Order::backward ),
                         []( const auto& info )
                         { return info.param == emulation::Order::forward ? "forward" : "backward"; } );

} // namespace

TEST_P( MergeSort, SortsByValue )
{
    for ( const uint64_t count : countsAroundTiles() )
    {
        for ( const uint64_t room : { std::max<uint64_t>( count, 1 ), count + 16 * tile + 9 } )
        {
            SCOPED_TRACE( std::to_string( count ) + " in " + std::to_string( room ) );
            std::vector<uint64_t> keys( room );
            for ( uint64_t& key : keys )
            {
                key = uint64_t( m_random.below( 1u << 31 ) ) << 25 ^ m_random.below( 1u << 31 );
            }
            std::vector<uint64_t> expected( keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>( count ) );
            std::sort( expected.begin(), expected.end() );
            std::vector<uint64_t> sorted = sort( keys, room, count / 3, count - count / 3, false );
            sorted.resize( count );
            EXPECT_TRUE( expected == sorted );
        }
    }
}

/// One-sided merges: ascending and descending keys, a tile of small keys behind all others, disjoint runs of runs.
/// Balanced merges: keys dealt to the tiles in turn, and many equal keys.
TEST_P( MergeSort, MergesDisjointAndInterleavedRuns )
{
    const std::array<uint64_t ( * )( uint64_t, uint64_t ), 6> patterns = {
        []( uint64_t i, uint64_t ) { return i; },
        []( uint64_t i, uint64_t count ) { return count - i; },
        []( uint64_t i, uint64_t count ) { return i < count - std::min( count, tile ) ? count + i : i; },
        []( uint64_t i, uint64_t count ) { return i < count / 2 ? count - i : count + i; },
        []( uint64_t i, uint64_t count ) { return i % tile * ( count / tile + 1 ) + i / tile; },
        []( uint64_t i, uint64_t ) { return i * 7 % 5; },
    };
    for ( size_t number = 0; number < patterns.size(); ++number )
    {
        for ( const uint64_t count : { 3 * tile + 1, 5 * tile - 1, 17 * tile + 1, 22 * tile } )
        {
            SCOPED_TRACE( std::to_string( count ) + " by pattern " + std::to_string( number ) );
            std::vector<uint64_t> keys( count );
            for ( uint64_t i = 0; i < count; ++i )
            {
                keys[i] = patterns[number]( i, count );
            }
            std::vector<uint64_t> expected = keys;
            std::sort( expected.begin(), expected.end() );
            EXPECT_TRUE( expected == sort( keys, count, count, 0, false ) );
        }
    }
}

/// Leaves sort by code, then slot, then kind; places without a leaf last.
TEST_P( MergeSort, SortsLeavesByCodeSlotAndKind )
{
    const uint32_t slotCount = 60000; // 18 tiles of leaves
    std::vector<uint64_t> expected;
    for ( uint32_t slot = 0; slot < slotCount; ++slot )
    {
        const uint64_t code = uint64_t( slot / 6000 ) << 32;
        if ( slot % 5 == 0 )
        {
            expected.push_back( code | cltLeafRef_Make( slot, CLT_LEAF_CURRENT ) );
            expected.push_back( code | cltLeafRef_Make( slot, CLT_LEAF_PREVIOUS ) );
        }
        else
        {
            expected.push_back( code | cltLeafRef_Make( slot, slot % 2 ) );
        }
    }
    expected.resize( expected.size() + 50, CLT_NO_KEY );
    std::vector<uint64_t> keys = expected;
    for ( size_t i = keys.size(); i > 1; --i )
    {
        std::swap( keys[i - 1], keys[m_random.below( static_cast<uint32_t>( i ) )] );
    }
    EXPECT_TRUE( expected == sort( keys, keys.size(), 0, keys.size(), true ) );
}

/// Keys beyond the capacity are not touched.
TEST_P( MergeSort, SortsUpToItsCapacity )
{
    std::vector<uint64_t> keys( tile + 3 );
    for ( uint64_t& key : keys )
    {
        key = m_random.below( 1u << 31 );
    }
    std::vector<uint64_t> expected = keys;
    std::sort( expected.begin(), expected.end() );
    EXPECT_TRUE( expected == sort( keys, keys.size(), 5, 1000000, false ) );
}

/// One launch sorts tiles, and each further launch leaves a quarter of the runs.
TEST( MergeSortPasses, AreFourForAMillionKeys )
{
    EXPECT_EQ( 0u, cltMergeSort_MergeCount( 0 ) );
    EXPECT_EQ( 0u, cltMergeSort_MergeCount( tile ) );
    EXPECT_EQ( 1u, cltMergeSort_MergeCount( tile + 1 ) );
    EXPECT_EQ( 1u, cltMergeSort_MergeCount( 4 * tile ) );
    EXPECT_EQ( 2u, cltMergeSort_MergeCount( 4 * tile + 1 ) );
    EXPECT_EQ( 3u, cltMergeSort_MergeCount( 16 * tile + 1 ) );
    EXPECT_EQ( 4u, cltMergeSort_MergeCount( 1000000 ) );
    EXPECT_EQ( 4u, cltMergeSort_MergeCount( 256 * tile ) );
    EXPECT_EQ( 5u, cltMergeSort_MergeCount( 256 * tile + 1 ) );
    EXPECT_EQ( 5u, cltMergeSort_MergeCount( 1024 * tile ) );
}
