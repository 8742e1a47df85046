// SPDX-License-Identifier: Zlib
// A box with a NaN meets nothing, hurts nobody, and is back as soon as it has a good box: CT-40.
#include "numbers.h"
#include "queries.h"

using namespace test;

class SomeNan
{
public:
    /// About `percent` of 300 bodies got a box with a NaN.
    SomeNan( const RigKind& kind, int percent ) : m_arena( kind, 40, 4 )
    {
        bodies().createRandom( 300 );
        bodies().update();
        for ( size_t i = 0; i < 300; ++i )
        {
            if ( int( bodies().random().below( 100 ) ) < percent )
            {
                bodies().move( bodies().at( i ), withNan( bodies().at( i ).box, bodies().random() ) );
            }
        }
    }

    Bodies& bodies()
    {
        return m_arena.bodies;
    }

    Arena& arena()
    {
        return m_arena;
    }

    std::vector<int> healthy()
    {
        std::vector<int> ids;
        for ( size_t i = 0; i < bodies().size(); ++i )
        {
            if ( overlap( bodies().at( i ).box, bodies().at( i ).box ) )
            {
                ids.push_back( bodies().at( i ).id );
            }
        }
        return ids;
    }

private:
    Arena m_arena;
};

static const int percents[] = { 1, 5, 50, 100 };

TEST_P( Contract, CT40_NoPairs )
{
    for ( int percent : percents )
    {
        SomeNan scene( GetParam(), percent );
        scene.bodies().update();
        ASSERT_TRUE( samePairs( scene.bodies().expectedPairs(), scene.arena().pairs() ) ) << percent << " percent";
    }
}

TEST_P( Contract, CT40_NoHits )
{
    const Box everywhere = { btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ) };
    for ( int percent : percents )
    {
        SomeNan scene( GetParam(), percent );
        EXPECT_EQ( scene.healthy(), boxHits( scene.arena().broadphase, everywhere ) ) << percent << " percent";
        // A sweep so large that it misses nothing but what has a NaN.
        const Ray ray = { btVector3( -9, 0, 0 ), btVector3( 9, 0, 0 ), everywhere };
        EXPECT_EQ( scene.healthy(), rayHits( scene.arena().broadphase, ray ) ) << percent << " percent";
    }
}

TEST_P( Contract, CT40_BackWithAGoodBox )
{
    for ( int percent : percents )
    {
        SomeNan scene( GetParam(), percent );
        scene.bodies().update();
        for ( size_t i = 0; i < scene.bodies().size(); ++i )
        {
            scene.bodies().move( scene.bodies().at( i ), scene.bodies().randomBox() );
        }
        scene.bodies().update();
        ASSERT_TRUE( samePairs( scene.bodies().expectedPairs(), scene.arena().pairs() ) ) << percent << " percent";
        const Box everywhere = { btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ) };
        ASSERT_EQ( 300u, boxHits( scene.arena().broadphase, everywhere ).size() ) << percent << " percent";
    }
}

TEST_P( Contract, CT40_CreatedWithANan )
{
    Arena arena( GetParam(), 41, 2 );
    arena.bodies.createRandom( 100 );
    Body& hidden = arena.bodies.create( withNan( cube( 0, 0, 0, 1 ), arena.bodies.random() ) );
    arena.bodies.update();
    ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) );
    arena.bodies.move( hidden, { btVector3( -2, -2, -2 ), btVector3( 2, 2, 2 ) } );
    arena.bodies.update();
    ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) );
}

TEST_P( Contract, CT40_AskedWithANan )
{
    Arena arena( GetParam(), 42, 2 );
    arena.bodies.createRandom( 50 );
    EXPECT_TRUE( boxHits( arena.broadphase, { btVector3( notANumber, -9, -9 ), btVector3( 9, 9, 9 ) } ).empty() );
    EXPECT_TRUE( boxHits( arena.broadphase, { btVector3( -9, -9, -9 ), btVector3( 9, notANumber, 9 ) } ).empty() );
}
