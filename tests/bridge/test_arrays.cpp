// SPDX-License-Identifier: Zlib
// Proxies come back as they were given, bit for bit, and calls that take arrays do all of it or nothing. What else
// these calls do, every test does that builds a world with them.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <cstring>

using namespace test;

class Arrays : public testing::TestWithParam<cltPrecision>
{
protected:
    static constexpr size_t count = 40;

    void SetUp() override
    {
        Random random( 1 );
        proxies = world.createAll( randomCubes( random, count, 3 ) );
        for ( const cltAabbD& box : randomCubes( random, count, 3 ) )
        {
            floatBoxes.push_back( toFloat( box ) );
        }
        for ( size_t i = 0; i < count; ++i )
        {
            EXPECT_EQ( i, proxies[i] ) << "ids of a fresh broadphase follow on each other";
        }
        world.update();
    }

    World world{ defOf( clt_algorithmAuto, GetParam() ) };
    Ids proxies;
    std::vector<cltAabb> floatBoxes; ///< which both precisions take
};

INSTANTIATE_TEST_SUITE_P(, Arrays, testing::ValuesIn( allPrecisions ), precisionName );

TEST_P( Arrays, BoxesComeBackBitForBit )
{
    const Ids odd = world.createAll( { span( 0, 1 ),
                                       span( -0.0, 0.0 ),
                                       span( -infinity, infinity ),
                                       span( 3, -3 ),
                                       span( 0.1, 0.2 ),
                                       { { 1e-40, -1e-40, 0 }, { 1e38, 2, 3 } },
                                       { { 1, notANumber, 2 }, { 3, 4, 5 } } } );
    world.expectProxies();
    world.update();
    world.expectProxies();
    for ( size_t i = 0; i < odd.size() && GetParam() == clt_precisionFloat; ++i )
    {
        const cltAabb box = toFloat( world.boxOf( odd[i] ) );
        cltAabb found;
        ASSERT_EQ( clt_ok, cltBroadphase_GetBox( world.broadphase(), odd[i], &found ) );
        EXPECT_EQ( 0, std::memcmp( &box, &found, sizeof box ) );
    }
}

TEST_P( Arrays, AnUnknownIdOrOneNamedTwiceChangesNothing )
{
    for ( size_t place : { size_t( 0 ), count / 2, count - 1 } )
    {
        Ids ids = proxies;
        ids[place] = 12345;
        EXPECT_EQ( clt_unknownProxy,
                   cltBroadphase_MoveProxies( world.broadphase(), count, ids.data(), floatBoxes.data() ) );
        EXPECT_EQ( clt_unknownProxy, cltBroadphase_DestroyProxies( world.broadphase(), count, ids.data() ) );
        ids[place] = ids[( place + 1 ) % count];
        EXPECT_EQ( clt_unknownProxy, cltBroadphase_DestroyProxies( world.broadphase(), count, ids.data() ) );
        world.expectProxies();
        world.update(); // began and ended nothing, or the world fails
    }
}

TEST_P( Arrays, MovedTwiceKeepsTheLastBox )
{
    world.moveAll( { proxies[3], proxies[5], proxies[3] }, { span( 0, 1 ), span( 2, 3 ), span( 4, 5 ) } );
    world.expectProxies();
    world.update();
}

TEST_P( Arrays, FloatBoxesFiltersAndUserDataComeBack )
{
    std::vector<cltFilter> filters( count );
    std::vector<uint64_t> userData( count );
    for ( size_t i = 0; i < count; ++i )
    {
        filters[i] = { static_cast<int32_t>( i ), -static_cast<int32_t>( i ) };
        userData[i] = UINT64_MAX - i;
    }
    for ( bool isGiven : { true, false } )
    {
        Ids ids( count );
        ASSERT_EQ( clt_ok, cltBroadphase_CreateProxies( world.broadphase(), count, floatBoxes.data(),
                                                        isGiven ? filters.data() : nullptr,
                                                        isGiven ? userData.data() : nullptr, ids.data() ) );
        for ( size_t i = 0; i < count; ++i )
        {
            cltFilter filter;
            uint64_t data;
            cltAabbD box;
            ASSERT_EQ( clt_ok, cltBroadphase_GetFilter( world.broadphase(), ids[i], &filter ) );
            ASSERT_EQ( clt_ok, cltBroadphase_GetUserData( world.broadphase(), ids[i], &data ) );
            ASSERT_EQ( clt_ok, cltBroadphase_GetBoxD( world.broadphase(), ids[i], &box ) );
            EXPECT_EQ( isGiven ? filters[i].group : 1, filter.group );
            EXPECT_EQ( isGiven ? filters[i].mask : -1, filter.mask );
            EXPECT_EQ( isGiven ? userData[i] : 0u, data );
            const cltAabbD given = toDouble( floatBoxes[i] );
            EXPECT_EQ( 0, std::memcmp( &given, &box, sizeof box ) );
        }
    }
}
