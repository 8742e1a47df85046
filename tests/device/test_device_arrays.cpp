// SPDX-License-Identifier: Zlib
// cullet_arrays.h with arrays in the memory of a device. Also compiled for a real device.
#include "tests/device/device_memory.h"
#include "tests/support/array_world.h"

using namespace test;

namespace
{

using Variant = std::pair<cltAlgorithm, cltPrecision>;

class DeviceArrays : public testing::TestWithParam<Variant>
{
protected:
    void SetUp() override
    {
        if ( !isUsable( clt_deviceCuda ) )
        {
            GTEST_SKIP() << "no CUDA device answers";
        }
        m_def.device = clt_deviceCuda;
        m_def.algorithm = GetParam().first;
        m_def.precision = GetParam().second;
    }

    cltBroadphaseDef m_def = cltDefaultBroadphaseDef();
};

std::vector<Variant> allVariants()
{
    std::vector<Variant> variants;
    for ( const cltAlgorithm algorithm : allAlgorithms )
    {
        for ( const cltPrecision precision : allPrecisions )
        {
            variants.emplace_back( algorithm, precision );
        }
    }
    return variants;
}

INSTANTIATE_TEST_SUITE_P(, DeviceArrays, testing::ValuesIn( allVariants() ),
                         []( const auto& info )
                         { return cltAlgorithmName( info.param.first ) + ( "_" + nameOf( info.param.second ) ); } );

} // namespace

TEST_P( DeviceArrays, ReportExactChanges )
{
    for ( uint64_t seed = 1; seed <= soakCount( 3 ); ++seed )
    {
        SCOPED_TRACE( seed );
        ArrayWorld<DeviceMemory> world( m_def );
        updateAtRandom( world, Random( seed ) );
        EXPECT_EQ( clt_deviceCuda, world.stats().device );
    }
}

/// A slab overlaps all cubes of a row in every second update, so that CUB sorts the keys (sort_pairs.cuh).
TEST_P( DeviceArrays, ReportManyChangesOfOneBox )
{
    ArrayWorld<DeviceMemory> world( m_def );
    Boxes boxes = cubesInARow( 1200, 0.9, 0.5 );
    for ( int step = 0; step < 4; ++step )
    {
        boxes[7] = step % 2 == 0 ? span( -1, 1200 ) : span( -9, -8 );
        world.update( boxes );
        world.expectPairs();
    }
}

/// Results are complete when the caller's stream is. The changes of the last update stay valid during GetPairs.
TEST_P( DeviceArrays, WorkInTheStreamOfTheCaller )
{
    cudaStream_t stream;
    expectSuccess( cudaStreamCreateWithFlags( &stream, cudaStreamNonBlocking ) );
    m_def.stream = stream;
    {
        DeviceMemory memory;
        const ArraysPtr arrays = createArrays( m_def );
        const Boxes boxes = cubesInARow( 1000, 1, 0.6 );
        std::vector<cltAabb> floats;
        std::transform( boxes.begin(), boxes.end(), std::back_inserter( floats ), toFloat );
        cltPairChanges changes;
        ASSERT_EQ( clt_ok,
                   m_def.precision == clt_precisionDouble
                       ? cltArrays_UpdateD( arrays.get(), boxes.size(), memory.put( boxes ), nullptr, &changes )
                       : cltArrays_Update( arrays.get(), boxes.size(), memory.put( floats ), nullptr, &changes ) );
        const cltPair* pairs;
        size_t count;
        ASSERT_EQ( clt_ok, cltArrays_GetPairs( arrays.get(), &pairs, &count ) );
        expectSuccess( cudaStreamSynchronize( stream ) );
        ASSERT_EQ( 999u, count );
        ASSERT_EQ( 999u, changes.beganCount );
        const std::vector<cltPair> began = memory.get( changes.began, count );
        const std::vector<cltPair> all = memory.get( pairs, count );
        for ( cltProxyId i = 0; i < count; ++i )
        {
            EXPECT_EQ( i, began[i].proxyA );
            EXPECT_EQ( i + 1, began[i].proxyB );
            EXPECT_EQ( i, all[i].proxyA );
            EXPECT_EQ( i + 1, all[i].proxyB );
        }
    }
    expectSuccess( cudaStreamDestroy( stream ) );
}

TEST_P( DeviceArrays, RefuseTheOtherMemory )
{
    const cltAabb box = {};
    const cltAabbD boxD = {};
    const cltFilter filter = {};
    DeviceMemory memory;
    const auto update =
        [&]( cltArrays* arrays, const cltAabb* floats, const cltAabbD* doubles, const cltFilter* filters )
    {
        return m_def.precision == clt_precisionDouble ? cltArrays_UpdateD( arrays, 1, doubles, filters, nullptr )
                                                      : cltArrays_Update( arrays, 1, floats, filters, nullptr );
    };
    const cltAabb* there = memory.put( std::vector<cltAabb>{ box } );
    const cltAabbD* thereD = memory.put( std::vector<cltAabbD>{ boxD } );
    const cltFilter* filterThere = memory.put( Filters{ filter } );
    ArraysPtr arrays = createArrays( m_def );
    EXPECT_EQ( clt_wrongMemory, update( arrays.get(), &box, &boxD, nullptr ) );
    EXPECT_EQ( clt_wrongMemory, update( arrays.get(), there, thereD, &filter ) );
    EXPECT_EQ( clt_ok, update( arrays.get(), there, thereD, filterThere ) );
    m_def.device = clt_deviceCpu;
    arrays = createArrays( m_def );
    EXPECT_EQ( clt_wrongMemory, update( arrays.get(), there, thereD, nullptr ) );
    EXPECT_EQ( clt_wrongMemory, update( arrays.get(), &box, &boxD, filterThere ) );
    EXPECT_EQ( clt_ok, update( arrays.get(), &box, &boxD, &filter ) );
}
