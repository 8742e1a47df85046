// SPDX-License-Identifier: Zlib
// Which pairs are accepted by groups, masks and the application's filter, when a change of one of these takes effect,
// and about which pairs the filter is asked: CT-23 to CT-26.
#include "contestants.h"

#include <climits>
#include <map>

using namespace test;

namespace
{
bool acceptAll( btBroadphaseProxy&, btBroadphaseProxy& )
{
    return true;
}

bool rejectAll( btBroadphaseProxy&, btBroadphaseProxy& )
{
    return false;
}

/// One body for each combination of group and mask, all in one place.
void createEveryCombination( Bodies& bodies )
{
    const int words[] = { 0, 1, 2, 3, -1, ~1, INT_MIN, INT_MAX, 1 << 16 };
    for ( int group : words )
    {
        for ( int mask : words )
        {
            bodies.create( cube( 0, 0, 0, 1 ), group, mask );
        }
    }
    bodies.update();
}

/// Two unit cubes, which are apart at first.
struct Couple : public Arena
{
    using Arena::Arena;

    int countAfterMovingTo( btScalar x )
    {
        bodies.move( mover, cube( x, 0, 0, 1 ) );
        bodies.update();
        return pairCount();
    }

    int meet()
    {
        return countAfterMovingTo( btScalar( 0.5 ) );
    }

    int part()
    {
        return countAfterMovingTo( 9 );
    }

    /// Sets the same box again, as a world does in each step for a body that did not move.
    int setAgain()
    {
        return countAfterMovingTo( mover.box.lower.x() );
    }

    Body& stayer = bodies.create( cube( 0, 0, 0, 1 ) );
    Body& mover = bodies.create( cube( 9, 0, 0, 1 ) );
};
} // namespace

TEST_P( Contract, CT23_PairsNeedGroupAndMaskOfBothSides )
{
    Arena arena( GetParam() );
    createEveryCombination( arena.bodies );
    ASSERT_FALSE( arena.bodies.expectedPairs().empty() );
    EXPECT_TRUE( arena.hasExactPairs() );
}

/// A filter callback, or a cache that overrides needsBroadphaseCollision, has another rule than the masks.
TEST_P( Contract, CT23_FilterAndCacheMayAcceptPairsThatMasksReject )
{
    Filter filter( eitherSideAccepts );
    for ( const bool hasFilter : { true, false } )
    {
        Arena arena( GetParam(), 1, 1, nullptr, hasFilter ? nullptr : new EitherSideCache );
        arena.cache.setOverlapFilterCallback( hasFilter ? &filter : nullptr );
        createEveryCombination( arena.bodies );
        std::vector<IdPair> expected;
        for ( const auto& a : arena.bodies.all() )
        {
            for ( const auto& b : arena.bodies.all() )
            {
                if ( a->id < b->id && eitherSideAccepts( *a->proxies[0], *b->proxies[0] ) )
                {
                    expected.emplace_back( a->id, b->id );
                }
            }
        }
        ASSERT_GT( expected.size(), arena.bodies.expectedPairs().size() );
        EXPECT_TRUE( samePairs( expected, arena.pairs() ) );
    }
}

/// The application replaces its filter and deletes the previous one.
TEST_P( Contract, CT24_CurrentFilterDecidesAboutNewPairs )
{
    Couple couple( GetParam() );
    for ( const Filter::Function& decide : { Filter::Function(), Filter::Function( rejectAll ),
                                             Filter::Function( acceptAll ), Filter::Function( rejectAll ) } )
    {
        const std::unique_ptr<Filter> filter( decide ? new Filter( decide ) : nullptr );
        couple.cache.setOverlapFilterCallback( filter.get() );
        const bool isAccepted = !decide || decide( *couple.stayer.proxies[0], *couple.mover.proxies[0] );
        EXPECT_EQ( isAccepted, couple.meet() );
        EXPECT_EQ( 0, couple.part() );
        couple.cache.setOverlapFilterCallback( nullptr );
    }
    EXPECT_EQ( 1, couple.meet() );
}

TEST_P( Contract, CT25_ExistingPairStaysWhenItsMaskIsEdited )
{
    Couple couple( GetParam() );
    ASSERT_EQ( 1, couple.meet() );
    couple.mover.proxies[0]->m_collisionFilterMask = 0;
    for ( int step = 0; step < 5; ++step )
    {
        ASSERT_EQ( 1, couple.setAgain() );
    }
    EXPECT_EQ( 0, couple.part() );
    EXPECT_EQ( 0, couple.meet() ) << "it would begin again, and the mask rejects it";
    couple.mover.proxies[0]->m_collisionFilterMask = -1;
}

/// Applications edit masks in place, without a call to the broadphase. Worlds then set every box in each step.
TEST_P( Contract, CT25_MaskedPairAppearsWhenItsMaskIsEdited )
{
    Couple couple( GetParam() );
    btBroadphaseProxy& proxy = *couple.mover.proxies[0];
    for ( int* word : { &proxy.m_collisionFilterGroup, &proxy.m_collisionFilterMask } )
    {
        const int previous = *word;
        *word = 0;
        couple.part();
        ASSERT_EQ( 0, couple.meet() );
        *word = previous;
        EXPECT_EQ( 1, couple.setAgain() );
    }
}

/// The box of the edited body itself is not set.
TEST_P( Contract, CT25_MaskIsReadWhenAnotherBodyMovesToIt )
{
    Couple couple( GetParam() );
    int& mask = couple.mover.proxies[0]->m_collisionFilterMask;
    mask = 0;
    couple.setAgain();
    mask = -1;
    couple.bodies.move( couple.stayer, couple.mover.box );
    couple.bodies.update();
    EXPECT_EQ( 1, couple.pairCount() );
}

/// The filter callback changes its answer. It is asked again when a box changes.
TEST_P( Contract, CT25_FilteredPairAppearsWhenABoxChanges )
{
    Filter filter( rejectAll );
    Couple couple( GetParam() );
    couple.cache.setOverlapFilterCallback( &filter );
    ASSERT_EQ( 0, couple.meet() );
    filter.decide = acceptAll;
    EXPECT_EQ( 1, couple.countAfterMovingTo( btScalar( 0.51 ) ) );
}

/// The filter callback reads masks. It is asked again when a mask was edited.
TEST_P( Contract, CT25_FilteredPairAppearsWhenItsMaskIsEdited )
{
    Filter filter( []( btBroadphaseProxy& a, btBroadphaseProxy& b )
                   { return ( a.m_collisionFilterMask & b.m_collisionFilterMask ) != 0; } );
    Couple couple( GetParam() );
    couple.cache.setOverlapFilterCallback( &filter );
    couple.mover.proxies[0]->m_collisionFilterMask = 0;
    ASSERT_EQ( 0, couple.meet() );
    couple.mover.proxies[0]->m_collisionFilterMask = -1;
    EXPECT_EQ( 1, couple.setAgain() );
}

/// Worlds set every box in each step, changed or not. In a step the filter is asked at most once about two proxies, and
/// only if both exist and are not a pair already.
TEST_P( Contract, CT26_FilterIsAskedOncePerNewPairAndStep )
{
    Arena arena( GetParam(), 26, spreadFor( 100 ) );
    Bodies& bodies = arena.bodies;
    std::set<const btBroadphaseProxy*> alive; // at the start of a step
    std::map<IdPair, int> timesAsked;         // in the step
    Filter filter(
        [&]( btBroadphaseProxy& proxy0, btBroadphaseProxy& proxy1 )
        {
            EXPECT_TRUE( alive.count( &proxy0 ) && alive.count( &proxy1 ) );
            EXPECT_EQ( nullptr, arena.cache.findPair( &proxy0, &proxy1 ) ) << "asked for an existing pair";
            const IdPair pair = idsOf( proxy0, proxy1 );
            EXPECT_EQ( 1, ++timesAsked[pair] ) << "asked twice in a step for " << pair.first << "-" << pair.second;
            return ( pair.first + pair.second ) % 3 != 0;
        } );
    bodies.createBoxes( 100 );
    size_t count = 0;
    for ( int step = 0; step < 40 && !HasFailure(); ++step )
    {
        arena.cache.setOverlapFilterCallback( nullptr );
        bodies.destroyRandom();
        bodies.createBoxes( 1 );
        alive.clear();
        for ( const auto& body : bodies.all() )
        {
            alive.insert( body->proxies[0] );
        }
        timesAsked.clear();
        arena.cache.setOverlapFilterCallback( &filter );
        bodies.moveAll( [&]( const Body& body )
                        { return ( body.id + step ) % 3 == 0 ? bodies.randomBox() : body.box; } );
        bodies.update();
        count += timesAsked.size();
    }
    EXPECT_GT( count, 100u );
    arena.cache.setOverlapFilterCallback( nullptr );
}
