// SPDX-License-Identifier: Zlib
// Splits of four sorted runs at diagonals equal those of a full sort: every diagonal of short runs, and few rounds for
// long ones.
#include "gpu/core/leaf.h"
#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/merge_split.cuh"
#include "tests/device/emulation/emulation.h"
#include "tests/support/boxes.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

using namespace test;

namespace
{

using Runs = std::array<std::vector<uint64_t>, CLT_MERGE_RUNS>;

struct Found
{
    uint64_t parts[CLT_MERGE_RUNS];
    uint32_t lookCount;
};

/// Runs in device memory.
struct Laid
{
    const uint64_t* keys;
    uint64_t width;
    uint64_t counts[CLT_MERGE_RUNS];
};

/// Each block finds two splits, at consecutive multiples of `stride`.
template <bool isOfLeaves>
__global__ void SplitKernel( Laid laid, uint64_t stride, Found* found )
{
    __shared__ uint64_t samples[2 * CLT_SPLIT_THREADS];
    __shared__ cltMergeSplit splits[2];
    const uint32_t run = threadIdx.x % CLT_MERGE_RUNS;
    const uint64_t total = cltSum( laid.counts );
    if ( threadIdx.x < 2 * CLT_MERGE_RUNS )
    {
        const uint32_t which = threadIdx.x / CLT_MERGE_RUNS;
        cltMergeSplit_Begin( splits + which, run, laid.counts[run], total - laid.counts[run],
                             cltLeast( ( 2 * blockIdx.x + which ) * stride, total ) );
    }
    const uint32_t lookCount = cltMergeSplit_FindBoth<isOfLeaves>( splits, samples, laid.keys, laid.width );
    if ( threadIdx.x < 2 * CLT_MERGE_RUNS )
    {
        Found* mine = found + 2 * blockIdx.x + threadIdx.x / CLT_MERGE_RUNS;
        mine->parts[run] = splits[threadIdx.x / CLT_MERGE_RUNS].low[run];
        mine->lookCount = lookCount;
    }
}

class MergeSplit : public testing::TestWithParam<emulation::Order>
{
protected:
    MergeSplit()
    {
        emulation::machine.order = GetParam();
        EXPECT_EQ( clt_ok, cltCudaVisit( &m_device, "test" ).status );
    }

    /// Splits at all multiples of `stride`, including the end and beyond.
    template <bool isOfLeaves>
    std::vector<Found> find( const Runs& runs, uint64_t stride )
    {
        Laid laid{ nullptr, 1, {} };
        uint64_t total = 0;
        for ( size_t run = 0; run < runs.size(); ++run )
        {
            laid.counts[run] = runs[run].size();
            laid.width = std::max<uint64_t>( laid.width, runs[run].size() );
            total += runs[run].size();
        }
        std::vector<uint64_t> keys( laid.width * CLT_MERGE_RUNS );
        for ( size_t run = 0; run < runs.size(); ++run )
        {
            std::copy( runs[run].begin(), runs[run].end(),
                       keys.begin() + static_cast<std::ptrdiff_t>( run * laid.width ) );
        }
        const uint32_t blockCount = static_cast<uint32_t>( total / stride / 2 + 1 );
        std::vector<Found> found( 2 * blockCount );
        cltCudaBuffer device;
        cltCudaBuffer result;
        EXPECT_EQ( clt_ok, cltCudaBuffer_Reserve( &device, &m_device, keys.size(), sizeof( uint64_t ) ) );
        EXPECT_EQ( clt_ok, cltCudaBuffer_Reserve( &result, &m_device, found.size(), sizeof( Found ) ) );
        EXPECT_EQ( clt_ok, cltCudaCopy( &m_device, device.data, keys.data(), keys.size() * sizeof( uint64_t ) ) );
        laid.keys = static_cast<const uint64_t*>( device.data );
        EXPECT_EQ( clt_ok,
                   cltLaunchBlocks( &m_device, "split", blockCount, 2 * CLT_SPLIT_THREADS, SplitKernel<isOfLeaves>,
                                    laid, stride, static_cast<Found*>( result.data ) ) );
        EXPECT_EQ( clt_ok, cltCudaCopy( &m_device, found.data(), result.data, found.size() * sizeof( Found ) ) );
        EXPECT_EQ( clt_ok, cltCudaDevice_Wait( &m_device ) );
        return found;
    }

    /// \return the most rounds
    template <bool isOfLeaves>
    uint32_t check( const Runs& runs, uint64_t stride )
    {
        std::vector<std::pair<uint64_t, uint32_t>> all; // by rank, equal ones by their runs
        for ( uint32_t run = 0; run < CLT_MERGE_RUNS; ++run )
        {
            for ( const uint64_t key : runs[run] )
            {
                all.emplace_back( cltMergeRank<isOfLeaves>( key ), run );
            }
        }
        std::sort( all.begin(), all.end() );
        std::array<uint64_t, CLT_MERGE_RUNS> expected{};
        uint64_t diagonal = 0;
        uint32_t lookCount = 0;
        for ( const Found& found : find<isOfLeaves>( runs, stride ) )
        {
            EXPECT_TRUE( std::equal( expected.begin(), expected.end(), found.parts ) ) << diagonal;
            lookCount = std::max( lookCount, found.lookCount );
            for ( uint64_t i = 0; i < stride && diagonal < all.size(); ++i )
            {
                ++expected[all[diagonal++].second];
            }
        }
        return lookCount;
    }

    /// Sorted numbers below a limit.
    std::vector<uint64_t> run( size_t count, uint32_t limit, uint64_t first = 0 )
    {
        std::vector<uint64_t> keys( count );
        std::generate( keys.begin(), keys.end(), [&] { return first + m_random.below( limit ); } );
        std::sort( keys.begin(), keys.end() );
        return keys;
    }

    emulation::Cleanup m_cleanup;
    cltCudaDevice m_device = {};
    Random m_random{ 19 };
};

INSTANTIATE_TEST_SUITE_P(, MergeSplit, testing::Values( emulation::Order::forward, emulation::Order::backward ),
                         []( const auto& info )
                         { return info.param == emulation::Order::forward ? "forward" : "backward"; } );

} // namespace

/// Empty runs, runs of one key, of fewer and more keys than samples; of few values, mostly equal, and of many.
TEST_P( MergeSplit, IsExactAtEachDiagonal )
{
    const std::array<uint32_t, 8> counts = { 0, 1, 2, 63, 64, 65, 130, 300 };
    for ( int i = 0; i < 60; ++i )
    {
        Runs runs;
        for ( std::vector<uint64_t>& keys : runs )
        {
            keys = run( counts[m_random.below( 8 )], i % 2 == 0 ? 4 : 100000 );
        }
        check<false>( runs, 1 + m_random.below( 5 ) );
    }
}

/// The greatest key is a valid key, although missing samples hold it too.
TEST_P( MergeSplit, HandlesTheGreatestKeys )
{
    for ( int i = 0; i < 30; ++i )
    {
        Runs runs;
        for ( std::vector<uint64_t>& keys : runs )
        {
            keys = run( m_random.below( i % 2 == 0 ? 60 : 400 ), 3, UINT64_MAX - 2 );
        }
        EXPECT_GE( i % 2 == 0 ? 1u : 2u, check<false>( runs, 1 + m_random.below( 5 ) ) );
    }
}

/// Leaves that differ only in kind stay before leaves of later slots.
TEST_P( MergeSplit, OrdersLeavesBySlotBeforeKind )
{
    Runs runs;
    for ( uint32_t slot = 0; slot < 500; ++slot )
    {
        for ( const uint32_t kind : { CLT_LEAF_CURRENT, CLT_LEAF_PREVIOUS } )
        {
            runs[m_random.below( CLT_MERGE_RUNS )].push_back( uint64_t( slot / 100 ) << 32 |
                                                              cltLeafRef_Make( slot, kind ) );
        }
    }
    check<true>( runs, 3 );
}

/// A pass that produces a run of a million keys, of interleaved, disjoint, and differently dense runs. Five rounds are
/// the worst case.
TEST_P( MergeSplit, TakesFourRoundsForAMillionKeys )
{
    const size_t width = 64 * 4096;
    Runs interleaved;
    Runs apart;
    Runs dense;
    for ( uint32_t i = 0; i < CLT_MERGE_RUNS; ++i )
    {
        interleaved[i] = run( width, 1u << 31 );
        apart[i] = run( width, 1u << 29, uint64_t( CLT_MERGE_RUNS - i ) << 29 );
        dense[i] = run( width, 1u << ( 7 * i + 10 ) );
    }
    for ( const Runs* runs : { &interleaved, &apart, &dense } )
    {
        EXPECT_GE( 4u, check<false>( *runs, 15013 ) );
    }
}
