// SPDX-License-Identifier: Zlib
// Filters follow Bullet's rule for group and mask, with any bits, also if they change between updates.
#include "tests/behaviour/backends/each_config.h"

#include <climits>

using namespace test;

CLT_EACH_CONFIG( Filters );

/// Includes two filters of which only one accepts the other, and the sign bit, which is a bit like any other.
TEST_P( Filters, EveryGroupMeetsEveryMask )
{
    World world( def() );
    const int values[] = { 0, 1, 2, 3, 64, -1, ~2, INT_MIN, INT_MAX };
    for ( const int group : values )
    {
        for ( const int mask : values )
        {
            world.create( span( 0, 1 ), { group, mask } );
        }
    }
    world.update();
}

namespace
{

/// Updates a world of `count` bodies. Body i has filter i modulo the number of filters; between updates some bodies get
/// other filters. In two steps no body moves, so only filters change pairs. In the other steps all move, and some jump.
void updateWithFilters( const cltBroadphaseDef& def, int count, const std::vector<cltFilter>& filters )
{
    World world( def );
    Random random( static_cast<uint64_t>( count ) );
    const double reach = 1 + count / 16;
    Ids ids;
    for ( int i = 0; i < count; ++i )
    {
        ids.push_back( world.create( randomCube( random, reach ), filters[size_t( i ) % filters.size()] ) );
    }
    for ( const unsigned share : { 4u, 9u, 1u, 2u, 9u } )
    {
        world.update();
        for ( const cltProxyId id : ids )
        {
            const cltAabbD box = world.boxOf( id );
            if ( share > 2 )
            {
                world.move( id, random.oneIn( 8 ) ? randomCube( random, reach ) : shifted( box, 0.125 ) );
            }
            if ( random.oneIn( share ) )
            {
                world.setFilter( id, filters[random.below( filters.size() )] );
            }
        }
    }
    world.update();
}

} // namespace

TEST_P( Filters, PruneBlocksByEveryBit )
{
    for ( int bit = 0; bit < 32; ++bit )
    {
        SCOPED_TRACE( bit );
        const auto mine = int32_t( 1u << bit );
        const auto theirs = int32_t( 1u << ( bit + 1 ) % 32 );
        updateWithFilters( def(), 17,
                           { { mine, theirs }, { theirs, mine } } );         // only bodies with different filters pair
        updateWithFilters( def(), 17, { { mine, ~mine }, { theirs, -1 } } ); // bodies with the first filter do not pair
    }
}

TEST_P( Filters, HoldInFullAndPartlyFilledBlocks )
{
    std::vector<cltFilter> more; // more filters than `wide` has filter classes
    for ( int i = 0; i < 30; ++i )
    {
        more.push_back( { 1 << i, ~( 1 << i ) } );
    }
    for ( const int count : { 0, 1, 2, 15, 16, 17, 33, 300 } )
    {
        SCOPED_TRACE( count );
        updateWithFilters( def(), count, { { 2, 4 }, { 4, 2 } } );
        updateWithFilters( def(), count, { { 8, ~8 } } ); // no pairs
        updateWithFilters( def(), count, { defaultFilter, { 2, 4 }, { 4, 2 }, { 8, ~8 }, { 0, -1 }, { 16, 0 } } );
        updateWithFilters( def(), count, more );
    }
}

/// A body gets new bits of group or mask, after updates in which no filter rejected a pair.
TEST_P( Filters, RejectPairsAfterUpdatesWithoutRejections )
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

TEST_P( Filters, SwitchedOffAcceptAllPairs )
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
