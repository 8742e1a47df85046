// SPDX-License-Identifier: Zlib
// CPU and CUDA side by side, stage by stage: the same bytes in keys, leaves, nodes, cells, changes and pairs. On a
// machine with a device the same comparison runs there.
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/cuda/host_arrays.h"
#include "tests/cuda/table.h"
#include "tests/support/config.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <tuple>

using namespace test;

namespace
{

const cltCudaBackend* insideOf( const Backend& backend )
{
    return reinterpret_cast<const cltCudaBackend*>( backend.get() );
}

/// The first `count` items of an array on the device.
template <typename Item>
std::vector<Item> download( const cltCudaBackend* cuda, const void* data, size_t count )
{
    void* pinned = nullptr;
    const size_t bytes = count * sizeof( Item );
    EXPECT_EQ( cudaSuccess, cudaMallocHost( &pinned, bytes + 1 ) );
    EXPECT_EQ( cudaSuccess, cudaMemcpyAsync( pinned, data, bytes, cudaMemcpyDefault, cuda->device.stream ) );
    EXPECT_EQ( cudaSuccess, cudaStreamSynchronize( cuda->device.stream ) );
    const Item* items = static_cast<const Item*>( pinned );
    std::vector<Item> copy( items, items + count );
    cudaFreeHost( pinned );
    return copy;
}

template <typename Item>
void expectSameBytes( const char* what, const void* host, const std::vector<Item>& device )
{
    if ( !device.empty() )
    {
        EXPECT_EQ( 0, std::memcmp( host, device.data(), device.size() * sizeof( Item ) ) ) << what;
    }
}

template <typename Box>
void compareBoxes( const HostArrays& host, const cltCudaBackend* cuda )
{
    expectSameBytes( "now", host.now, download<Box>( cuda, cuda->leaves.now.data, host.leafCount ) );
    expectSameBytes( "before", host.before, download<Box>( cuda, cuda->leaves.before.data, host.leafCount ) );
}

void compareLeaves( const HostArrays& host, const cltCudaBackend* cuda, cltPrecision precision )
{
    const cltPlan plan = download<cltPlan>( cuda, cuda->leaves.plan.data, 1 )[0];
    ASSERT_EQ( host.leafCount, plan.leafCount );
    ASSERT_EQ( host.searchableCount, plan.searchableCount );
    expectSameBytes( "keys", host.keys, download<uint64_t>( cuda, cuda->leaves.keys.data, host.searchableCount ) );
    expectSameBytes( "refs", host.refs, download<cltLeafRef>( cuda, cuda->leaves.refs.data, host.leafCount ) );
    if ( precision == clt_precisionDouble )
    {
        compareBoxes<cltAabbD>( host, cuda );
    }
    else
    {
        compareBoxes<cltAabb>( host, cuda );
    }
}

void compareCells( const HostArrays& host, const cltCudaBackend* cuda )
{
    const cltDeviceCells& cells = cuda->cells;
    const uint32_t cellCount =
        download<uint32_t>( cuda, static_cast<const uint32_t*>( cells.cellsBefore.data ) + cells.room, 1 )[0];
    ASSERT_EQ( host.cells.count, cellCount );
    const uint32_t entryCount = host.cells.starts[cellCount];
    expectSameBytes( "entries", host.cells.entries, download<uint64_t>( cuda, cells.entries.data, entryCount ) );
    expectSameBytes( "starts", host.cells.starts, download<uint32_t>( cuda, cells.starts.data, cellCount + 1 ) );
    expectSameBytes( "candidates", host.cells.candidateStarts,
                     download<uint64_t>( cuda, cells.candidateStarts.data, cellCount + 1 ) );
}

void compareTree( const HostArrays& host, const cltCudaBackend* cuda )
{
    const size_t nodeCount = host.searchableCount > 0 ? 2u * host.searchableCount - 1u : 0u;
    expectSameBytes( "nodes", host.tree.nodes, download<cltNode>( cuda, cuda->tree.nodes.data, nodeCount ) );
    expectSameBytes( "filters", host.tree.filters, download<cltFilter>( cuda, cuda->tree.filters.data, nodeCount ) );
}

} // namespace

using StagesParam = std::tuple<cltAlgorithm, cltPrecision, cltOutput>;

class Stages : public testing::TestWithParam<StagesParam>
{
protected:
    Stages()
    {
        const auto [algorithm, precision, output] = GetParam();
        m_reference = createHostReference( algorithm, precision );
        m_host = std::make_unique<Backend>( clt_deviceCpu, algorithm, precision );
        m_cuda = std::make_unique<Backend>( clt_deviceCuda, algorithm, precision, output );
    }

    ~Stages() override
    {
        destroyHostReference( m_reference );
    }

    void SetUp() override
    {
        if ( m_cuda->status() == clt_noDevice )
        {
            GTEST_SKIP() << "no CUDA device answers";
        }
    }

    /// Builds on both, compares, commits, and goes on to the changes and the pairs.
    void expectSame( Table& table )
    {
        Keys hostKeys;
        Keys cudaKeys;
        ASSERT_EQ( clt_ok, m_host->update( table, &hostKeys ) );
        ASSERT_EQ( clt_ok, m_cuda->update( table, &cudaKeys ) );
        EXPECT_EQ( hostKeys, cudaKeys ) << "in changes";
        EXPECT_EQ( m_host->stats().candidateCount, m_cuda->stats().candidateCount );
        HostArrays arrays;
        const cltUpload upload = table.upload();
        ASSERT_EQ( clt_ok, buildHostReference( m_reference, &upload, &arrays ) );
        compareLeaves( arrays, insideOf( *m_cuda ), table.precision() );
        if ( std::get<0>( GetParam() ) == clt_algorithmGrid )
        {
            compareCells( arrays, insideOf( *m_cuda ) );
        }
        else if ( std::get<0>( GetParam() ) == clt_algorithmLbvh )
        {
            compareTree( arrays, insideOf( *m_cuda ) );
        }
        table.commit();
        ASSERT_EQ( clt_ok, m_host->readPairs( table, &hostKeys ) );
        ASSERT_EQ( clt_ok, m_cuda->readPairs( table, &cudaKeys ) );
        EXPECT_EQ( hostKeys, cudaKeys ) << "in pairs";
    }

    HostReference* m_reference;
    std::unique_ptr<Backend> m_host;
    std::unique_ptr<Backend> m_cuda;
};

static std::string stagesName( const testing::TestParamInfo<StagesParam>& info )
{
    return std::string( cltAlgorithmName( std::get<0>( info.param ) ) ) +
           ( std::get<1>( info.param ) == clt_precisionDouble ? "_double" : "_float" ) +
           ( std::get<2>( info.param ) == clt_outputBits ? "_bits" : "_keys" );
}

INSTANTIATE_TEST_SUITE_P( keys, Stages,
                          testing::Combine( testing::Values( clt_algorithmGrid, clt_algorithmLbvh ),
                                            testing::ValuesIn( allPrecisions ), testing::Values( clt_outputKeys ) ),
                          stagesName );
INSTANTIATE_TEST_SUITE_P( bits, Stages,
                          testing::Combine( testing::Values( clt_algorithmBruteForce, clt_algorithmGrid ),
                                            testing::ValuesIn( allPrecisions ), testing::Values( clt_outputBits ) ),
                          stagesName );

TEST_P( Stages, SameBytes )
{
    Table table( std::get<1>( GetParam() ) );
    Random random( 31 );
    for ( int step = 0; step < 8; ++step )
    {
        SCOPED_TRACE( step );
        stir( table, random, step );
        for ( int i = 0; step == 0 && i < 1200; ++i )
        {
            table.create( randomCube( random, 12 ) );
        }
        expectSame( table );
    }
}

TEST( Movers, AreListedWhenTheyAreFew )
{
    Backend cuda( clt_deviceCuda, clt_algorithmLbvh, clt_precisionFloat );
    if ( cuda.status() == clt_noDevice )
    {
        GTEST_SKIP() << "no CUDA device answers";
    }
    Table table( clt_precisionFloat );
    for ( int i = 0; i < 1000; ++i )
    {
        table.create( cube( 3 * i, 0, 0, 1 ) );
    }
    Keys keys;
    ASSERT_EQ( clt_ok, cuda.update( table, &keys ) );
    table.commit();
    for ( uint32_t share : { 100u, 3u, 1u } )
    {
        for ( uint32_t slot = 0; slot < 1000; slot += share )
        {
            table.move( slot, cube( 3 * slot, 0, share, 1 ) );
        }
        ASSERT_EQ( clt_ok, cuda.update( table, &keys ) );
        table.commit();
        const cltCudaBackend* inside = insideOf( cuda );
        const cltPlan plan = download<cltPlan>( inside, inside->leaves.plan.data, 1 )[0];
        if ( share == 1 )
        {
            EXPECT_EQ( 0u, plan.moverCount ) << "all leaves walk";
            continue;
        }
        std::vector<uint32_t> movers = download<uint32_t>( inside, inside->tree.movers.data, plan.moverCount );
        std::vector<uint32_t> expected;
        const std::vector<cltLeafRef> refs = download<cltLeafRef>( inside, inside->leaves.refs.data, plan.leafCount );
        for ( uint32_t leaf = 0; leaf < plan.searchableCount; ++leaf )
        {
            if ( cltLeafRef_Slot( refs[leaf] ) % share == 0 )
            {
                expected.push_back( leaf );
            }
        }
        std::sort( movers.begin(), movers.end() );
        EXPECT_EQ( expected, movers );
    }
}
