// SPDX-License-Identifier: Zlib
// cullet_arrays.h with arrays in host memory; tests/device has the tests with arrays on a device.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/array_world.h"

using namespace test;

namespace
{

class BoxArrays : public testing::TestWithParam<cltPrecision>
{
protected:
    cltBroadphaseDef m_def = []
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.precision = GetParam();
        return def;
    }();
};

INSTANTIATE_TEST_SUITE_P(, BoxArrays, testing::ValuesIn( allPrecisions ), precisionName );

} // namespace

TEST_P( BoxArrays, ReportExactChanges )
{
    for ( uint64_t seed = 1; seed <= soakCount( 6 ); ++seed )
    {
        SCOPED_TRACE( seed );
        ArrayWorld<HostMemory> world( m_def );
        updateAtRandom( world, Random( seed ) );
        EXPECT_EQ( clt_deviceCpu, world.stats().device );
    }
}

TEST_P( BoxArrays, StateTheirMemory )
{
    Hooks hooks;
    hooks.installMemory( m_def );
    ArrayWorld<HostMemory> world( m_def );
    world.update( cubesInARow( 200, 0.5, 1 ), Filters( 200, { 1, 2 } ) );
    EXPECT_EQ( hooks.bytesHeld(), world.stats().hostBytes );
}

/// Filters are those of the last update alone, also of a box that was gone in between.
TEST_P( BoxArrays, ForgetTheFiltersOfEarlierUpdates )
{
    ArrayWorld<HostMemory> world( m_def );
    const Boxes both = cubesInARow( 2, 0.5, 1 );
    world.update( both, Filters( 2, { 1, 2 } ) );
    EXPECT_EQ( 0u, world.pairCount() );
    world.update( { both[0] } );
    world.update( both );
    EXPECT_EQ( 1u, world.pairCount() );
}

TEST_P( BoxArrays, IgnoreFiltersWithoutFilterMasks )
{
    m_def.filterMasks = false;
    cltPairChanges changes;
    ArrayWorld<HostMemory> world( m_def );
    EXPECT_EQ( clt_ok, world.tryUpdate( cubesInARow( 2, 0.5, 1 ), Filters( 2, { 0, 0 } ), &changes ) );
    EXPECT_EQ( 1u, changes.beganCount );
}

/// An allocation fails in each place in turn. The failed call is repeated, and nothing is lost.
TEST_P( BoxArrays, LoseNothingWithoutMemory )
{
    EXPECT_LT(
        3u, failEachAllocation(
                [&]( Hooks& hooks, uint64_t k )
                {
                    cltBroadphaseDef def = m_def;
                    hooks.installMemory( def );
                    hooks.failAllocations( k, 1 );
                    cltArrays* created = nullptr;
                    cltStatus status = cltCreateArrays( &def, &created );
                    if ( status == clt_hostMemory )
                    {
                        EXPECT_EQ( nullptr, created );
                        status = cltCreateArrays( &def, &created );
                    }
                    ASSERT_EQ( clt_ok, status );
                    const ArraysPtr arrays( created );
                    const Boxes boxes = cubesInARow( 300, 1, 0.6 );
                    std::vector<cltAabb> floats;
                    std::transform( boxes.begin(), boxes.end(), std::back_inserter( floats ), toFloat );
                    const Filters filters( boxes.size(), defaultFilter );
                    size_t begun = 0;
                    for ( const size_t count : { size_t( 100 ), boxes.size() } )
                    {
                        cltPairChanges changes;
                        do
                        {
                            status = m_def.precision == clt_precisionDouble
                                         ? cltArrays_UpdateD( created, count, boxes.data(), filters.data(), &changes )
                                         : cltArrays_Update( created, count, floats.data(), filters.data(), &changes );
                            begun += changes.beganCount;
                        } while ( status == clt_hostMemory );
                        EXPECT_EQ( clt_ok, status );
                    }
                    EXPECT_EQ( boxes.size() - 1, begun );
                } ) );
}

TEST_P( BoxArrays, RefuseBadArguments )
{
    const bool isDouble = m_def.precision == clt_precisionDouble;
    cltArrays* arrays = reinterpret_cast<cltArrays*>( &m_def );
    m_def.promoteFrom = 1;
    EXPECT_EQ( clt_invalidArgument, cltCreateArrays( &m_def, &arrays ) );
    EXPECT_EQ( nullptr, arrays );
    EXPECT_EQ( clt_invalidArgument, cltCreateArrays( nullptr, &arrays ) );
    EXPECT_EQ( clt_invalidArgument, cltCreateArrays( &m_def, nullptr ) );
    cltDestroyArrays( nullptr );
    m_def.promoteFrom = 0;
    ArrayWorld<HostMemory> world( m_def );
    arrays = world.arrays();
    world.update( cubesInARow( 3, 0.5, 1 ) );

    const cltAabb box = {};
    const cltAabbD boxD = {};
    const cltFilter filter = {};
    const auto misaligned = []( const auto* pointer )
    { return reinterpret_cast<decltype( pointer )>( reinterpret_cast<const char*>( pointer ) + 1 ); };
    const auto updateBoth =
        [&]( cltArrays* given, size_t count, const cltAabb* floats, const cltAabbD* doubles, const cltFilter* filters )
    {
        cltPairChanges changes = { nullptr, nullptr, 7, 7 };
        const cltStatus status = isDouble ? cltArrays_UpdateD( given, count, doubles, filters, &changes )
                                          : cltArrays_Update( given, count, floats, filters, &changes );
        EXPECT_EQ( 0u, changes.beganCount + changes.endedCount );
        return status;
    };
    EXPECT_EQ( clt_invalidArgument, updateBoth( nullptr, 1, &box, &boxD, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, updateBoth( arrays, 1, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, updateBoth( arrays, 1, misaligned( &box ), misaligned( &boxD ), nullptr ) );
    EXPECT_EQ( clt_invalidArgument, updateBoth( arrays, 1, &box, &boxD, misaligned( &filter ) ) );
    EXPECT_EQ( clt_tooManyProxies, updateBoth( arrays, size_t( CLT_MAX_PROXIES ) + 1, &box, &boxD, nullptr ) );
    EXPECT_EQ( clt_wrongPrecision, isDouble ? cltArrays_Update( arrays, 1, &box, nullptr, nullptr )
                                            : cltArrays_UpdateD( arrays, 1, &boxD, nullptr, nullptr ) );
    const cltPair* pairs;
    size_t count;
    EXPECT_EQ( clt_invalidArgument, cltArrays_GetPairs( nullptr, &pairs, &count ) );
    EXPECT_EQ( clt_invalidArgument, cltArrays_GetPairs( arrays, nullptr, &count ) );
    EXPECT_EQ( clt_invalidArgument, cltArrays_GetPairs( arrays, &pairs, nullptr ) );
    cltStats stats;
    EXPECT_EQ( clt_invalidArgument, cltArrays_GetStats( arrays, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltArrays_GetStats( nullptr, &stats ) );
    world.expectPairs();
    world.update( {} ); // NULL is allowed without boxes
    EXPECT_EQ( 0u, world.pairCount() );
}
