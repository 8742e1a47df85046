// SPDX-License-Identifier: Zlib
// Calls that take arrays: values come back as they were given, bit for bit; a call that fails changes nothing; many
// moves in one call, which threads share, have the result of single moves.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace test;

namespace
{

class Arrays : public testing::TestWithParam<cltPrecision>
{
protected:
    static constexpr size_t count = 40;

    void expectValues( cltProxyId id, const cltFilter& filter, uint64_t userData ) const
    {
        cltFilter found;
        uint64_t data;
        ASSERT_EQ( clt_ok, cltBroadphase_GetFilter( broadphase, id, &found ) );
        ASSERT_EQ( clt_ok, cltBroadphase_GetUserData( broadphase, id, &data ) );
        EXPECT_TRUE( filter.group == found.group && filter.mask == found.mask ) << id;
        EXPECT_EQ( userData, data ) << id;
    }

    World world{ defOf( clt_algorithmAuto, GetParam() ) };
    cltBroadphase* broadphase = world.broadphase();
    Random random{ 1 };
    Ids proxies = world.createAll( randomCubes( random, count, 3 ) );
    std::vector<cltAabb> floatBoxes = std::vector<cltAabb>( count, { { 0, 0, 0 }, { 1, 1, 1 } } );
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Arrays, testing::ValuesIn( allPrecisions ), precisionName );

TEST_P( Arrays, BoxesComeBackBitForBit )
{
    Ids inOrder( count );
    std::iota( inOrder.begin(), inOrder.end(), 0 );
    EXPECT_EQ( inOrder, proxies );
    const Ids odd = world.createAll( { span( -0.0, 0.0 ),
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
        ASSERT_EQ( clt_ok, cltBroadphase_GetBox( broadphase, odd[i], &found ) );
        EXPECT_EQ( 0, std::memcmp( &box, &found, sizeof box ) );
    }
}

TEST_P( Arrays, FiltersAndUserDataComeBack )
{
    std::vector<cltFilter> filters( 3 * count );
    std::vector<uint64_t> userData( 3 * count );
    for ( size_t i = 0; i < filters.size(); ++i )
    {
        filters[i] = { int32_t( i ), -int32_t( i ) };
        userData[i] = UINT64_MAX - i;
    }
    Ids ids( 2 );
    for ( bool isGiven : { true, false } )
    {
        ASSERT_EQ( clt_ok,
                   cltBroadphase_CreateProxies( broadphase, 2, floatBoxes.data(), isGiven ? filters.data() : nullptr,
                                                isGiven ? userData.data() : nullptr, ids.data() ) );
        expectValues( ids[1], isGiven ? filters[1] : defaultFilter, isGiven ? userData[1] : 0 );
        ASSERT_EQ( clt_ok,
                   cltBroadphase_CreateProxiesAlike( broadphase, 2, floatBoxes.data(), isGiven ? &filters[7] : nullptr,
                                                     isGiven ? &userData[7] : nullptr, ids.data() ) );
        expectValues( ids[1], isGiven ? filters[7] : defaultFilter, isGiven ? userData[8] : 0 );
    }
    const cltPair pairs[2] = { { 41, 39 }, { 1, 43 } }; // passed on as four ids
    ASSERT_EQ( clt_ok, cltBroadphase_SetFilters( broadphase, 4, &pairs[0].proxyA, &filters[10] ) );
    uint64_t found[4] = {};
    ASSERT_EQ( clt_ok, cltBroadphase_GetUserDataOf( broadphase, 4, &pairs[0].proxyA, found ) );
    const uint64_t expected[4] = { userData[1], 0, 0, userData[8] };
    for ( size_t i = 0; i < 4; ++i )
    {
        expectValues( ( &pairs[0].proxyA )[i], filters[10 + i], expected[i] );
        EXPECT_EQ( expected[i], found[i] );
    }
    expectValues( 2, defaultFilter, 0 );

    // Without an array of ids, entry i is for id i; entries for unused ids are ignored.
    world.destroyAll( { proxies[1], proxies[39] } );
    ASSERT_EQ( clt_ok, cltBroadphase_SetFilters( broadphase, filters.size(), nullptr, filters.data() ) );
    userData.assign( 3 * count, 77 );
    ASSERT_EQ( clt_ok, cltBroadphase_GetUserDataOf( broadphase, userData.size(), nullptr, userData.data() ) );
    for ( cltProxyId id = 0; id < userData.size(); ++id )
    {
        if ( id == 1 || id == 39 || id >= count + 8 )
        {
            EXPECT_EQ( 77u, userData[id] ) << id;
            continue;
        }
        expectValues( id, filters[id], userData[id] );
        EXPECT_NE( 77u, userData[id] ) << id;
    }
}

TEST_P( Arrays, WithoutIdsAllMoveInOrder )
{
    const auto moveInOrder = [&]( size_t boxCount )
    {
        world.moveAll( boxCount, nullptr, randomCubes( random, boxCount, 3 ) );
        world.expectProxies();
        world.update();
    };
    moveInOrder( count );
    world.destroyAll( { proxies[0], proxies[17], proxies[count - 1] } ); // their boxes are ignored
    moveInOrder( count );
    world.create( span( 0, 1 ) ); // reuses one of these ids
    moveInOrder( count + 100 );
    moveInOrder( 20 );
    EXPECT_EQ( 0u, world.stats().nanCount );
}

// --------------------------------------------------------------------------------------------------------- many moves

namespace
{

/// `many` moves are shared by threads, `few` moves are not.
constexpr size_t many = testDevice == clt_deviceCpu ? 33000 : 300, few = 100;

/// Precision and number of threads; 0 threads: the application's loop, which runs the last range first.
class ManyMoves : public testing::TestWithParam<std::pair<cltPrecision, int>>
{
protected:
    cltBroadphaseDef def()
    {
        const auto [precision, threadCount] = GetParam();
        cltBroadphaseDef def = defOf( clt_algorithmAuto, precision, threadCount );
        if ( threadCount == 0 )
        {
            hooks.installLoop( def, Hooks::backwardLoop );
        }
        return def;
    }

    /// Ids for one call: all of them, some in a row, all but some, backwards, or some named twice.
    Ids idsOf( int kind, size_t count )
    {
        Ids ids( count );
        std::iota( ids.begin(), ids.end(), 0 );
        switch ( kind )
        {
        case 1:
            return Ids( ids.begin() + 1 + random.below( 3 ), ids.end() - 2 );
        case 2:
            ids.erase( std::remove_if( ids.begin(), ids.end(), []( cltProxyId id ) { return id % 7 == 0; } ),
                       ids.end() );
            break;
        case 3:
            std::reverse( ids.begin(), ids.end() );
            break;
        case 4: // ids named twice, at distant positions
            for ( size_t i = 0; i + count / 2 < count; i += 31 )
            {
                ids[i + count / 2] = cltProxyId( i );
            }
            break;
        case 5: // ids named twice in a row: at the end of a range and the start of the next, in the loop of moves
        case 6: // or in the loop that checks ids
            for ( size_t i = kind == 5 ? 4096 : 8192; i < count; i += 8192 )
            {
                ids[i] = ids[i - 1];
            }
            break;
        }
        return ids;
    }

    /// The box stays, gets -0 for 0 (which is no change), moves, or becomes hidden. If allMove, it always moves.
    cltAabbD changed( cltAabbD box, bool allMove, bool maybeHidden )
    {
        const uint32_t axis = random.below( 3 );
        switch ( allMove ? 2 : random.below( 4 ) )
        {
        case 1:
            box.lower[1 + axis % 2] = -0.0;
            break;
        case 2:
            box.upper[axis] = box.lower[axis] + random.between( 1, 3 );
            break;
        case 3:
            box.lower[axis] = maybeHidden && random.below( 8 ) == 0 ? notANumber : box.lower[axis];
            break;
        }
        return box;
    }

    /// Whether a move from box a to box b is a change. A hidden proxy that stays hidden does not change.
    static bool differ( const cltAabbD& a, const cltAabbD& b )
    {
        return hasNan( a ) || hasNan( b )
                   ? hasNan( a ) != hasNan( b )
                   : !std::equal( a.lower, a.lower + 3, b.lower ) || !std::equal( a.upper, a.upper + 3, b.upper );
    }

    Hooks hooks;
    World world{ def() };
    Random random{ 5 };
};

} // namespace

INSTANTIATE_TEST_SUITE_P( Threads, ManyMoves,
                          testing::Values( std::pair( clt_precisionFloat, 0 ), std::pair( clt_precisionFloat, 1 ),
                                           std::pair( clt_precisionFloat, 2 ), std::pair( clt_precisionFloat, 5 ),
                                           std::pair( clt_precisionDouble, 2 ) ) );

TEST_P( ManyMoves, EqualSingleMoves )
{
    for ( const size_t count : { few, many } )
    {
        Boxes row( count ); // cubes that reach their neighbours when they grow
        std::generate( row.begin(), row.end(),
                       [x = 0.0]() mutable
                       {
                           x += 2;
                           return cltAabbD{ { x, 0, 0 }, { x + 1, 1, 1 } };
                       } );
        World other( def() );
        std::swap( world, other );
        world.createAll( row );
        world.updateOnly();
        Boxes last = row;
        for ( int step = 0; step < 14; ++step )
        {
            std::set<cltProxyId> moved;
            const int callCount = step % 3 == 1 ? 2 : 1; // two calls: more moves than the list of changes holds
            for ( int call = 0; call < callCount; ++call )
            {
                const Ids ids = idsOf( ( step + call ) % 7, count );
                Boxes boxes;
                std::transform( ids.begin(), ids.end(), std::back_inserter( boxes ),
                                [&]( cltProxyId id ) { return changed( row[id], step % 2 == 0, step % 4 > 1 ); } );
                world.expectQueries( random, step % 4 == 3 ? 20 : 0 ); // build a tree that keeps boxes
                for ( size_t i = 0; i < ids.size(); ++i )
                {
                    const cltAabbD box = world.roundedToPrecision( boxes[i] );
                    if ( differ( last[ids[i]], box ) )
                    {
                        moved.insert( ids[i] );
                    }
                    last[ids[i]] = box;
                }
                world.moveAll( ids, boxes );
                world.expectQueries( random, step % 4 == 3 ? 20 : 0 );
            }
            world.updateOnly();
            world.expectProxies();
            const auto isHidden = []( const auto& proxy ) { return hasNan( proxy.second.box ); };
            EXPECT_EQ( std::count_if( world.proxies().begin(), world.proxies().end(), isHidden ),
                       world.stats().nanCount );
            EXPECT_EQ( moved.size(), world.stats().changedCount );
        }
    }
}

/// Queries build a tree of current boxes. Without memory to keep it through moves, it is not used again.
TEST_P( ManyMoves, AreSeenByQueriesWithoutMemory )
{
    cltBroadphaseDef counted = def();
    counted.algorithm = clt_algorithmGrid; // makes no tree for queries
    hooks.installMemory( counted );
    World other( counted );
    Boxes boxes = randomCubes( random, many, 30 );
    const Ids ids = other.createAll( boxes );
    other.updateOnly();
    other.expectQueries( random, 30 );
    for ( cltAabbD& box : boxes )
    {
        box = shifted( box, random.between( 1, 3 ) );
    }
    hooks.failAllocations( 1, UINT64_MAX / 2 );
    other.moveAll( ids, boxes );
    hooks.failAllocations( 1, 0 );
    other.expectQueries( random, 5 );
}

TEST_P( ManyMoves, AreAllMadeOrNone )
{
    world.createAll( randomCubes( random, many + 1, 30 ) );
    const cltProxyId destroyed = many; // no list has it by itself
    world.destroy( destroyed );
    world.updateOnly();
    const std::vector<cltAabb> boxes( many );
    const std::vector<cltFilter> filters( many, { 1, 0 } );
    std::vector<uint64_t> userData( many, 77 );
    cltBroadphase* broadphase = world.broadphase();
    for ( size_t count : { few, many } )
    {
        for ( size_t place : { size_t( 0 ), count / 2, count - 1 } )
        {
            Ids ids = idsOf( 0, count );
            ids[place] = ids[( place + 1 ) % count]; // named twice
            EXPECT_EQ( clt_unknownProxy, cltBroadphase_DestroyProxies( broadphase, count, ids.data() ) );
            ids[place] = place == count / 2 ? destroyed : many + 5;
            EXPECT_EQ( clt_unknownProxy, cltBroadphase_DestroyProxies( broadphase, count, ids.data() ) );
            EXPECT_EQ( clt_unknownProxy, cltBroadphase_MoveProxies( broadphase, count, ids.data(), boxes.data() ) );
            EXPECT_EQ( clt_unknownProxy, cltBroadphase_SetFilters( broadphase, count, ids.data(), filters.data() ) );
            EXPECT_EQ( clt_unknownProxy,
                       cltBroadphase_GetUserDataOf( broadphase, count, ids.data(), userData.data() ) );
            EXPECT_EQ( size_t( many ), size_t( std::count( userData.begin(), userData.end(), 77 ) ) );
        }
    }
    world.expectProxies();
    world.updateOnly(); // reports no changes, or the world fails
    EXPECT_EQ( 0u, world.stats().changedCount );
    world.destroyAll( idsOf( 0, few ) );
}
