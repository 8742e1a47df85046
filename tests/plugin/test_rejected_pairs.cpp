// SPDX-License-Identifier: Zlib
// Pairs that a filter callback rejected and is asked about again, and callbacks that change what is being gone through.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

using namespace test;

namespace
{

/// So many boxes at one place in a broadphase with its own cache, whose filter callback can be changed at any time.
struct Heap
{
    explicit Heap( int count ) : rig( makeRig( culletAuto ) ), cache( rig.cache() ), bodies( *rig.broadphase, 1, 1 )
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
        cache.setInternalGhostPairCallback( nullptr );
    }

    void setAll()
    {
        bodies.moveAll( []( const Body& body ) { return body.box; } );
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
        heap.setAll();
        heap.bodies.update();
        heap.setAll(); // the one about which it was asked first
        heap.bodies.update();
        heap.expectAllPairs();
        EXPECT_EQ( 21, heap.cache.getNumOverlappingPairs() );
    }
}

TEST( RejectedPairs, ComeWhenTheFilterIsTakenAway )
{
    Heap heap( 4 );
    heap.bodies.update();
    EXPECT_EQ( 0, heap.cache.getNumOverlappingPairs() );
    heap.cache.setOverlapFilterCallback( nullptr );
    heap.bodies.update();
    heap.expectAllPairs();
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
}

/// While the pairs of a destroyed body are taken out, somebody takes out others of it, and of bodies that stay.
TEST( RejectedPairs, AGhostCallbackEditsTheCacheWhileABodyIsDestroyed )
{
    Heap heap( 7 );
    heap.bodies.update();
    heap.answer = [] { return true; };
    heap.setAll();
    heap.bodies.update();
    heap.expectAllPairs();
    const auto proxy = [&]( size_t at ) { return heap.bodies.at( at ).proxies[0]; };
    bool isEdited = false;
    GhostCalls ghost( []( const auto&, const auto& ) {},
                      [&]( const auto&, const auto& )
                      {
                          if ( !isEdited )
                          {
                              isEdited = true;
                              heap.cache.removeOverlappingPair( proxy( 2 ), proxy( 3 ), nullptr );
                              heap.cache.removeOverlappingPair( proxy( 1 ), proxy( 6 ), nullptr );
                          }
                      } );
    heap.cache.setInternalGhostPairCallback( &ghost );
    heap.bodies.destroy( 1 );
    EXPECT_EQ( 14, heap.cache.getNumOverlappingPairs() ) << "of six bodies, but one";
    heap.setAll();
    heap.bodies.update();
    heap.expectAllPairs();
}

} // namespace
