// SPDX-License-Identifier: Zlib
// The device's sort equals std::sort for counts around tiles, in either order of execution, whatever the capacity.
#include "gpu/core/leaf.h"
#include "gpu/cuda/merge_sort.cuh"
#include "tests/device/emulation/emulation.h"
#include "tests/support/boxes.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace test;

namespace
{

constexpr uint64_t tile = 4096;

class MergeSort : public testing::TestWithParam<emulation::Order>
{
protected:
    MergeSort()
    {
        emulation::machine.order = GetParam();
        EXPECT_EQ( clt_ok, cltCudaVisit( &m_device, "test" ).status );
    }

    /// Sorts the first `knownCount` + `more` keys; only the device knows `more`. The capacity is the size of `keys`.
    std::vector<uint64_t> sort( const std::vector<uint64_t>& keys, uint64_t knownCount, uint64_t more,
                                bool isOfLeaves = false )
    {
        const uint64_t room = keys.size();
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

/// Counts: 0, 1, and numbers near one, four and sixteen tiles, which take up to three merge passes. Patterns, in order:
/// random keys; many equal or maximal keys; four patterns of ascending, descending or disjoint runs, for one-sided
/// merges; keys dealt to the tiles in turn, for balanced merges. A count above the capacity sorts the whole capacity.
TEST_P( MergeSort, SortsByValue )
{
    using Pattern = uint64_t ( * )( uint64_t, uint64_t, Random& );
    const Pattern patterns[] = {
        []( uint64_t, uint64_t, Random& random )
        { return uint64_t( random.below( 1u << 31 ) ) << 25 ^ random.below( 1u << 31 ); },
        []( uint64_t i, uint64_t, Random& ) { return i * 7 % 5 == 0 ? UINT64_MAX : i * 7 % 5; },
        []( uint64_t i, uint64_t, Random& ) { return i; },
        []( uint64_t i, uint64_t count, Random& ) { return count - i; },
        []( uint64_t i, uint64_t count, Random& ) { return i < count - std::min( count, tile ) ? count + i : i; },
        []( uint64_t i, uint64_t count, Random& ) { return i < count / 2 ? count - i : count + i; },
        []( uint64_t i, uint64_t count, Random& ) { return i % tile * ( count / tile + 1 ) + i / tile; },
    };
    uint64_t kind = 0;
    for ( const uint64_t count : { 0, 1, 4095, 4096, 4097, 16383, 16385, 65536, 69633 } )
    {
        for ( const Pattern& pattern : patterns )
        {
            const uint64_t room = count + ( kind++ % 2 == 0 ? 1 : 16 * tile + 9 );
            SCOPED_TRACE( std::to_string( count ) + " in " + std::to_string( room ) );
            std::vector<uint64_t> keys( room, 3 );
            for ( uint64_t i = 0; i < count; ++i )
            {
                keys[i] = pattern( i, count, m_random );
            }
            std::vector<uint64_t> expected = keys;
            const bool overflows = kind % 5 == 0;
            std::sort( expected.begin(), overflows ? expected.end() : expected.end() - int64_t( room - count ) );
            std::vector<uint64_t> sorted = sort( keys, count / 3, overflows ? room : count - count / 3 );
            expected.resize( overflows ? room : count );
            sorted.resize( expected.size() );
            EXPECT_TRUE( expected == sorted );
        }
    }
}

/// Leaves sort by code, then slot, then kind; entries without a leaf come last.
TEST_P( MergeSort, SortsLeavesByCodeSlotAndKind )
{
    std::vector<uint64_t> expected;
    for ( uint32_t slot = 0; slot < 60000; ++slot ) // 18 tiles of leaves
    {
        const uint64_t code = uint64_t( slot / 6000 ) << 32;
        expected.push_back( code | cltLeafRef_Make( slot, slot % 5 == 0 ? uint32_t( CLT_LEAF_CURRENT ) : slot % 2 ) );
        if ( slot % 5 == 0 )
        {
            expected.push_back( code | cltLeafRef_Make( slot, CLT_LEAF_PREVIOUS ) );
        }
    }
    expected.resize( expected.size() + 50, CLT_NO_KEY );
    std::vector<uint64_t> keys = expected;
    for ( size_t i = keys.size(); i > 1; --i )
    {
        std::swap( keys[i - 1], keys[m_random.below( static_cast<uint32_t>( i ) )] );
    }
    EXPECT_TRUE( expected == sort( keys, 0, keys.size(), true ) );
}

/// One launch sorts tiles, and each further launch leaves a quarter of the runs.
TEST( MergeSortPasses, AreFourForAMillionKeys )
{
    uint64_t most = tile;
    for ( uint32_t count = 0; count < 6; ++count, most *= 4 )
    {
        EXPECT_EQ( count, cltMergeSort_MergeCount( most ) );
        EXPECT_EQ( count + 1u, cltMergeSort_MergeCount( most + 1 ) );
    }
    EXPECT_EQ( 0u, cltMergeSort_MergeCount( 0 ) );
    EXPECT_EQ( 4u, cltMergeSort_MergeCount( 1000000 ) );
}
