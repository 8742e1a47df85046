// SPDX-License-Identifier: Zlib
// CulletPairCache beside btHashedOverlappingPairCache: the same calls must leave the same array, in the same order,
// and be seen alike by filter and ghost callbacks.
#include "CulletPairCache.h"
#include "tests/support/bullet/witnesses.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"
#include "BulletCollision/BroadphaseCollision/btDispatcher.h"

#include <map>

using namespace test;

/// Notes every call, in order.
class GhostLog : public btOverlappingPairCallback
{
public:
    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        calls.push_back( { proxy0->m_uniqueId, proxy1->m_uniqueId, 'a' } );
        return nullptr;
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, btDispatcher* ) override
    {
        calls.push_back( { proxy0->m_uniqueId, proxy1->m_uniqueId, 'r' } );
        return nullptr;
    }

    void removeOverlappingPairsContainingProxy( btBroadphaseProxy*, btDispatcher* ) override
    {
    }

    struct Call
    {
        int uid0, uid1;
        char what;

        bool operator==( const Call& other ) const
        {
            return uid0 == other.uid0 && uid1 == other.uid1 && what == other.what;
        }
    };

    std::vector<Call> calls;
};

/// pybullet's rule: either side may let the other in.
class EitherFilter : public btOverlapFilterCallback
{
public:
    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        return ( proxy0->m_collisionFilterGroup & proxy1->m_collisionFilterMask ) != 0 ||
               ( proxy1->m_collisionFilterGroup & proxy0->m_collisionFilterMask ) != 0;
    }
};

class PairCache : public testing::Test
{
protected:
    PairCache()
    {
        for ( int i = 0; i < 200; ++i )
        {
            btBroadphaseProxy proxy( btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ), nullptr, 1 << ( i % 3 ), 3 );
            proxy.m_uniqueId = 1 + i * 65536 + i % 7; // differ in high bits mostly, and never in creation order alone
            proxies.push_back( proxy );
        }
        both( [this]( btOverlappingPairCache& cache, GhostLog& log ) { cache.setInternalGhostPairCallback( &log ); } );
    }

    template <typename Action>
    void both( Action action )
    {
        action( ours, ourLog );
        action( stock, stockLog );
    }

    CulletProxyPair randomPair()
    {
        const uint32_t i = random.below( 200 );
        const uint32_t j = ( i + 1 + random.below( 199 ) ) % 200;
        return { &proxies[i], &proxies[j] };
    }

    void expectSame()
    {
        ASSERT_EQ( stock.getNumOverlappingPairs(), ours.getNumOverlappingPairs() );
        ASSERT_EQ( stock.GetCount(), ours.GetCount() );
        for ( int i = 0; i < stock.getNumOverlappingPairs(); ++i )
        {
            const btBroadphasePair& a = stock.getOverlappingPairArrayPtr()[i];
            const btBroadphasePair& b = ours.getOverlappingPairArrayPtr()[i];
            ASSERT_EQ( a.m_pProxy0, b.m_pProxy0 );
            ASSERT_EQ( a.m_pProxy1, b.m_pProxy1 );
            ASSERT_EQ( a.m_internalInfo1, b.m_internalInfo1 );
            ASSERT_EQ( &b, ours.findPair( b.m_pProxy0, b.m_pProxy1 ) );
            ASSERT_EQ( &b, ours.findPair( b.m_pProxy1, b.m_pProxy0 ) );
        }
        ASSERT_TRUE( stockLog.calls == ourLog.calls );
        expectNeighbours();
    }

    /// Each proxy's list names exactly its pairs in the array.
    void expectNeighbours()
    {
        std::map<const btBroadphaseProxy*, std::vector<int>> expected;
        for ( int i = 0; i < ours.getNumOverlappingPairs(); ++i )
        {
            expected[ours.getOverlappingPairArrayPtr()[i].m_pProxy0].push_back( i );
            expected[ours.getOverlappingPairArrayPtr()[i].m_pProxy1].push_back( i );
        }
        for ( const btBroadphaseProxy& proxy : proxies )
        {
            btAlignedObjectArray<int> listed;
            ours.getPairs().listPairsOf( &proxy, listed );
            ASSERT_EQ( !expected[&proxy].empty(), ours.getPairs().hasPairs( &proxy ) );
            ASSERT_EQ( int( expected[&proxy].size() ), listed.size() );
            for ( int i = 0; i < listed.size(); ++i )
            {
                ASSERT_EQ( expected[&proxy][size_t( i )], listed[i] );
            }
        }
    }

    std::vector<btBroadphaseProxy> proxies;
    Random random{ 1 };
    CulletPairCache ours;
    btHashedOverlappingPairCache stock;
    GhostLog ourLog, stockLog;
    btAlignedObjectArray<CulletProxyPair> rejected;
};

TEST_F( PairCache, SingleOperationsMatch )
{
    for ( int i = 0; i < 30000; ++i )
    {
        const CulletProxyPair pair = randomPair();
        const bool add = random.below( 100 ) < ( i / 5000 % 2 ? 40 : 60 ); // the cache grows, shrinks, grows …
        both(
            [&]( btOverlappingPairCache& cache, GhostLog& )
            {
                if ( add )
                {
                    btBroadphasePair* added = cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 );
                    if ( added )
                    {
                        added->m_internalInfo1 = pair.m_pProxy0;
                    }
                }
                else
                {
                    cache.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr );
                }
            } );
        ASSERT_EQ( stock.findPair( pair.m_pProxy0, pair.m_pProxy1 ) != nullptr,
                   ours.findPair( pair.m_pProxy0, pair.m_pProxy1 ) != nullptr );
        if ( i % 500 == 0 )
        {
            expectSame();
        }
    }
    expectSame();
    ASSERT_GT( ours.getNumOverlappingPairs(), 1000 );
}

TEST_F( PairCache, ReturnValuesMatch )
{
    btBroadphaseProxy *a = &proxies[0], *b = &proxies[3], *c = &proxies[2]; // group 4 and mask 3: c meets nobody
    both(
        [&]( btOverlappingPairCache& cache, GhostLog& )
        {
            EXPECT_EQ( nullptr, cache.findPair( a, b ) );
            EXPECT_EQ( nullptr, cache.removeOverlappingPair( a, b, nullptr ) );
            EXPECT_EQ( nullptr, cache.addOverlappingPair( a, c ) );
            btBroadphasePair* added = cache.addOverlappingPair( b, a );
            ASSERT_NE( nullptr, added );
            EXPECT_EQ( a, added->m_pProxy0 );
            EXPECT_EQ( nullptr, added->m_algorithm );
            EXPECT_EQ( nullptr, added->m_internalInfo1 );
            added->m_internalInfo1 = this;
            EXPECT_EQ( added, cache.addOverlappingPair( a, b ) ) << "the pair that is there";
            EXPECT_EQ( this, cache.removeOverlappingPair( b, a, nullptr ) );
        } );
    expectSame();
}

TEST_F( PairCache, BatchesMatchSingleOperations )
{
    for ( int round = 0; round < 40; ++round )
    {
        for ( int count : { 0, 1, 31, 32, 33, 500, 2000 } )
        {
            std::vector<CulletProxyPair> pairs;
            for ( int i = 0; i < count; ++i )
            {
                pairs.push_back( randomPair() );
                if ( pairs.back().m_pProxy0->m_uniqueId > pairs.back().m_pProxy1->m_uniqueId )
                {
                    std::swap( pairs.back().m_pProxy0, pairs.back().m_pProxy1 );
                }
            }
            if ( random.below( 2 ) )
            {
                rejected.resize( 0 );
                ours.getPairs().expectChanges(
                    size_t( random.below( 2 ) ? 0 : 1000000 ) ); // which drops the lists, or does not
                ours.addPairs( pairs.data(), count, rejected );
                for ( const CulletProxyPair& pair : pairs )
                {
                    stock.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 );
                }
            }
            else
            {
                ours.getPairs().expectChanges( size_t( random.below( 2 ) ? 0 : 1000000 ) );
                ours.removePairs( pairs.data(), count, nullptr );
                for ( const CulletProxyPair& pair : pairs )
                {
                    stock.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr );
                }
            }
        }
        expectSame();
    }
}

class RemoveEveryThird : public btOverlapCallback
{
public:
    bool processOverlap( btBroadphasePair& pair ) override
    {
        return ( pair.m_pProxy0->m_uniqueId + pair.m_pProxy1->m_uniqueId ) % 3 == 0;
    }
};

/// What the base class does through the overrides.
TEST_F( PairCache, InheritedOperationsMatch )
{
    EitherFilter filter;
    both(
        [&]( btOverlappingPairCache& cache, GhostLog& )
        {
            EXPECT_FALSE( cache.hasDeferredRemoval() );
            cache.setOverlapFilterCallback( &filter );
            EXPECT_EQ( &filter, cache.getOverlapFilterCallback() );
        } );
    for ( int round = 0; round < 10; ++round )
    {
        for ( int i = 0; i < 1000; ++i )
        {
            const CulletProxyPair pair = randomPair();
            both( [&]( btOverlappingPairCache& cache, GhostLog& )
                  { cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ); } );
        }
        btBroadphaseProxy* proxy = &proxies[random.below( 200 )];
        both(
            [&]( btOverlappingPairCache& cache, GhostLog& )
            {
                cache.removeOverlappingPairsContainingProxy( proxy, nullptr );
                cache.cleanProxyFromPairs( proxy, nullptr );
                RemoveEveryThird removal;
                cache.processAllOverlappingPairs( &removal, nullptr );
            } );
        expectSame();
        both( [&]( btOverlappingPairCache& cache, GhostLog& ) { cache.sortOverlappingPairs( nullptr ); } );
        expectSame();
    }
    ASSERT_GT( ours.getNumOverlappingPairs(), 100 );
}

TEST_F( PairCache, AlgorithmsLiveAndDieAsInBullet )
{
    DispatcherWitness dispatcher;
    for ( int i = 0; i < 100; ++i )
    {
        ours.addOverlappingPair( &proxies[size_t( i )], &proxies[size_t( i ) + 3] );
    }
    const int count = ours.getNumOverlappingPairs();
    for ( int i = 0; i < count; ++i )
    {
        dispatcher.giveAlgorithm( ours.getOverlappingPairArray()[i] );
    }
    ours.cleanProxyFromPairs( &proxies[3], &dispatcher );
    EXPECT_EQ( 2, dispatcher.freed ) << "of 0-3 and 3-6";
    EXPECT_EQ( count, ours.getNumOverlappingPairs() );
    while ( ours.getNumOverlappingPairs() > 0 )
    {
        const btBroadphasePair pair = ours.getOverlappingPairArray()[0];
        ours.removeOverlappingPair( pair.m_pProxy1, pair.m_pProxy0, &dispatcher );
    }
    EXPECT_EQ( count, dispatcher.freed );
    EXPECT_EQ( count, dispatcher.destroyed );
}

/// An application that reserves the array itself breaks Bullet's cache; ours does not mind.
TEST_F( PairCache, ArrayGrownFromOutside )
{
    ours.getOverlappingPairArray().reserve( 2001 );
    for ( int i = 0; i < 10000; ++i )
    {
        const CulletProxyPair pair = randomPair();
        both( [&]( btOverlappingPairCache& cache, GhostLog& )
              { cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ); } );
    }
    expectSame();
    ASSERT_GT( ours.getNumOverlappingPairs(), 2001 );
}

TEST( PairCacheElsewhere, ServesDbvt )
{
    CulletPairCache ours;
    btDbvtBroadphase withOurs( &ours ), stock;
    Bodies bodies( { &withOurs, &stock }, 9, 5 );
    bodies.createRandom( 300 );
    for ( int step = 0; step < 30; ++step )
    {
        for ( int i = 0; i < 50; ++i )
        {
            bodies.randomOperation();
        }
        bodies.update();
        ASSERT_EQ( arrayOf( *stock.getOverlappingPairCache() ), arrayOf( ours ) );
    }
    bodies.destroyAll(); // btDbvtBroadphase loses the memory of proxies that outlive it
}
