// SPDX-License-Identifier: Zlib
// Queries beside trees: every way in which a proxy's box gets into one, is left behind in one, or is in none. Worlds
// are large enough for trees, questions frequent enough for them to be built; with a hierarchy of the backend's, and
// without.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

using namespace test;

namespace
{

class QueryTrees : public testing::TestWithParam<Config>
{
protected:
    static cltBroadphaseDef defWith( Hooks& hooks )
    {
        cltBroadphaseDef def = defOf( GetParam() );
        hooks.installMemory( def );
        return def;
    }

    Hooks hooks; // outlives the world
    World world{ defWith( hooks ) };
    Random random{ 5 };
    Ids proxies;

    cltAabbD oddBox()
    {
        switch ( random.below( 12 ) )
        {
        case 0:
            return { { 0, notANumber, 0 }, { 1, 1, 1 } };
        case 1:
            return span( -infinity, infinity );
        case 2:
            return span( 3, -3 );
        default:
            return randomCube( random, 4 );
        }
    }

    void create( size_t count )
    {
        for ( size_t i = 0; i < count; ++i )
        {
            proxies.push_back( world.create( oddBox() ) );
        }
    }

    void change()
    {
        const size_t i = random.below( uint32_t( proxies.size() ) );
        switch ( random.below( 8 ) )
        {
        case 0:
            world.destroy( proxies[i] );
            proxies[i] = proxies.back();
            proxies.pop_back();
            break;
        case 1:
            create( 1 + random.below( 3 ) );
            break;
        default:
            world.move( proxies[i], oddBox() );
        }
    }
};

/// Only `wide` has a hierarchy that queries walk.
std::vector<Config> queryConfigs()
{
    std::vector<Config> configs;
    for ( cltPrecision precision : allPrecisions )
    {
        configs.push_back( { testDevice, clt_algorithmAuto, precision, 1 } );
        configs.push_back( { testDevice, clt_algorithmBruteForce, precision, 1 } );
    }
    return configs;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, QueryTrees, testing::ValuesIn( queryConfigs() ), configName );

/// The forest: each question sees one change more.
TEST_P( QueryTrees, AskedAfterEveryChange )
{
    create( 200 );
    for ( int i = 0; i < 3000 && !HasFailure(); ++i )
    {
        world.expectQueries( random, 1 );
        change();
        if ( random.below( 400 ) == 0 )
        {
            world.update();
        }
    }
}

/// A tree over all, in which a box that moves a little stays where it lies. What jumps, comes or goes is found as well.
TEST_P( QueryTrees, AskedAfterEverySmallMove )
{
    create( 300 );
    for ( int round = 0; round < 3 && !HasFailure(); ++round )
    {
        world.update();
        for ( int i = 0; i < 900 && !HasFailure(); ++i )
        {
            const cltProxyId proxy = proxies[random.below( uint32_t( proxies.size() ) )];
            const uint32_t kind = random.below( 12 );
            if ( kind == 0 )
            {
                change();
            }
            else
            {
                world.move( proxy, shifted( world.boxOf( proxy ), kind == 1 ? 0 : random.between( -0.1, 0.1 ) ) );
            }
            world.expectQueries( random, 1 );
        }
        world.moveAll( proxies, randomCubes( random, proxies.size(), 4 ) );
        world.expectQueries( random, 40 );
        world.move( proxies[0], world.boxOf( proxies[0] ) );
        world.expectQueries( random, 5 );
        world.move( proxies[0], randomCube( random, 4 ) );
        world.expectQueries( random, 5 );
    }
}

/// The same, without memory for some of the trees.
TEST_P( QueryTrees, AskedAfterEverySmallMoveWithLittleMemory )
{
    create( 200 );
    for ( uint64_t call = 1; call < 12 && !HasFailure(); ++call )
    {
        hooks.failAllocations( 1, 0 );
        world.update();
        hooks.failAllocations( call, 3 );
        for ( int i = 0; i < 300 && !HasFailure(); ++i )
        {
            const cltProxyId proxy = proxies[random.below( uint32_t( proxies.size() ) )];
            world.move( proxy, shifted( world.boxOf( proxy ), random.between( -0.1, 0.1 ) ) );
            world.expectQueries( random, 1 );
        }
    }
    EXPECT_GT( hooks.failureCount(), 0u );
    hooks.failAllocations( 1, 0 );
}

/// The overview: many questions about one state in which much has changed.
TEST_P( QueryTrees, AskedOftenAfterManyChanges )
{
    create( 300 );
    for ( int round = 0; round < 8 && !HasFailure(); ++round )
    {
        const uint32_t changes = random.below( 2 ) ? 300 : 20;
        for ( uint32_t i = 0; i < changes; ++i )
        {
            change();
        }
        world.expectQueries( random, 60 );
        change();
        world.expectQueries( random, 3 );
        if ( round % 2 == 1 )
        {
            world.update();
            world.expectQueries( random, 40 );
        }
        if ( round % 3 == 2 )
        {
            world.expectPairs(); // listing all pairs builds a hierarchy, too
            world.expectQueries( random, 40 );
        }
    }
}

/// What was indexed while it had not changed, where there is no base, and changes then, in part or wholly.
TEST_P( QueryTrees, EverythingChangesAfterItWasIndexed )
{
    create( 200 );
    world.updateOnly();
    world.expectQueries( random, 30 );
    world.move( proxies[0], randomCube( random, 4 ) ); // indexes
    for ( size_t i = 0; i < proxies.size(); i += 2 )
    {
        world.setFilter( proxies[i], { 2, 3 } );
    }
    world.expectQueries( random, 3 );
    world.moveAll( proxies, randomCubes( random, proxies.size(), 4 ) );
    world.expectQueries( random, 3 );
}

/// A query after every change builds a tree that survives the change, whatever the kind of change.
TEST_P( QueryTrees, AnyChangeAfterManyQuestionsIndexes )
{
    void ( *const changes[] )( World& ) = { []( World& it ) { it.create( span( 0, 1 ) ); },
                                            []( World& it ) { it.move( 0, span( 0, 1 ) ); },
                                            []( World& it ) {
                                                it.setFilter( 0, cltFilter{ 2, 3 } );
                                            },
                                            []( World& it ) { it.destroy( 0 ); } };
    for ( const auto& change : changes )
    {
        World fresh( defOf( GetParam() ) );
        fresh.createAll( randomCubes( random, 1000, 4 ) );
        fresh.expectQueries( random, 20 );
        const size_t bytes = fresh.stats().hostBytes;
        change( fresh );
        EXPECT_GT( fresh.stats().hostBytes, bytes + 1000 * sizeof( cltAabb ) );
    }
}

TEST_P( QueryTrees, FiltersDoNotHide )
{
    create( 200 );
    world.update();
    world.expectQueries( random, 40 );
    for ( cltProxyId proxy : proxies )
    {
        world.setFilter( proxy, { 0, 0 } );
    }
    world.expectQueries( random, 60 );
}

TEST_P( QueryTrees, AnswerWithoutMemory )
{
    create( 300 );
    world.update();
    for ( size_t i = 0; i < 200; ++i )
    {
        world.move( proxies[i], oddBox() );
    }
    hooks.failAllocations( 1, UINT64_MAX / 2 );
    world.expectQueries( random, 60 );
    world.move( proxies[0], randomCube( random, 4 ) ); // would index
    world.expectQueries( random, 60 );
    EXPECT_GT( hooks.failureCount(), 0u );
    hooks.failAllocations( 1, 0 );
    world.expectQueries( random, 60 );
    world.update();
    world.expectQueries( random, 60 );
}

/// An update that fails leaves the hierarchy in any state; so queries do without, until there is a new one.
TEST_P( QueryTrees, RightAfterAFailedUpdate )
{
    create( 300 );
    world.update();
    for ( int call = 1; call < 12; ++call )
    {
        create( 100 ); // needs memory in every stage
        for ( int i = 0; i < 100; ++i )
        {
            change();
        }
        hooks.failAllocations( uint64_t( call ), UINT64_MAX / 2 );
        const cltStatus status = cltBroadphase_Update( world.broadphase(), nullptr );
        hooks.failAllocations( 1, 0 );
        for ( int i = 0; i < 150; ++i ) // enough to be indexed
        {
            world.expectQueries( random, 1 );
            world.move( proxies[size_t( i )], randomCube( random, 4 ) );
        }
        const cltPair* pairs;
        size_t count;
        ASSERT_EQ( clt_ok, cltBroadphase_GetPairs( world.broadphase(), &pairs, &count ) );
        world.expectQueries( random, 40 );
        if ( status == clt_ok )
        {
            break;
        }
    }
    ASSERT_EQ( clt_ok, cltBroadphase_Update( world.broadphase(), nullptr ) );
    world.expectQueries( random, 40 );
    change();
    world.expectQueries( random, 40 );
}
