// SPDX-License-Identifier: Zlib
// Members that btBroadphaseInterface does not have: those that programs written for btDbvtBroadphase call, and the time
// of cache changes. Also allocations, the order of callbacks, and CulletTaskScheduler.
#include "CulletTaskScheduler.h"
#include "broadphase/CulletBox.h"
#include "couple.h"
#include "cullet_research.h"
#include "tests/bullet/support/block_count.h"

#include <chrono>
#include <thread>

using namespace test;

TEST( Members, OfBtDbvtBroadphaseCanBeCalledByName )
{
    CulletBroadphase broadphase;
    Bodies bodies( broadphase, 53, 2 );
    Body& body = bodies.create( cube( 0, 0, 0, 1 ) );
    bodies.create( cube( 5, 0, 0, 1 ) );
    broadphase.setVelocityPrediction( btScalar( 0.25 ) );
    EXPECT_EQ( btScalar( 0.25 ), broadphase.getVelocityPrediction() );
    broadphase.optimize();
    broadphase.printStats();
    broadphase.setAabbForceUpdate( body.proxies[0], btVector3( 5, 0, 0 ), btVector3( 6, 1, 1 ), nullptr );
    broadphase.collide( nullptr );
    EXPECT_EQ( 1, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
}

/// The second proxy gets the slot of a destroyed one.
TEST( Members, FindTheProxyThatAQueryOfTheCoreReports )
{
    CulletBroadphase broadphase;
    Bodies bodies( broadphase, 53, 2 );
    bodies.create( cube( 0, 0, 0, 1 ) );
    bodies.create( cube( 5, 0, 0, 1 ) );
    bodies.destroy( 0 );
    bodies.update();
    Body& body = bodies.create( cube( 9, 0, 0, 1 ) );
    std::vector<cltProxyId> found;
    const auto collect = []( cltProxyId id, uint64_t, void* context )
    {
        static_cast<std::vector<cltProxyId>*>( context )->push_back( id );
        return true;
    };
    const CulletBox box = culletBox( btVector3( 9, 0, 0 ), btVector3( 10, 1, 1 ) );
    EXPECT_EQ( clt_ok, culletQueryBox( broadphase.getCore(), &box, collect, &found ) );
    ASSERT_EQ( 1u, found.size() );
    EXPECT_EQ( body.proxies[0], broadphase.getProxy( found[0] ) );
}

TEST( Members, ReportTheTimeOfTheLastChangesToTheCache )
{
    const std::chrono::milliseconds thinkingTime( 20 );
    Filter filter( [&]( const auto&, const auto& ) { return std::this_thread::sleep_for( thinkingTime ), true; } );
    CulletBroadphase broadphase;
    broadphase.m_deferedcollide = true; // the pair then begins in calculateOverlappingPairs
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( &filter );
    EXPECT_EQ( 0, broadphase.getCacheMs() );
    Bodies bodies( broadphase, 54, 2 );
    bodies.createAt( cube( 0, 0, 0, 1 ), 2 );
    bodies.update();
    EXPECT_EQ( 0, broadphase.getCacheMs() );
    for ( int i = 1; i < CulletBroadphase::UNTIMED; ++i )
    {
        bodies.createAt( cube( float( 4 * i ), 0, 0, 1 ), i == 1 ? 2 : 1 );
    }
    bodies.update();
    EXPECT_GE( broadphase.getCacheMs(), float( thinkingTime.count() ) );
    bodies.update();
    EXPECT_LT( broadphase.getCacheMs(), float( thinkingTime.count() ) );
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( nullptr );
}

/// The application may change or free the research def after the broadphase was created. A reset core counts uids from
/// 1 again.
TEST( Members, KeepACopyOfTheResearchDef )
{
    cltResearchDef research = cltDefaultResearchDef();
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.research = &research;
    CulletBroadphase broadphase( def );
    ASSERT_EQ( clt_ok, broadphase.getCreationStatus() );
    Bodies bodies( broadphase, 54, 2 );
    bodies.create( cube( 0, 0, 0, 1 ) );
    bodies.destroyAll();
    research.rootSteps = -1; // a def that is refused
    broadphase.resetPool( nullptr );
    EXPECT_EQ( 1, bodies.create( cube( 0, 0, 0, 1 ) ).proxies[0]->m_uniqueId );
}

/// btSortedOverlappingPairCache keeps separated pairs until they are removed together.
TEST( Members, RemoveSeparatedPairsFromACacheThatDefersThis )
{
    CountingDispatcher dispatcher;
    Arena arena( culletAuto, 1, 2, &dispatcher, new btSortedOverlappingPairCache );
    arena.bodies.createAt( cube( 0, 0, 0, 1 ), 3 );
    arena.bodies.update();
    ASSERT_EQ( 3, arena.pairCount() );
    for ( int i = 0; i < 3; ++i )
    {
        dispatcher.giveAlgorithm( arena.pair( i ) );
    }
    arena.bodies.move( arena.bodies.at( 1 ), cube( 5, 0, 0, 1 ) );
    ASSERT_EQ( 3, arena.pairCount() );
    arena.rig.cullet->performDeferredRemoval( &dispatcher );
    EXPECT_TRUE( arena.hasExactPairs() );
    EXPECT_EQ( 2, dispatcher.freed );
}

TEST( Boxes, HaveANanIfAnyCoordinateIsOne )
{
    EXPECT_FALSE( culletHasNan( btVector3( 0, 0, 0 ), btVector3( 1, 1, BT_LARGE_FLOAT ) ) );
    for ( int i = 0; i < 6; ++i )
    {
        btVector3 corners[2] = { btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ) };
        corners[i / 3][i % 3] = std::numeric_limits<btScalar>::infinity();
        EXPECT_FALSE( culletHasNan( corners[0], corners[1] ) ) << i;
        corners[i / 3][i % 3] = std::numeric_limits<btScalar>::quiet_NaN();
        EXPECT_TRUE( culletHasNan( corners[0], corners[1] ) ) << i;
    }
}

/// Blocks that are allocated while an application creates its bodies lie between them, and slow down Bullet's loops
/// over the bodies.
TEST( Members, AllocateFewBlocksWhileAWorldIsFilled )
{
    const BlockCount blocks;
    CulletBroadphase broadphase;
    for ( int i = 0; i < 4096; ++i )
    {
        broadphase.createProxy( btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ), 0, nullptr, 1, 2, nullptr );
    }
    EXPECT_LE( blocks.made(), 80 ) << "of arrays that double, and of proxies";
}

/// Slots are reused on the way, so that the changes of a step must be sorted by uid: that takes memory, too.
TEST( Members, GiveBackMemoryAfterMostBodiesAreGone )
{
    const BlockCount blocks;
    CulletBroadphase broadphase;
    std::vector<btBroadphaseProxy*> row; // each overlaps the next one
    const auto stepWith = [&]( size_t count )
    {
        for ( ; row.size() > count; row.pop_back() )
        {
            broadphase.destroyProxy( row.back(), nullptr );
        }
        while ( row.size() < count )
        {
            const btVector3 lower( btScalar( row.size() ), 0, 0 );
            row.push_back( broadphase.createProxy( lower, lower + btVector3( 1, 1, 1 ), 0, nullptr, 1, 1, nullptr ) );
        }
        broadphase.calculateOverlappingPairs( nullptr );
        EXPECT_EQ( int( count ) - 1, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
        return blocks.held();
    };
    const size_t heldByFew = stepWith( 8 );
    stepWith( 8000 );
    stepWith( 4000 );
    const size_t heldByMany = stepWith( 8000 );
    EXPECT_LT( 100 * heldByFew, heldByMany );
    for ( int step = 0; step < 300; ++step )
    {
        stepWith( 8 );
    }
    EXPECT_LE( blocks.held(), heldByMany / 18 ) << "the list of pending searches may stay";
}

/// Slots are reused, so that uids and slots are in different orders. Few changes and many are sorted in different ways.
/// The core's tree finds the pairs of one box in yet another order.
TEST( Members, CallCallbacksInUidOrder )
{
    for ( int count : { 60, 3000 } )
    {
        const Rig rig = makeRig( culletAuto );
        Bodies bodies( *rig.broadphase, 9, spreadFor( count ) );
        bodies.createRandom( count );
        bodies.update();
        for ( int i = 0; i < count / 2; ++i )
        {
            bodies.destroy( size_t( i ) );
        }
        bodies.update();
        bodies.createRandom( count / 2 );
        bodies.update();
        GhostLog log;
        rig.cullet->m_deferedcollide = true;
        rig.cache().setInternalGhostPairCallback( &log );
        for ( size_t i = 0; i + 1 < bodies.size(); i += 2 )
        {
            const Box box = bodies.at( i ).box;
            bodies.move( bodies.at( i ), bodies.at( i + 1 ).box );
            bodies.move( bodies.at( i + 1 ), box );
        }
        bodies.update();
        EXPECT_GT( log.calls.size(), size_t( count / 2 ) );
        EXPECT_TRUE( std::is_sorted( log.calls.begin(), log.calls.end() ) ) << count;
        log.calls.clear();
        rig.cullet->m_deferedcollide = false;
        bodies.move( bodies.create( cube( 900, 0, 0, 1 ), 1, -1 ), cube( -100, -100, -100, 200 ) );
        EXPECT_GT( log.calls.size(), size_t( count / 4 ) );
        EXPECT_TRUE( std::is_sorted( log.calls.begin(), log.calls.end() ) ) << count << ", of one box";
        rig.cache().setInternalGhostPairCallback( nullptr );
    }
}

namespace
{

/// Splits every loop unevenly, and runs each part in a thread of its own.
class UnevenScheduler : public btITaskScheduler
{
public:
    UnevenScheduler() : btITaskScheduler( "uneven" )
    {
    }

    int getMaxNumThreads() const override
    {
        return 3;
    }

    int getNumThreads() const override
    {
        return 3;
    }

    void setNumThreads( int ) override
    {
    }

    void parallelFor( int begin, int end, int, const btIParallelForBody& body ) override
    {
        ++m_loopCount;
        std::vector<std::thread> threads;
        for ( int first = begin; first < end; )
        {
            const int last = std::min( end, first + 1 + ( end - first ) / 2 );
            threads.emplace_back( [=, &body] { body.forLoop( first, last ); } );
            first = last;
        }
        for ( std::thread& thread : threads )
        {
            thread.join();
        }
    }

    btScalar parallelSum( int, int, int, const btIParallelSumBody& ) override
    {
        return 0;
    }

    int m_loopCount = 0;
};

std::vector<IdPair> pairsWith( const cltBroadphaseDef& def )
{
    CulletBroadphase broadphase( def );
    EXPECT_EQ( clt_ok, broadphase.getCreationStatus() );
    broadphase.m_deferedcollide = true;
    return arrayAfterSteps( broadphase, 6000, 6000, 3 );
}

} // namespace

TEST( TaskScheduler, GivesTheSamePairsInTheSameOrder )
{
    UnevenScheduler scheduler;
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = 1;
    const std::vector<IdPair> alone = pairsWith( def );
    def.hooks.parallelFor = culletParallelFor;
    def.hooks.userContext = &scheduler;
    EXPECT_EQ( alone, pairsWith( def ) );
    EXPECT_GT( alone.size(), 100u );
    EXPECT_GT( scheduler.m_loopCount, 3 );
}
