// SPDX-License-Identifier: Zlib
// Calls that take arrays do all of it or nothing.
#include "tests/bridge/query_world.h"

#include <cstring>

using namespace test;

class Arrays : public testing::TestWithParam<cltPrecision>
{
protected:
    static constexpr size_t count = 40;

    void SetUp() override
    {
        Random random( 1 );
        boxes = randomCubes( random, count, 3 );
        for ( const cltAabbD& box : randomCubes( random, count, 3 ) )
        {
            floatBoxes.push_back( toFloat( box ) );
        }
        proxies = world.createAll( boxes );
        for ( size_t i = 0; i < count; ++i )
        {
            EXPECT_EQ( i, proxies[i] ) << "ids of a fresh broadphase follow on each other";
        }
        world.update();
    }

    /// Moves to `floatBoxes`, which both precisions take.
    cltStatus moveAll( const std::vector<cltProxyId>& ids )
    {
        return cltBroadphase_MoveProxies( world.broadphase(), ids.size(), ids.data(), floatBoxes.data() );
    }

    void expectNothingDone()
    {
        EXPECT_EQ( count, world.stats().proxyCount );
        for ( size_t i = 0; i < count; ++i )
        {
            cltAabbD box;
            ASSERT_EQ( clt_ok, cltBroadphase_GetBoxD( world.broadphase(), proxies[i], &box ) );
            cltAabbD expected = world.asGiven( boxes[i] );
            EXPECT_EQ( 0, std::memcmp( &expected, &box, sizeof( box ) ) ) << "proxy " << i;
        }
        world.update(); // began and ended nothing, or the world fails
    }

    World world{ defOf( clt_algorithmAuto, GetParam() ) };
    std::vector<cltAabbD> boxes;
    std::vector<cltAabb> floatBoxes;
    std::vector<cltProxyId> proxies;
};

INSTANTIATE_TEST_SUITE_P(, Arrays, testing::ValuesIn( allPrecisions ), precisionName );

TEST_P( Arrays, MoveIsTheSameAsOneByOne )
{
    for ( size_t i = 0; i < count; ++i )
    {
        world.move( proxies[i], toDouble( floatBoxes[i] ) );
    }
    world.update();

    World other( defOf( clt_algorithmAuto, GetParam() ) );
    other.createAll( boxes );
    other.update();
    ASSERT_EQ( clt_ok, cltBroadphase_MoveProxies( other.broadphase(), count, proxies.data(), floatBoxes.data() ) );
    ASSERT_EQ( clt_ok, cltBroadphase_Update( other.broadphase(), nullptr ) );
    const cltPair* pairs;
    size_t pairCount;
    ASSERT_EQ( clt_ok, cltBroadphase_GetPairs( other.broadphase(), &pairs, &pairCount ) );
    EXPECT_TRUE( samePairs( world.oracle().pairs(), copyPairs( pairs, pairCount ) ) );
}

TEST_P( Arrays, UnknownIdAnywhereMovesOrDestroysNothing )
{
    for ( size_t place : { size_t( 0 ), count / 2, count - 1 } )
    {
        std::vector<cltProxyId> ids = proxies;
        ids[place] = 12345;
        EXPECT_EQ( clt_unknownProxy, moveAll( ids ) );
        expectNothingDone();
        EXPECT_EQ( clt_unknownProxy, cltBroadphase_DestroyProxies( world.broadphase(), count, ids.data() ) );
        expectNothingDone();
    }
}

TEST_P( Arrays, NamedTwiceKeepsTheLastBox )
{
    std::vector<cltProxyId> ids = { proxies[3], proxies[5], proxies[3], proxies[3] };
    ASSERT_EQ( clt_ok, moveAll( ids ) );
    cltAabbD box;
    ASSERT_EQ( clt_ok, cltBroadphase_GetBoxD( world.broadphase(), proxies[3], &box ) );
    EXPECT_EQ( toDouble( floatBoxes[3] ).lower[0], box.lower[0] );
}

TEST_P( Arrays, NamedTwiceDestroysNothing )
{
    for ( size_t place : { size_t( 0 ), count / 2 } )
    {
        std::vector<cltProxyId> ids = proxies;
        ids[place] = ids[count - 1];
        EXPECT_EQ( clt_unknownProxy, cltBroadphase_DestroyProxies( world.broadphase(), count, ids.data() ) );
        expectNothingDone();
    }
}

TEST_P( Arrays, DestroyedTogether )
{
    ASSERT_EQ( clt_ok, cltBroadphase_DestroyProxies( world.broadphase(), count, proxies.data() ) );
    EXPECT_EQ( 0u, world.stats().proxyCount );
    cltPairChanges changes;
    ASSERT_EQ( clt_ok, cltBroadphase_Update( world.broadphase(), &changes ) );
    EXPECT_EQ( 0u, changes.beganCount + changes.endedCount );
}

TEST_P( Arrays, CreatedTogetherWithFiltersAndUserData )
{
    std::vector<cltFilter> filters( count );
    std::vector<uint64_t> userData( count );
    for ( size_t i = 0; i < count; ++i )
    {
        filters[i] = { static_cast<int32_t>( i ), -static_cast<int32_t>( i ) };
        userData[i] = UINT64_MAX - i;
    }
    std::vector<cltProxyId> ids( count );
    ASSERT_EQ( clt_ok, cltBroadphase_CreateProxies( world.broadphase(), count, floatBoxes.data(), filters.data(),
                                                    userData.data(), ids.data() ) );
    for ( size_t i = 0; i < count; ++i )
    {
        cltFilter filter;
        uint64_t data;
        cltAabbD box;
        ASSERT_EQ( clt_ok, cltBroadphase_GetFilter( world.broadphase(), ids[i], &filter ) );
        ASSERT_EQ( clt_ok, cltBroadphase_GetUserData( world.broadphase(), ids[i], &data ) );
        ASSERT_EQ( clt_ok, cltBroadphase_GetBoxD( world.broadphase(), ids[i], &box ) );
        EXPECT_EQ( filters[i].group, filter.group );
        EXPECT_EQ( filters[i].mask, filter.mask );
        EXPECT_EQ( userData[i], data );
        EXPECT_EQ( toDouble( floatBoxes[i] ).upper[2], box.upper[2] );
    }
}

TEST_P( Arrays, CreatedWithoutFiltersOrUserData )
{
    cltProxyId id;
    ASSERT_EQ( clt_ok, cltBroadphase_CreateProxies( world.broadphase(), 1, floatBoxes.data(), nullptr, nullptr, &id ) );
    cltFilter filter;
    uint64_t data = 5;
    ASSERT_EQ( clt_ok, cltBroadphase_GetFilter( world.broadphase(), id, &filter ) );
    ASSERT_EQ( clt_ok, cltBroadphase_GetUserData( world.broadphase(), id, &data ) );
    EXPECT_EQ( 1, filter.group );
    EXPECT_EQ( -1, filter.mask );
    EXPECT_EQ( 0u, data );
}
