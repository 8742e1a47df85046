// SPDX-License-Identifier: Zlib
// Which pairs groups, masks and the application's filter let in, and from when on: CT-23 to CT-25.
#include "contestants.h"

#include <climits>

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
