// SPDX-License-Identifier: Zlib
// Which pairs groups, masks and the application's filter let in, from when on, and when the filter is asked about whom:
// CT-23 to CT-26.
#include "contestants.h"

#include <climits>
#include <map>

using namespace test;

namespace
{
bool everything( btBroadphaseProxy&, btBroadphaseProxy& )
{
    return true;
}

bool nothing( btBroadphaseProxy&, btBroadphaseProxy& )
{
    return false;
}

/// pybullet's rule: one side is enough to let the other in.
bool eitherSide( const btBroadphaseProxy& a, const btBroadphaseProxy& b )
{
    return ( a.m_collisionFilterGroup & b.m_collisionFilterMask ) != 0 ||
           ( b.m_collisionFilterGroup & a.m_collisionFilterMask ) != 0;
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

void expectEitherSide( const Arena& arena )
{
    std::vector<IdPair> expected;
    for ( const auto& a : arena.bodies.all() )
    {
        for ( const auto& b : arena.bodies.all() )
        {
            if ( a->id < b->id && eitherSide( *a->proxies[0], *b->proxies[0] ) )
            {
                expected.emplace_back( a->id, b->id );
            }
        }
    }
    ASSERT_GT( expected.size(), arena.bodies.expectedPairs().size() );
    EXPECT_TRUE( samePairs( expected, arena.pairs() ) );
}

/// Two unit cubes with nothing between them and the rest of the world, apart to begin with.
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

    /// As a world does each step with a body that did not move.
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

TEST_P( Contract, CT23_FilterMayAcceptPairsThatMasksReject )
{
    Filter filter( eitherSide );
    Arena arena( GetParam() );
    arena.cache.setOverlapFilterCallback( &filter );
    createEveryCombination( arena.bodies );
    expectEitherSide( arena );
}

/// The same with a cache of the application's that needs no callback for it.
TEST_P( Contract, CT23_CacheMayAcceptPairsThatMasksReject )
{
    Arena arena( GetParam(), 1, 1, nullptr, new EitherSideCache );
    createEveryCombination( arena.bodies );
    expectEitherSide( arena );
}

/// The application deletes its filter once the cache does not know it any more.
TEST_P( Contract, CT24_CurrentFilterDecidesAboutNewPairs )
{
    Couple couple( GetParam() );
    for ( const Filter::Function& decide : { Filter::Function(), Filter::Function( nothing ),
                                             Filter::Function( everything ), Filter::Function( nothing ) } )
    {
        const std::unique_ptr<Filter> filter( decide ? new Filter( decide ) : nullptr );
        couple.cache.setOverlapFilterCallback( filter.get() );
        const bool letsIn = !decide || decide( *couple.stayer.proxies[0], *couple.mover.proxies[0] );
        EXPECT_EQ( letsIn, couple.meet() );
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
    EXPECT_EQ( 0, couple.meet() ) << "it begins anew, and is asked anew";
    couple.mover.proxies[0]->m_collisionFilterMask = -1;
}

/// Masks are edited in place, without a word to the broadphase; worlds set every box each step, changed or not.
TEST_P( Contract, CT25_MaskedPairAppearsWhenItsMaskIsEdited )
{
    Couple couple( GetParam() );
    btBroadphaseProxy& proxy = *couple.mover.proxies[0];
    for ( int* word : { &proxy.m_collisionFilterGroup, &proxy.m_collisionFilterMask } )
    {
        const int before = *word;
        *word = 0;
        couple.part();
        ASSERT_EQ( 0, couple.meet() );
        *word = before;
        EXPECT_EQ( 1, couple.setAgain() );
    }
}

/// The same with a filter callback that changes its mind: it is asked again when a box changes.
TEST_P( Contract, CT25_FilteredPairAppearsWhenABoxChanges )
{
    Filter filter( nothing );
    Couple couple( GetParam() );
    couple.cache.setOverlapFilterCallback( &filter );
    ASSERT_EQ( 0, couple.meet() );
    filter.decide = everything;
    EXPECT_EQ( 1, couple.countAfterMovingTo( btScalar( 0.51 ) ) );
}

/// And with one that goes by groups and masks: it is asked again when one of these was edited.
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

namespace
{
/// Bodies whose filter notes what it is asked, and complains about what no broadphase has a reason to ask.
class Asked : public Arena
{
public:
    explicit Asked( const RigKind& kind ) : Arena( kind, 26, spreadFor( 100 ) )
    {
    }

    ~Asked()
    {
        cache.setOverlapFilterCallback( nullptr );
    }

    /// A new proxy is not known to be alive before it is there.
    void beginStep()
    {
        timesAsked.clear();
        m_alive.clear();
        for ( const auto& body : bodies.all() )
        {
            m_alive.insert( body->proxies[0] );
        }
        cache.setOverlapFilterCallback( &m_filter );
    }

    std::map<IdPair, int> timesAsked; ///< in this step

private:
    bool answer( btBroadphaseProxy& proxy0, btBroadphaseProxy& proxy1 )
    {
        EXPECT_EQ( 1u, m_alive.count( &proxy0 ) );
        EXPECT_EQ( 1u, m_alive.count( &proxy1 ) );
        EXPECT_EQ( nullptr, cache.findPair( &proxy0, &proxy1 ) ) << "asked for a pair that is there";
        const IdPair pair = idsOf( proxy0, proxy1 );
        EXPECT_EQ( 1, ++timesAsked[pair] ) << "asked again in the same step for " << pair.first << "-" << pair.second;
        return ( pair.first + pair.second ) % 3 != 0;
    }

    Filter m_filter{ [this]( btBroadphaseProxy& a, btBroadphaseProxy& b ) { return answer( a, b ); } };
    std::set<const btBroadphaseProxy*> m_alive;
};
} // namespace

/// Steps of a world: every box is set, whether it moved or not, then the pairs are brought up to date.
TEST_P( Contract, CT26_FilterIsAskedOncePerNewPairAndStep )
{
    Asked asked( GetParam() );
    asked.bodies.createBoxes( 100 );
    size_t count = 0;
    for ( int step = 0; step < 20 && !HasFailure(); ++step )
    {
        asked.beginStep();
        asked.bodies.moveAll( [&]( const Body& body )
                              { return ( body.id + step ) % 3 == 0 ? asked.bodies.randomBox() : body.box; } );
        asked.bodies.update();
        count += asked.timesAsked.size();
    }
    EXPECT_GT( count, 100u );
}

/// Also where bodies come and go.
TEST_P( Contract, CT26_FilterIsAskedAboutLiveProxiesOnly )
{
    Asked asked( GetParam() );
    Bodies& bodies = asked.bodies;
    for ( int step = 0; step < 60 && !HasFailure(); ++step )
    {
        asked.cache.setOverlapFilterCallback( nullptr );
        bodies.createBoxes( 1 );
        if ( bodies.size() > 40 )
        {
            bodies.destroyRandom();
        }
        asked.beginStep();
        bodies.move( bodies.at( bodies.random().below( uint32_t( bodies.size() ) ) ), bodies.randomBox() );
        bodies.update();
    }
}
