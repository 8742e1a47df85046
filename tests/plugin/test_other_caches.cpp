// SPDX-License-Identifier: Zlib
// What caches and filters of the application's are asked by cullet, and in which order: less than the contract allows.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

using namespace test;

/// An application's cache that watches what goes through it.
class CountingCache : public btHashedOverlappingPairCache
{
public:
    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        ++addCalls;
        return btHashedOverlappingPairCache::addOverlappingPair( proxy0, proxy1 );
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                 btDispatcher* dispatcher ) override
    {
        ++removeCalls;
        return btHashedOverlappingPairCache::removeOverlappingPair( proxy0, proxy1, dispatcher );
    }

    int addCalls = 0;
    int removeCalls = 0;
};

TEST( OtherCaches, SubclassSeesChangesOnly )
{
    CountingCache cache;
    CulletBroadphase broadphase( &cache );
    Bodies bodies( broadphase, 33, 5 );
    for ( int i = 0; i < 200; ++i )
    {
        bodies.create( bodies.randomBox() );
    }
    bodies.update();
    const int pairCount = int( bodies.expectedPairs().size() );
    EXPECT_EQ( pairCount, cache.addCalls );
    EXPECT_EQ( 0, cache.removeCalls );
    for ( size_t i = 0; i < 200; ++i )
    {
        bodies.move( bodies.at( i ), { bodies.at( i ).box.lower + btVector3( 100, 0, 0 ),
                                       bodies.at( i ).box.upper + btVector3( 100, 0, 0 ) } );
    }
    bodies.update(); // rounding may end or begin a pair or two; what persists is not offered again
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( cache ) ) );
    EXPECT_LE( cache.addCalls, pairCount + 5 );
    EXPECT_LE( cache.removeCalls, 5 );
}

class OddIdsOnly : public btOverlapFilterCallback
{
public:
    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        EXPECT_LT( proxy0->m_uniqueId, proxy1->m_uniqueId );
        return proxy0->m_uniqueId % 2 == 1 && proxy1->m_uniqueId % 2 == 1;
    }
};

TEST( OtherCaches, FilterIsAskedInUidOrder )
{
    CulletBroadphase broadphase;
    OddIdsOnly filter;
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( &filter );
    Bodies bodies( broadphase, 34, 1 );
    for ( int i = 0; i < 11; ++i )
    {
        bodies.create( cube( 0, 0, 0, 1 ), 0, 0 ); // groups and masks that let nothing in
    }
    bodies.update();
    EXPECT_EQ( 15, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() ) << "6 odd ids, 6*5/2 pairs";

    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( nullptr );
    bodies.update();
    EXPECT_EQ( 15, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() ) << "pairs that are there stay";
}
