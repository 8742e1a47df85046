// SPDX-License-Identifier: Zlib
// A box with a NaN has no pairs and no hits, does not affect others, and pairs again after a valid box: CT-40.
#include "numbers.h"
#include "queries.h"

using namespace test;

/// 300 bodies, about `percent` of which get a box with a NaN.
struct SomeNan : public Arena
{
    SomeNan( const RigKind& kind, int percent ) : Arena( kind, 40, 4 )
    {
        bodies.createRandom( 300 );
        bodies.update();
        for ( const auto& body : bodies.all() )
        {
            if ( int( bodies.random().below( 100 ) ) < percent )
            {
                bodies.move( *body, withNan( body->box, bodies.random() ) );
            }
        }
    }

    std::vector<int> idsWithoutNan() const
    {
        std::vector<int> ids;
        for ( const auto& body : bodies.all() )
        {
            if ( overlap( body->box, body->box ) )
            {
                ids.push_back( body->id );
            }
        }
        return ids;
    }
};

static const int percents[] = { 1, 5, 50, 100 };

TEST_P( Contract, CT40_BoxesWithNanFormNoPairs )
{
    for ( int percent : percents )
    {
        SomeNan scene( GetParam(), percent );
        scene.bodies.update();
        ASSERT_TRUE( scene.hasExactPairs() ) << percent << " percent";
    }
}

TEST_P( Contract, CT40_BoxesWithNanAreNotHit )
{
    for ( int percent : percents )
    {
        SomeNan scene( GetParam(), percent );
        EXPECT_EQ( scene.idsWithoutNan(), boxHits( scene.broadphase, everywhere ) ) << percent << " percent";
        // The sweep is so large that it hits every valid box.
        const Ray ray = { btVector3( -9, 0, 0 ), btVector3( 9, 0, 0 ), everywhere };
        EXPECT_EQ( scene.idsWithoutNan(), rayHits( scene.broadphase, ray ) ) << percent << " percent";
    }
}

TEST_P( Contract, CT40_ValidBoxRestoresPairsAndHits )
{
    for ( int percent : percents )
    {
        SomeNan scene( GetParam(), percent );
        scene.bodies.update();
        scene.bodies.randomizeBoxes();
        scene.bodies.update();
        ASSERT_TRUE( scene.hasExactPairs() ) << percent << " percent";
        ASSERT_EQ( 300u, boxHits( scene.broadphase, everywhere ).size() ) << percent << " percent";
    }
}

TEST_P( Contract, CT40_ProxyCreatedWithNanPairsAfterAValidBox )
{
    Arena arena( GetParam(), 41, 2 );
    arena.bodies.createRandom( 100 );
    Body& body = arena.bodies.create( withNan( cube( 0, 0, 0, 1 ), arena.bodies.random() ) );
    arena.bodies.update();
    ASSERT_TRUE( arena.hasExactPairs() );
    arena.bodies.move( body, { btVector3( -2, -2, -2 ), btVector3( 2, 2, 2 ) } );
    arena.bodies.update();
    ASSERT_TRUE( arena.hasExactPairs() );
}

TEST_P( Contract, CT40_QueriesWithNanHitNothing )
{
    Arena arena( GetParam(), 42, 2 );
    arena.bodies.createRandom( 50 );
    EXPECT_TRUE( boxHits( arena.broadphase, { btVector3( notANumber, -9, -9 ), btVector3( 9, 9, 9 ) } ).empty() );
    EXPECT_TRUE( boxHits( arena.broadphase, { btVector3( -9, -9, -9 ), btVector3( 9, notANumber, 9 ) } ).empty() );
}
