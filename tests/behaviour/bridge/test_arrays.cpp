// SPDX-License-Identifier: Zlib
// Proxies come back as they were given, bit for bit, and calls that take arrays do all of it or nothing. What else
// these calls do, every test does that builds a world with them.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <algorithm>
#include <cstring>
#include <memory>

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
        const std::vector<cltFilter> filters( count, { 1, 0 } );
        EXPECT_EQ( clt_unknownProxy,
                   cltBroadphase_SetFilters( world.broadphase(), count, ids.data(), filters.data() ) );
        std::vector<uint64_t> userData( count, 77 );
        EXPECT_EQ( clt_unknownProxy,
                   cltBroadphase_GetUserDataOf( world.broadphase(), count, ids.data(), userData.data() ) );
        EXPECT_EQ( std::vector<uint64_t>( count, 77 ), userData );
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

/// Also where ids are in use again, and where there are more boxes than ids, or fewer.
TEST_P( Arrays, WithoutIdsAllMoveInOrderAndDestroyedOnesArePassedOver )
{
    Random random( 2 );
    world.moveInOrder( randomCubes( random, count, 3 ) );
    world.expectProxies();
    world.update();
    world.destroyAll( { proxies[0], proxies[17], proxies[count - 1] } );
    world.moveInOrder( randomCubes( random, count, 3 ) );
    world.expectProxies();
    world.update();
    world.destroy( proxies[5] );
    world.update();
    world.moveInOrder( randomCubes( random, count, 3 ) );
    world.expectProxies();
    world.update();
    world.create( span( 0, 1 ) );
    world.moveInOrder( randomCubes( random, count + 100, 3 ) );
    world.expectProxies();
    world.update();
    world.moveInOrder( randomCubes( random, 20, 3 ) );
    world.expectProxies();
    world.update();
    EXPECT_EQ( 0u, world.stats().nanCount );
}

TEST_P( Arrays, FiltersAndUserDataInBulk )
{
    const Ids ids = { proxies[7], proxies[0], proxies[39], proxies[20] };
    const std::vector<cltFilter> filters = { { 1, 0 }, { 2, 3 }, { 3, -1 }, { 5, 6 } };
    ASSERT_EQ( clt_ok, cltBroadphase_SetFilters( world.broadphase(), ids.size(), ids.data(), filters.data() ) );
    const auto expectFilter = [this]( cltProxyId id, const cltFilter& expected )
    {
        cltFilter found;
        ASSERT_EQ( clt_ok, cltBroadphase_GetFilter( world.broadphase(), id, &found ) );
        EXPECT_TRUE( expected.group == found.group && expected.mask == found.mask ) << id;
    };
    for ( size_t i = 0; i < ids.size(); ++i )
    {
        expectFilter( ids[i], filters[i] );
    }
    expectFilter( proxies[1], defaultFilter );

    Ids made( 3 );
    const uint64_t numbers[3] = { 10, 11, UINT64_MAX };
    ASSERT_EQ( clt_ok, cltBroadphase_CreateProxiesAlike( world.broadphase(), 3, floatBoxes.data(), &filters[1], numbers,
                                                         made.data() ) );
    expectFilter( made[2], filters[1] );
    ASSERT_EQ( clt_ok, cltBroadphase_CreateProxiesAlike( world.broadphase(), 1, floatBoxes.data(), nullptr, nullptr,
                                                         made.data() ) );
    expectFilter( made[0], defaultFilter );

    // two pairs are four ids in a row
    const cltPair pairs[2] = { { 41, 42 }, { 39, 40 } };
    uint64_t found[4] = {};
    ASSERT_EQ( clt_ok, cltBroadphase_GetUserDataOf( world.broadphase(), 4, &pairs[0].proxyA, found ) );
    EXPECT_EQ( ( std::vector<uint64_t>{ 11, UINT64_MAX, 0, 10 } ), std::vector<uint64_t>( found, found + 4 ) );
}

/// Entries of ids that are not in use are passed over.
TEST_P( Arrays, FiltersAndUserDataInOrderWithoutIds )
{
    world.destroyAll( { proxies[1], proxies[39] } );
    std::vector<cltFilter> filters( 3 * count );
    for ( size_t i = 0; i < filters.size(); ++i )
    {
        filters[i] = { static_cast<int32_t>( i ), 7 };
    }
    ASSERT_EQ( clt_ok, cltBroadphase_SetFilters( world.broadphase(), filters.size(), nullptr, filters.data() ) );
    std::vector<uint64_t> userData( 3 * count, 77 );
    ASSERT_EQ( clt_ok, cltBroadphase_GetUserDataOf( world.broadphase(), userData.size(), nullptr, userData.data() ) );
    for ( size_t i = 0; i < userData.size(); ++i )
    {
        const bool isThere = i < count && i != 1 && i != 39;
        EXPECT_EQ( isThere ? 0u : 77u, userData[i] ) << i;
        cltFilter found;
        EXPECT_EQ( isThere ? clt_ok : clt_unknownProxy,
                   cltBroadphase_GetFilter( world.broadphase(), static_cast<cltProxyId>( i ), &found ) );
        EXPECT_TRUE( !isThere || ( found.group == filters[i].group && found.mask == 7 ) ) << i;
    }
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

// --------------------------------------------------------------------------------------------------------- one by one

namespace
{

struct Destroy
{
    void operator()( cltBroadphase* broadphase ) const
    {
        cltDestroyBroadphase( broadphase );
    }
};

using Owned = std::unique_ptr<cltBroadphase, Destroy>;

Owned withProxies( cltPrecision precision, const std::vector<cltAabb>& boxes )
{
    const cltBroadphaseDef def = defOf( clt_algorithmAuto, precision );
    cltBroadphase* broadphase = nullptr;
    EXPECT_EQ( clt_ok, cltCreateBroadphase( &def, &broadphase ) );
    EXPECT_EQ( clt_ok,
               cltBroadphase_CreateProxies( broadphase, boxes.size(), boxes.data(), nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_Update( broadphase, nullptr ) );
    return Owned( broadphase );
}

/// Proxies, or pairs, as numbers.
using Numbers = std::vector<uint32_t>;

Numbers hitsEverywhere( cltBroadphase* broadphase )
{
    Numbers hits;
    const cltAabb small = { { 0, 0, 0 }, { 2, 2, 2 } };
    const auto add = []( cltProxyId proxy, uint64_t, void* context )
    {
        static_cast<Numbers*>( context )->push_back( proxy );
        return true;
    };
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBox( broadphase, &small, add, &hits ) );
    std::sort( hits.begin(), hits.end() );
    return hits;
}

Numbers changesOf( cltBroadphase* broadphase )
{
    cltPairChanges changes;
    EXPECT_EQ( clt_ok, cltBroadphase_Update( broadphase, &changes ) );
    cltStats stats;
    EXPECT_EQ( clt_ok, cltBroadphase_GetStats( broadphase, &stats ) );
    Numbers all = { stats.changedCount, stats.nanCount, uint32_t( changes.beganCount ) };
    for ( size_t i = 0; i < changes.beganCount; ++i )
    {
        all.insert( all.end(), { changes.began[i].proxyA, changes.began[i].proxyB } );
    }
    for ( size_t i = 0; i < changes.endedCount; ++i )
    {
        all.insert( all.end(), { changes.ended[i].proxyA, changes.ended[i].proxyB } );
    }
    return all;
}

} // namespace

TEST_P( Arrays, MoveAsBoxesOneByOneDo )
{
    const Owned atOnce = withProxies( GetParam(), floatBoxes );
    const Owned single = withProxies( GetParam(), floatBoxes );
    std::vector<cltAabb> boxes = floatBoxes;
    Ids ids = proxies;
    ids.push_back( ids[3] ); // named twice, the second time with a box of its own
    boxes.push_back( floatBoxes[0] );
    for ( size_t step = 0; step < 8; ++step )
    {
        for ( size_t i = 0; i < boxes.size(); ++i )
        {
            boxes[i] = step % 4 == 3 ? boxes[i] : floatBoxes[( i + step ) % count]; // nothing moves in each fourth
            boxes[i].upper[2] = ( i + step ) % 7 == 0 ? notANumber : boxes[i].upper[2];
        }
        // asked before it moved, and after: what remembers boxes has to forget them
        EXPECT_EQ( hitsEverywhere( single.get() ), hitsEverywhere( atOnce.get() ) );
        ASSERT_EQ( clt_ok, cltBroadphase_MoveProxies( atOnce.get(), ids.size(), ids.data(), boxes.data() ) );
        for ( size_t i = 0; i < ids.size(); ++i )
        {
            ASSERT_EQ( clt_ok, cltBroadphase_MoveProxy( single.get(), ids[i], &boxes[i] ) );
        }
        EXPECT_EQ( hitsEverywhere( single.get() ), hitsEverywhere( atOnce.get() ) );
        EXPECT_EQ( changesOf( single.get() ), changesOf( atOnce.get() ) ) << "step " << step;
    }
}
