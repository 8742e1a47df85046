// SPDX-License-Identifier: Zlib
// Pairs that a filter callback rejected: when and how often it is asked again, and when their memory is freed.
#include "tests/bullet/support/block_count.h"
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

using namespace test;

namespace
{

/// Coincident boxes in a broadphase with a filter callback that can change its answer.
struct Heap
{
    /// \param givenCache  given to the broadphase and deleted by the heap; NULL: none
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

    /// Sets the body's box, shifted by `shift`.
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

    /// How often an update asks the filter.
    int countAsksOfUpdate()
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

TEST( RejectedPairs, AllowTheFilterToDestroyABodyWhenAskedAgain )
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

/// No box is set meanwhile.
TEST( RejectedPairs, AreAddedWhenTheFilterIsRemoved )
{
    withEachCache(
        []( btOverlappingPairCache* cache )
        {
            Heap heap( 4, cache );
            EXPECT_EQ( 0, heap.countAsksOfUpdate() ) << "it was asked when the boxes were created";
            EXPECT_EQ( 0, heap.cache.getNumOverlappingPairs() );
            heap.cache.setOverlapFilterCallback( nullptr );
            heap.bodies.update();
            heap.expectAllPairs();
        } );
}

TEST( RejectedPairs, AreAllOfferedToAnotherFilter )
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

/// The search right after a box is set and the next update ask only once between them.
TEST( RejectedPairs, AreOfferedOnceAStep )
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

/// Bullet sets all boxes in every step. For unchanged ones the filter is not asked.
TEST( RejectedPairs, AreNotOfferedForAnUnchangedBox )
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
            EXPECT_EQ( 0, heap.countAsksOfUpdate() );

            heap.set( count - 1, btScalar( 0.5 ) );
            EXPECT_EQ( count - 1, heap.askCount ) << "at once, for the one box that moved";
            EXPECT_EQ( 0, heap.countAsksOfUpdate() ) << "once a step is enough";
            heap.setAll( 0 );
            EXPECT_EQ( count - 1, heap.askCount );
            EXPECT_EQ( 0, heap.countAsksOfUpdate() );
            heap.setAll( 0 );
            EXPECT_EQ( 0, heap.countAsksOfUpdate() );

            heap.setAll( btScalar( 0.5 ) );
            heap.bodies.update();
            heap.setAll( btScalar( 0.5 ) );
            EXPECT_EQ( eager * ( count - eager ) + eager * ( eager - 1 ) / 2, heap.countAsksOfUpdate() )
                << "what was asked about when the one box moved, and not when the other did";
            heap.setAll( btScalar( 0.5 ) );
            EXPECT_EQ( 0, heap.countAsksOfUpdate() );
        } );
}

/// The box is unchanged, but its mask was edited, and the filter may depend on it.
TEST( RejectedPairs, AreOfferedAfterAnEditOfAMask )
{
    const int count = 50;
    withEachCache(
        []( btOverlappingPairCache* cache )
        {
            Heap heap( count, cache );
            heap.bodies.update();
            heap.bodies.at( 7 ).proxies[0]->m_collisionFilterMask = 6;
            heap.setAll( 0 );
            EXPECT_EQ( count - 1, heap.countAsksOfUpdate() );
            heap.setAll( 0 );
            EXPECT_EQ( 0, heap.countAsksOfUpdate() );
        } );
}

/// After many overlapping bodies have separated or are destroyed, the memory of their pairs is freed.
TEST( RejectedPairs, FreeTheirMemory )
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
