// SPDX-License-Identifier: Zlib
// Filters follow Bullet's rule for group and mask, with any bits, also if they change between updates.
#include "tests/behaviour/backends/each_config.h"

#include <climits>

using namespace test;

CLT_EACH_CONFIG( Filters );

/// Includes two filters of which only one accepts the other, and the sign bit, which is treated as any other bit.
TEST_P( Filters, EveryGroupMeetsEveryMask )
{
    World world( def() );
    for ( const cltFilter& filter : { cltFilter{ 1, -1 },
                                      { 2, 1 },
                                      { 1, 2 },
                                      { -1, -1 },
                                      { 0, -1 },
                                      { -1, 0 },
                                      { 64, 1 },
                                      { INT_MIN, -1 },
                                      { 1, INT_MIN },
                                      { 3, 3 },
                                      { INT_MIN, INT_MIN },
                                      { INT_MIN, INT_MAX },
                                      { 2, 4 } } )
    {
        world.create( span( 0, 1 ), filter );
        world.create( span( 0.5, 2 ), filter );
    }
    world.update();
}

TEST_P( Filters, ChangeEndsAndBeginsPairs )
{
    World world( def() );
    const cltProxyId a = world.create( span( 0, 1 ) );
    world.create( span( 0, 1 ) );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
    world.setFilter( a, { 1, 0 } );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    world.setFilter( a, defaultFilter );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
    world.setFilter( a, { 1, 0 } );
    world.setFilter( a, defaultFilter ); // restored before the update
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
}

namespace
{

/// Two teams of overlapping bodies, in blocks of any size. Some bodies change team, some leave, some jump.
void playTeams( const cltBroadphaseDef& def, int count, const cltFilter& one, const cltFilter& other )
{
    World world( def );
    Random random( static_cast<uint64_t>( count ) );
    const double reach = 1 + count / 16;
    Ids ids;
    for ( int i = 0; i < count; ++i )
    {
        ids.push_back( world.create( randomCube( random, reach ), i % 2 == 0 ? one : other ) );
    }
    for ( int step = 0; step < 4; ++step )
    {
        world.update();
        for ( const cltProxyId id : ids )
        {
            const cltAabbD box = world.boxOf( id );
            world.move( id, random.oneIn( 8 ) ? randomCube( random, reach ) : shifted( box, 0.125 ) );
            if ( random.oneIn( 4 ) )
            {
                world.setFilter( id, random.oneIn( 2 ) ? one : other );
            }
        }
    }
    world.update();
}

} // namespace

TEST_P( Filters, OfBlocksPruneByEveryBit )
{
    for ( int bit = 0; bit < 32; ++bit )
    {
        SCOPED_TRACE( bit );
        const auto mine = int32_t( 1u << bit );
        const auto theirs = int32_t( 1u << ( bit + 1 ) % 32 );
        playTeams( def(), 17, { mine, theirs }, { theirs, mine } ); // pairs only between the teams
        playTeams( def(), 17, { mine, ~mine }, { theirs, -1 } );    // no pairs within the first team
    }
}

TEST_P( Filters, OfBlocksOfEveryFill )
{
    for ( const int count : { 0, 1, 15, 16, 17, 33, 300 } )
    {
        SCOPED_TRACE( count );
        playTeams( def(), count, { 2, 4 }, { 4, 2 } );
        playTeams( def(), count, { 8, ~8 }, { 8, ~8 } ); // no pairs
        playTeams( def(), count, { 2, ~2 }, defaultFilter );
    }
}

/// As a garment on a figure: two boxes of the same set are no pair.
TEST_P( Filters, OfTwoSetsPairOnlyAcross )
{
    World world( def() );
    Random random( 5 );
    world.createAll( randomCubes( random, 90, 2 ), { 1, 2 } );
    world.createAll( randomCubes( random, 150, 2 ), { 2, 1 } );
    world.update();
    const cltPair* pairs = nullptr;
    size_t count = 0;
    ASSERT_EQ( clt_ok, cltBroadphase_GetPairs( world.broadphase(), &pairs, &count ) );
    EXPECT_GT( count, 100u );
    EXPECT_TRUE( std::all_of( pairs, pairs + count,
                              []( const cltPair& pair ) { return pair.proxyA < 90 && pair.proxyB >= 90; } ) );
    world.moveInOrder( randomCubes( random, 240, 2 ) );
    world.update();
}

/// More different filters than filter classes.
TEST_P( Filters, OfManyKinds )
{
    World world( def() );
    Random random( 3 );
    Ids ids;
    for ( int i = 0; i < 240; ++i )
    {
        const auto group = int32_t( 1u << i % 30 );
        ids.push_back( world.create( randomCube( random, 6 ), { group, ~group } ) );
    }
    for ( int step = 0; step < 4; ++step )
    {
        world.update();
        for ( size_t i = size_t( step ) % 3; i < ids.size(); i += 3 )
        {
            world.move( ids[i], randomCube( random, 6 ) );
        }
    }
}

/// The filters of few bodies change, or of all bodies; the update searches differently. No body moves, so only filters
/// begin and end pairs.
TEST_P( Filters, ChangeWhereNothingMoves )
{
    const cltFilter filters[] = { defaultFilter, { 2, 4 }, { 4, 2 }, { 8, ~8 }, { 0, -1 }, { 16, 0 } };
    for ( const int count : { 1, 2, 16, 17, 300 } )
    {
        SCOPED_TRACE( count );
        World world( def() );
        Random random( 7 );
        const Ids ids = world.createAll( randomCubes( random, count, 1 + count / 32 ) );
        for ( const uint32_t share : { 1u, 9u, 1u, 2u, 40u } )
        {
            world.update();
            for ( const cltProxyId id : ids )
            {
                if ( random.oneIn( share ) )
                {
                    world.setFilter( id, filters[random.below( 6 )] );
                }
            }
        }
        world.update();
    }
}

/// New bits of group and mask, after updates in which no filter rejected a pair.
TEST_P( Filters, RefuseFromAnUpdateOn )
{
    World world( def() );
    Random random( 8 );
    for ( const cltFilter& filter : { cltFilter{ 1, -1 & ~2 }, { 2, -1 }, { 0, -1 }, { INT_MIN, INT_MAX } } )
    {
        Ids ids = world.createAll( randomCubes( random, 60, 2 ), { 1, 3 } );
        world.update();
        EXPECT_LT( 0u, world.pairCount() );
        world.setFilter( ids[7], filter );
        world.update();
        world.setFilter( ids[8], filter );
        world.setFilter( ids[7], { 1, -1 } );
        world.update();
        ids.push_back( world.create( world.boxOf( ids[9] ), filter ) );
        world.update();
        world.destroyAll( ids );
        world.update();
    }
}

TEST_P( Filters, SwitchedOffPairsEverything )
{
    cltBroadphaseDef unfiltered = def();
    unfiltered.filterMasks = false;
    World world( unfiltered );
    const cltProxyId a = world.create( span( 0, 1 ), { 0, 0 } );
    world.create( span( 0, 1 ), { 1, 2 } );
    world.create( span( 0, 1 ), { 4, 8 } );
    world.update();
    EXPECT_EQ( 3u, world.pairCount() );
    world.setFilter( a, { 16, 16 } );
    world.update();
    EXPECT_EQ( 3u, world.pairCount() );
}
