// SPDX-License-Identifier: Zlib
// Defs that cannot be had, and memory that runs out: nothing throws, nothing is NULL, and the status says what is
// wrong.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

#include <cstdlib>

using namespace test;

TEST( Failures, RefusedDefFallsBackToTheDefault )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = -3;
    CulletBroadphase broadphase( def );
    EXPECT_EQ( clt_invalidArgument, broadphase.getCreationStatus() );
    EXPECT_EQ( clt_ok, broadphase.getStatus() );
    Bodies bodies( broadphase, 1, 5 );
    bodies.createRandom( 100 );
    bodies.update();
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( *broadphase.getOverlappingPairCache() ) ) );
}

TEST( Failures, DefWithoutDefaultsIsRefused )
{
    cltBroadphaseDef def = {};
    CulletBroadphase broadphase( def );
    EXPECT_EQ( clt_invalidArgument, broadphase.getCreationStatus() );
    EXPECT_EQ( clt_ok, broadphase.getStatus() );
}

TEST( Failures, PrecisionAndFilterAreBulletsChoice )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.filterMasks = true;
    def.precision = sizeof( btScalar ) == sizeof( float ) ? clt_precisionDouble : clt_precisionFloat;
    CulletBroadphase broadphase( def );
    EXPECT_EQ( clt_ok, broadphase.getCreationStatus() );
    Bodies bodies( broadphase, 2, 5 );
    bodies.createRandom( 100 );
    bodies.update();
    EXPECT_EQ( clt_ok, broadphase.getStatus() );
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( *broadphase.getOverlappingPairCache() ) ) );
}

namespace
{
/// An allocator that can be told to have nothing left.
struct Budget
{
    bool empty = false;
    int refusals = 0;
    long liveBlocks = 0;
};

void* budgetAllocate( size_t size, size_t alignment, void* context )
{
    Budget& budget = *static_cast<Budget*>( context );
    if ( budget.empty )
    {
        ++budget.refusals;
        return nullptr;
    }
    ++budget.liveBlocks;
    const size_t step = std::max( alignment, sizeof( void* ) );
    return std::aligned_alloc( step, ( size + step - 1 ) / step * step );
}

void budgetRelease( void* memory, size_t, void* context )
{
    --static_cast<Budget*>( context )->liveBlocks;
    std::free( memory );
}

cltBroadphaseDef defOf( Budget& budget )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.allocate = budgetAllocate;
    def.release = budgetRelease;
    def.userContext = &budget;
    def.threadCount = 2;
    return def;
}
} // namespace

TEST( Failures, CT53_NoMemoryForProxies )
{
    Budget budget;
    CulletBroadphase broadphase( defOf( budget ) );
    Bodies bodies( broadphase, 3, 8 );
    bodies.createRandom( 50 );
    bodies.update();
    const std::vector<IdPair> before = bodies.expectedPairs();

    budget.empty = true;
    bodies.createRandom( 3000 ); // more than any room the core still had
    EXPECT_GT( budget.refusals, 0 );
    EXPECT_EQ( clt_hostMemory, broadphase.getStatus() );
    CollectBox hits;
    broadphase.aabbTest( btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ), hits );
    EXPECT_EQ( 3050u, hits.ids().size() ) << "queries see what is pending, too";
    bodies.update();
    EXPECT_EQ( clt_hostMemory, broadphase.getStatus() );
    const std::vector<IdPair> during = pairsOf( *broadphase.getOverlappingPairCache() );
    EXPECT_TRUE( std::includes( during.begin(), during.end(), before.begin(), before.end() ) );

    for ( int i = 0; i < 300; ++i ) // life goes on among settled and pending proxies
    {
        bodies.randomOperation();
    }

    budget.empty = false;
    bodies.update();
    EXPECT_EQ( clt_ok, broadphase.getStatus() );
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( *broadphase.getOverlappingPairCache() ) ) );
    for ( int step = 0; step < 10; ++step )
    {
        for ( int i = 0; i < 200; ++i )
        {
            bodies.randomOperation();
        }
        bodies.update();
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( *broadphase.getOverlappingPairCache() ) ) );
    }
    hits.proxies.clear();
    broadphase.aabbTest( btVector3( -99, -99, -99 ), btVector3( 99, 99, 99 ), hits );
    EXPECT_EQ( bodies.size(), hits.proxies.size() );
    bodies.destroyAll();
    EXPECT_EQ( 0, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
}

/// A proxy that was pending gets a later slot than one that was created after it. Pairs are in uid order all the same.
TEST( Failures, CT53_PendingTurnsNoPairAround )
{
    Budget budget;
    CulletBroadphase broadphase( defOf( budget ) );
    broadphase.m_deferedcollide = true; // else some pairs are there before
    btOverlappingPairCache& cache = *broadphase.getOverlappingPairCache();
    Bodies bodies( broadphase, 6, 2 );
    budget.empty = true;
    while ( broadphase.getStatus() == clt_ok && bodies.size() < 100000 )
    {
        bodies.create( cube( btScalar( 2 * bodies.size() ), 0, 0, 1 ) );
    }
    ASSERT_EQ( clt_hostMemory, broadphase.getStatus() );
    budget.empty = false;
    const size_t pending = bodies.size() - 1;
    for ( int i = 0; i < 5; ++i )
    {
        bodies.create( bodies.at( pending ).box );
    }
    bodies.update();
    ASSERT_EQ( clt_ok, broadphase.getStatus() );
    std::vector<IdPair> expected = bodies.expectedPairs();
    ASSERT_EQ( 15u, expected.size() );
    EXPECT_EQ( expected, arrayOf( cache ) ) << "in this order";
    for ( int i = 0; i < cache.getNumOverlappingPairs(); ++i )
    {
        const btBroadphasePair& pair = cache.getOverlappingPairArrayPtr()[i];
        EXPECT_LT( pair.m_pProxy0->m_uniqueId, pair.m_pProxy1->m_uniqueId );
        EXPECT_EQ( &pair, cache.findPair( pair.m_pProxy0, pair.m_pProxy1 ) );
    }
}

TEST( Failures, CT53_NoMemoryForAnUpdateKeepsThePairs )
{
    Budget budget;
    CulletBroadphase broadphase( defOf( budget ) );
    broadphase.m_deferedcollide = true; // else some pairs are there before
    Bodies bodies( broadphase, 4, 6 );
    for ( int i = 0; i < 500; ++i )
    {
        bodies.create( bodies.randomBox() );
    }
    bodies.update();
    const std::vector<IdPair> before = pairsOf( *broadphase.getOverlappingPairCache() );
    for ( size_t i = 0; i < 500; ++i ) // everything in one place: far more pairs than there was ever room for
    {
        bodies.move( bodies.at( i ), cube( 0, 0, 0, 1 ) );
    }
    budget.empty = true;
    bodies.update();
    EXPECT_GT( budget.refusals, 0 );
    EXPECT_EQ( clt_hostMemory, broadphase.getStatus() );
    EXPECT_TRUE( samePairs( before, pairsOf( *broadphase.getOverlappingPairCache() ) ) );

    budget.empty = false;
    bodies.update();
    EXPECT_EQ( clt_ok, broadphase.getStatus() );
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( *broadphase.getOverlappingPairCache() ) ) );
}

/// Pairs that were to be there for whoever looks are there, and any number of threads may look.
TEST( Failures, CT53_NoMemoryForAnUpdateLeavesNothingPending )
{
    Budget budget;
    CulletBroadphase broadphase( defOf( budget ) );
    const btHashedOverlappingPairCache& cache =
        static_cast<btHashedOverlappingPairCache&>( *broadphase.getOverlappingPairCache() );
    Bodies bodies( broadphase, 5, 30 );
    bodies.createRandom( 500 );
    bodies.update();
    for ( size_t i = 0; i < 500; ++i )
    {
        bodies.move( bodies.at( i ), cube( 0, 0, 0, 1 ) );
    }
    budget.empty = true;
    EXPECT_LT( cache.GetCount(), 499 );
    bodies.update();
    EXPECT_EQ( clt_hostMemory, broadphase.getStatus() );
    EXPECT_GE( cache.GetCount(), 499 ) << "the first that moved meets all others";
}

TEST( Failures, CT53_NoMemoryAtAllAtFirst )
{
    Budget budget;
    budget.empty = true;
    {
        CulletBroadphase broadphase( defOf( budget ) );
        EXPECT_EQ( clt_hostMemory, broadphase.getCreationStatus() );
        EXPECT_EQ( nullptr, broadphase.getCore() );
        Bodies bodies( broadphase, 5, 4 );
        bodies.createRandom( 100 );
        bodies.update();
        EXPECT_EQ( clt_hostMemory, broadphase.getStatus() );
        bodies.destroy( 7 );

        budget.empty = false;
        bodies.update();
        EXPECT_EQ( clt_ok, broadphase.getStatus() );
        EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( *broadphase.getOverlappingPairCache() ) ) );
    }
    EXPECT_EQ( 0, budget.liveBlocks );
}
