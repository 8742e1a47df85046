// SPDX-License-Identifier: Zlib
// Pairs that a filter callback rejected: when it is asked about them again, how often, and how long they are
// remembered.
#include "tests/bullet/support/block_count.h"
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

using namespace test;

namespace
{

/// So many boxes at one place in a broadphase whose filter callback can be changed at any time.
struct Heap
{
    /// \param givenCache  which the broadphase is given, and the heap deletes; NULL: none
    explicit Heap( int count, btOverlappingPairCache* givenCache = nullptr )
        : rig( makeRig( culletAuto, givenCache ) ), cache( rig.cache() ), bodies( *rig.broadphase, 1, 1 )
    {
        cache.setOverlapFilterCallback( &filter );
        for ( int i = 0; i < count; ++i )
        {
            bodies.create( cube( 0, 0, 0, 1 ) );
        }
    }

    ~Heap()
    {
        cache.setOverlapFilterCallback( nullptr );
    }

    /// Sets the body's box to where it is, or a little beside that.
    void set( size_t at, btScalar shift )
    {
        bodies.move( bodies.at( at ), cube( shift, 0, 0, 1 ) );
    }

    void setAll( btScalar shift )
    {
        for ( size_t i = 0; i < bodies.size(); ++i )
        {
            set( i, shift );
        }
    }

    /// What an update asks, after all that was asked before it.
    int countOfUpdate()
    {
        askCount = 0;
        bodies.update();
        return askCount;
    }

    void expectAllPairs()
    {
        EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( cache ) ) );
    }

    Rig rig;
    btOverlappingPairCache& cache;
    Bodies bodies;
    int askCount = 0;
    std::function<bool()> answer = [] { return false; };
    Filter filter{ [this]( const auto&, const auto& )
                   {
                       ++askCount;
                       return answer();
                   } };
};

/// Once with the broadphase's own cache, once with a given one.
template <typename Test>
void withEachCache( Test test )
{
    for ( const bool isGiven : { false, true } )
    {
        SCOPED_TRACE( isGiven ? "given cache" : "own cache" );
        test( isGiven ? new btHashedOverlappingPairCache : nullptr );
    }
}

TEST( RejectedPairs, AFilterDestroysABodyWhenItIsAskedAgain )
{
    for ( const bool isFirst : { true, false } )
    {
        Heap heap( 8 );
        heap.bodies.update();
        EXPECT_EQ( 0, heap.cache.getNumOverlappingPairs() );
        heap.answer = [&]
        {
            const bool isDestroyer = heap.bodies.size() == 8;
            if ( isDestroyer )
            {
                heap.bodies.destroy( isFirst ? 0 : 7 );
            }
            return !isDestroyer;
        };
        heap.setAll( btScalar( 0.1 ) );
        heap.bodies.update();
        heap.setAll( btScalar( 0.2 ) ); // the one about which it was asked first
        heap.bodies.update();
        heap.expectAllPairs();
        EXPECT_EQ( 21, heap.cache.getNumOverlappingPairs() );
    }
}

/// Though no box is set.
TEST( RejectedPairs, ComeWhenTheFilterIsTakenAway )
{
    withEachCache(
        []( btOverlappingPairCache* cache )
        {
            Heap heap( 4, cache );
            EXPECT_EQ( 0, heap.countOfUpdate() ) << "it was asked when the boxes were created";
            EXPECT_EQ( 0, heap.cache.getNumOverlappingPairs() );
            heap.cache.setOverlapFilterCallback( nullptr );
            heap.bodies.update();
            heap.expectAllPairs();
        } );
}

TEST( RejectedPairs, AnotherFilterIsAskedAboutAllOfThem )
{
    withEachCache(
        []( btOverlappingPairCache* cache )
        {
            Heap heap( 4, cache );
            Filter other( []( const auto& a, const auto& ) { return a.m_uniqueId == 1; } );
            heap.bodies.update();
            heap.cache.setOverlapFilterCallback( &other );
            heap.bodies.update();
            EXPECT_EQ( 3, heap.cache.getNumOverlappingPairs() );
        } );
}

/// A search right after a box is set, and the update after that, ask once together.
TEST( RejectedPairs, AreAskedAboutOnceAStep )
{
    Heap heap( 2 );
    for ( int step = 1; step <= 4; ++step )
    {
        heap.bodies.move( heap.bodies.at( 0 ), cube( btScalar( step ) / 8, 0, 0, 1 ) );
        heap.bodies.move( heap.bodies.at( 1 ), cube( 0, btScalar( step ) / 8, 0, 1 ) );
        heap.bodies.update();
        EXPECT_EQ( step, heap.askCount );
    }
    heap.bodies.moveAll( []( const Body& body ) { return body.box; } );
    heap.bodies.update();
    EXPECT_EQ( 5, heap.askCount ) << "the second box moved after it was asked";
}

/// Bullet sets all boxes in every step. Most are where they were, and then nothing is asked for them.
TEST( RejectedPairs, AreNotAskedAboutForABoxThatStays )
{
    const int count = 100;
    const int eager = CulletBroadphase::EAGER_MOVES;
    withEachCache(
        []( btOverlappingPairCache* cache )
        {
            Heap heap( count, cache );
            heap.bodies.update();
            EXPECT_EQ( count * ( count - 1 ) / 2, heap.askCount );
            heap.setAll( 0 );
            EXPECT_EQ( 0, heap.countOfUpdate() );

            heap.set( count - 1, btScalar( 0.5 ) );
            EXPECT_EQ( count - 1, heap.askCount ) << "at once, for the one box that moved";
            EXPECT_EQ( 0, heap.countOfUpdate() ) << "once a step is enough";
            heap.setAll( 0 );
            EXPECT_EQ( count - 1, heap.askCount );
            EXPECT_EQ( 0, heap.countOfUpdate() );
            heap.setAll( 0 );
            EXPECT_EQ( 0, heap.countOfUpdate() );

            heap.setAll( btScalar( 0.5 ) );
            heap.bodies.update();
            heap.setAll( btScalar( 0.5 ) );
            EXPECT_EQ( eager * ( count - eager ) + eager * ( eager - 1 ) / 2, heap.countOfUpdate() )
                << "what was asked about when the one box moved, and not when the other did";
            heap.setAll( btScalar( 0.5 ) );
            EXPECT_EQ( 0, heap.countOfUpdate() );
        } );
}

/// A box that stays, but whose mask was edited, which the filter may go by.
TEST( RejectedPairs, AreAskedAboutForAnEditedMask )
{
    const int count = 50;
    withEachCache(
        []( btOverlappingPairCache* cache )
        {
            Heap heap( count, cache );
            heap.bodies.update();
            heap.bodies.at( 7 ).proxies[0]->m_collisionFilterMask = 6;
            heap.setAll( 0 );
            EXPECT_EQ( count - 1, heap.countOfUpdate() );
            heap.setAll( 0 );
            EXPECT_EQ( 0, heap.countOfUpdate() );
        } );
}

/// Of a crowd that has parted, or gone, nothing is left.
TEST( RejectedPairs, GiveTheirMemoryBack )
{
    const int count = 400;
    const size_t atLeast = count * ( count - 1 ) / 2 * sizeof( CulletProxyPair );
    for ( const bool isGiven : { false, true } )
    {
        for ( const bool areDestroyed : { false, true } )
        {
            const BlockCount blocks;
            Heap heap( 0, isGiven ? new btHashedOverlappingPairCache : nullptr );
            for ( int i = 0; i < count; ++i )
            {
                heap.bodies.create( cube( btScalar( 2 * i ), 0, 0, 1 ) );
            }
            heap.bodies.update();
            const size_t apart = blocks.held();
            heap.setAll( 0 );
            heap.bodies.update();
            EXPECT_GT( blocks.held(), apart + atLeast );
            for ( int i = 2; i < count; ++i )
            {
                areDestroyed ? heap.bodies.destroy( 2 ) : heap.set( size_t( i ), btScalar( 2 * i ) );
            }
            heap.bodies.update();
            EXPECT_LT( blocks.held(), apart + atLeast / 10 );
        }
    }
}

} // namespace
