// SPDX-License-Identifier: Zlib
// Which pairs groups, masks and the application's filter let in, and when the filter is asked: CT-23 to CT-26.
#include "contestants.h"

#include <climits>
#include <map>
#include <set>

using namespace test;

namespace
{
/// A filter that is made of a function, and may be told to change its mind.
class Filter : public btOverlapFilterCallback
{
public:
    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        return decide( *proxy0, *proxy1 );
    }

    bool ( *decide )( const btBroadphaseProxy&, const btBroadphaseProxy& );
};

bool everything( const btBroadphaseProxy&, const btBroadphaseProxy& )
{
    return true;
}

bool nothing( const btBroadphaseProxy&, const btBroadphaseProxy& )
{
    return false;
}

/// pybullet's rule: one side is enough to let the other in.
bool eitherSide( const btBroadphaseProxy& a, const btBroadphaseProxy& b )
{
    return ( a.m_collisionFilterGroup & b.m_collisionFilterMask ) != 0 ||
           ( b.m_collisionFilterGroup & a.m_collisionFilterMask ) != 0;
}

const int words[] = { 0, 1, 2, 3, -1, ~1, INT_MIN, INT_MAX, 1 << 16 };

/// One body for each combination of group and mask, all in one place.
void createEveryCombination( Bodies& bodies )
{
    for ( int group : words )
    {
        for ( int mask : words )
        {
            bodies.create( cube( 0, 0, 0, 1 ), group, mask );
        }
    }
}

/// Two unit cubes with nothing between them and the rest of the world.
struct Couple
{
    explicit Couple( Arena& arena ) : arena( arena ), mover( apartFrom( arena ) )
    {
    }

    void meet()
    {
        arena.bodies.move( mover, cube( btScalar( 0.5 ), 0, 0, 1 ) );
        arena.bodies.update();
    }

    void part()
    {
        arena.bodies.move( mover, cube( 9, 0, 0, 1 ) );
        arena.bodies.update();
    }

    /// As a world does each step with a body that did not move.
    void setAgain()
    {
        arena.bodies.move( mover, mover.box );
        arena.bodies.update();
    }

    int pairCount() const
    {
        return arena.cache().getNumOverlappingPairs();
    }

    static Body& apartFrom( Arena& arena )
    {
        arena.bodies.create( cube( 0, 0, 0, 1 ) );
        return arena.bodies.create( cube( 9, 0, 0, 1 ) );
    }

    Arena& arena;
    Body& mover;
};
} // namespace

TEST_P( Contract, CT23_BothSidesMustLetTheOtherIn )
{
    Arena arena( GetParam() );
    createEveryCombination( arena.bodies );
    arena.bodies.update();
    ASSERT_FALSE( arena.bodies.expectedPairs().empty() );
    EXPECT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) );
}

TEST_P( Contract, CT23_AFilterMayLetInWhatMasksForbid )
{
    Filter filter;
    filter.decide = eitherSide;
    Arena arena( GetParam() );
    arena.cache().setOverlapFilterCallback( &filter );
    createEveryCombination( arena.bodies );
    arena.bodies.update();
    std::vector<IdPair> expected;
    for ( size_t i = 0; i < arena.bodies.size(); ++i )
    {
        for ( size_t j = i + 1; j < arena.bodies.size(); ++j )
        {
            const Body &a = arena.bodies.at( i ), &b = arena.bodies.at( j );
            if ( ( a.group & b.mask ) != 0 || ( b.group & a.mask ) != 0 )
            {
                expected.emplace_back( a.id, b.id );
            }
        }
    }
    ASSERT_GT( expected.size(), arena.bodies.expectedPairs().size() );
    EXPECT_TRUE( samePairs( expected, arena.pairs() ) );
}

TEST_P( Contract, CT24_TheFilterOfTheMomentDecides )
{
    Filter yes, no;
    yes.decide = everything;
    no.decide = nothing;
    Arena arena( GetParam() );
    Couple couple( arena );
    couple.part();
    const std::pair<btOverlapFilterCallback*, int> turns[] = {
        { nullptr, 1 }, { &no, 0 }, { &yes, 1 }, { &no, 0 }, { nullptr, 1 } };
    for ( const auto& turn : turns )
    {
        arena.cache().setOverlapFilterCallback( turn.first );
        couple.meet();
        EXPECT_EQ( turn.second, couple.pairCount() );
        couple.part();
        EXPECT_EQ( 0, couple.pairCount() );
    }
}

/// The application deletes its filter once the cache does not know it any more.
TEST_P( Contract, CT24_AFilterThatWasTakenAwayIsNotAsked )
{
    std::unique_ptr<Filter> filter( new Filter );
    filter->decide = nothing;
    Arena arena( GetParam() );
    arena.cache().setOverlapFilterCallback( filter.get() );
    Couple couple( arena );
    couple.meet();
    EXPECT_EQ( 0, couple.pairCount() );
    arena.cache().setOverlapFilterCallback( nullptr );
    filter.reset();
    couple.part();
    couple.meet();
    EXPECT_EQ( 1, couple.pairCount() );
}

TEST_P( Contract, CT25_APairThatIsThereStays )
{
    Arena arena( GetParam() );
    Couple couple( arena );
    couple.meet();
    ASSERT_EQ( 1, couple.pairCount() );
    couple.mover.proxies[0]->m_collisionFilterMask = 0;
    for ( int step = 0; step < 5; ++step )
    {
        couple.setAgain();
        ASSERT_EQ( 1, couple.pairCount() );
    }
    couple.part();
    EXPECT_EQ( 0, couple.pairCount() );
    couple.meet();
    EXPECT_EQ( 0, couple.pairCount() ) << "it begins anew, and is asked anew";
    couple.mover.proxies[0]->m_collisionFilterMask = -1;
}

/// Masks are edited in place, without a word to the broadphase; worlds set every box each step, changed or not.
TEST_P( Contract, CT25_APairThatWasForbiddenAppears )
{
    Arena arena( GetParam() );
    Couple couple( arena );
    btBroadphaseProxy& proxy = *couple.mover.proxies[0];
    for ( int* word : { &proxy.m_collisionFilterGroup, &proxy.m_collisionFilterMask } )
    {
        const int before = *word;
        *word = 0;
        couple.part();
        couple.meet();
        ASSERT_EQ( 0, couple.pairCount() );
        *word = before;
        couple.setAgain();
        EXPECT_EQ( 1, couple.pairCount() );
    }
}

/// The same with a filter callback that changes its mind.
TEST_P( Contract, CT25_APairThatTheFilterRejectedAppears )
{
    Filter filter;
    filter.decide = nothing;
    Arena arena( GetParam() );
    arena.cache().setOverlapFilterCallback( &filter );
    Couple couple( arena );
    couple.meet();
    ASSERT_EQ( 0, couple.pairCount() );
    filter.decide = everything;
    couple.setAgain();
    EXPECT_EQ( 1, couple.pairCount() );
}

namespace
{
/// Notes what it is asked, and complains about what no broadphase has a reason to ask.
class FilterWitness : public btOverlapFilterCallback
{
public:
    FilterWitness( btOverlappingPairCache& cache, const std::set<const btBroadphaseProxy*>& alive )
        : m_cache( cache ), m_alive( alive )
    {
    }

    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        EXPECT_EQ( 1u, m_alive.count( proxy0 ) );
        EXPECT_EQ( 1u, m_alive.count( proxy1 ) );
        EXPECT_EQ( nullptr, m_cache.findPair( proxy0, proxy1 ) ) << "asked for a pair that is there";
        const IdPair pair = idsOf( btBroadphasePair( *proxy0, *proxy1 ) );
        EXPECT_EQ( 1, ++timesAsked[pair] ) << "asked again in the same step for " << pair.first << "-" << pair.second;
        return ( pair.first + pair.second ) % 3 != 0;
    }

    mutable std::map<IdPair, int> timesAsked; ///< in this step

private:
    btOverlappingPairCache& m_cache;
    const std::set<const btBroadphaseProxy*>& m_alive;
};

std::set<const btBroadphaseProxy*> proxiesOf( Bodies& bodies )
{
    std::set<const btBroadphaseProxy*> proxies;
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        proxies.insert( bodies.at( i ).proxies[0] );
    }
    return proxies;
}
} // namespace

/// Steps of a world: every box is set, whether it moved or not, then the pairs are brought up to date.
TEST_P( Contract, CT26_AskedOncePerNewPairAndStep )
{
    Arena arena( GetParam(), 26, spreadFor( 100 ) );
    std::set<const btBroadphaseProxy*> alive;
    for ( int i = 0; i < 100; ++i )
    {
        arena.bodies.create( arena.bodies.randomBox() );
    }
    alive = proxiesOf( arena.bodies );
    FilterWitness filter( arena.cache(), alive );
    arena.cache().setOverlapFilterCallback( &filter );
    size_t asked = 0;
    for ( int step = 0; step < 20 && !HasFailure(); ++step )
    {
        filter.timesAsked.clear();
        for ( size_t i = 0; i < arena.bodies.size(); ++i )
        {
            Body& body = arena.bodies.at( i );
            const bool moves = ( i + size_t( step ) ) % 3 == 0;
            arena.bodies.move( body, moves ? arena.bodies.randomBox() : body.box );
        }
        arena.bodies.update();
        asked += filter.timesAsked.size();
    }
    EXPECT_GT( asked, 100u );
    arena.cache().setOverlapFilterCallback( nullptr );
}

/// Also where bodies come and go.
TEST_P( Contract, CT26_AskedAboutLiveProxiesOnly )
{
    Arena arena( GetParam(), 27, spreadFor( 100 ) );
    std::set<const btBroadphaseProxy*> alive;
    FilterWitness filter( arena.cache(), alive );
    for ( int step = 0; step < 60 && !HasFailure(); ++step )
    {
        arena.cache().setOverlapFilterCallback( nullptr ); // a new proxy is not known to be alive before it is there
        arena.bodies.create( arena.bodies.randomBox() );
        if ( arena.bodies.size() > 40 )
        {
            arena.bodies.destroy( arena.bodies.random().below( uint32_t( arena.bodies.size() ) ) );
        }
        alive = proxiesOf( arena.bodies );
        filter.timesAsked.clear();
        arena.cache().setOverlapFilterCallback( &filter );
        Body& body = arena.bodies.at( arena.bodies.random().below( uint32_t( arena.bodies.size() ) ) );
        arena.bodies.move( body, arena.bodies.randomBox() );
        arena.bodies.update();
    }
    arena.cache().setOverlapFilterCallback( nullptr );
}
