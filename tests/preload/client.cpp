// SPDX-License-Identifier: Zlib
/// \file client.cpp
/// Programs that use Bullet and not cullet. The argument selects one.
#include "scene.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <typeinfo>

namespace
{

void printType( btBroadphaseInterface& broadphase )
{
    std::printf( "%s, cast %d, same %d\n", typeid( broadphase ).name(),
                 dynamic_cast<btDbvtBroadphase*>( &broadphase ) != nullptr,
                 typeid( broadphase ) == typeid( btDbvtBroadphase ) );
}

void runHeap()
{
    const std::unique_ptr<btBroadphaseInterface> broadphase( new btDbvtBroadphase() );
    printType( *broadphase );
    runScene( *broadphase );
}

/// The compiler knows the class of an object on the stack, and calls its functions by name.
void runStack()
{
    btDbvtBroadphase broadphase;
    const btVector3 lower( 0, 0, 0 );
    const btVector3 upper( 1, 1, 1 );
    int client = 0;
    btBroadphaseProxy* a = broadphase.createProxy( lower, upper, 0, &client, 1, 1, nullptr );
    btBroadphaseProxy* b = broadphase.createProxy( upper, upper * 2, 0, &client, 1, 1, nullptr );
    const btDbvtBroadphase& constant = broadphase;
    std::printf( "%d pairs\n", constant.getOverlappingPairCache()->getNumOverlappingPairs() );
    broadphase.setAabb( b, upper * 3, upper * 4, nullptr );
    broadphase.collide( nullptr );
    broadphase.performDeferredRemoval( nullptr );
    broadphase.optimize();
    broadphase.calculateOverlappingPairs( nullptr );
    std::printf( "%d pairs\n", broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
    broadphase.setAabbForceUpdate( a, upper * 3, upper * 3, nullptr );
    broadphase.calculateOverlappingPairs( nullptr );
    std::printf( "%d pairs\n", broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
    btVector3 least;
    btVector3 most;
    broadphase.getAabb( a, least, most );
    std::printf( "%g %g\n", double( least.x() ), double( most.x() ) );
    broadphase.destroyProxy( a, nullptr );
    broadphase.destroyProxy( b, nullptr );
    broadphase.resetPool( nullptr );
    broadphase.getBroadphaseAabb( least, most );
    std::printf( "%g %g\n", double( least.x() ), double( most.x() ) );
    broadphase.printStats();
    runScene( broadphase );
}

/// Reads and writes the members of btDbvtBroadphase.
void runMembers()
{
    btDbvtBroadphase broadphase;
    broadphase.m_deferedcollide = true;
    broadphase.setVelocityPrediction( btScalar( 0.25 ) );
    const btVector3 one( 1, 1, 1 );
    int client = 0;
    btBroadphaseProxy* proxies[2];
    for ( btBroadphaseProxy*& proxy : proxies )
    {
        proxy = broadphase.createProxy( -one, one, 0, &client, 1, 1, nullptr );
    }
    std::printf( "%d pairs while deferring\n", broadphase.m_paircache->getNumOverlappingPairs() );
    broadphase.calculateOverlappingPairs( nullptr );
    auto* hashed = static_cast<btHashedOverlappingPairCache*>( broadphase.m_paircache );
    std::printf( "%d pairs, %d counted, %d\n", hashed->getNumOverlappingPairs(), hashed->GetCount(),
                 hashed->findPair( proxies[0], proxies[1] ) == hashed->getOverlappingPairArrayPtr() );
    std::printf( "%g %d %d\n", double( broadphase.getVelocityPrediction() ), broadphase.m_deferedcollide,
                 broadphase.m_paircache == broadphase.getOverlappingPairCache() );
    broadphase.destroyProxy( proxies[0], nullptr );
    broadphase.destroyProxy( proxies[1], nullptr );
    broadphase.resetPool( nullptr );
    std::printf( "%d after a reset\n", broadphase.m_deferedcollide );
    runScene( broadphase );
}

template <typename Cache>
void runGiven()
{
    Cache cache;
    {
        btDbvtBroadphase broadphase( &cache );
        std::printf( "%d\n", broadphase.getOverlappingPairCache() == &cache );
        runScene( broadphase, !broadphase.getOverlappingPairCache()->hasDeferredRemoval() );
    }
    std::printf( "%d pairs left\n", cache.getNumOverlappingPairs() );
}

template <typename Sweep>
std::unique_ptr<btBroadphaseInterface> createSweep( bool hasNoAccelerator )
{
    const btVector3 side( 100, 100, 100 );
    return std::unique_ptr<btBroadphaseInterface>( new Sweep( -side, side, 1000, nullptr, hasNoAccelerator ) );
}

template <typename Sweep>
void describeSweep()
{
    const std::unique_ptr<btBroadphaseInterface> broadphase = createSweep<Sweep>( false );
    printType( *broadphase );
    btVector3 lower;
    btVector3 upper;
    broadphase->getBroadphaseAabb( lower, upper );
    std::printf( "%g %g\n", double( lower.x() ), double( upper.x() ) );
}

/// Bullet's sweeps lose pairs in this scene, so the expected output comes from runScene.
template <typename Sweep>
void runSweep( bool hasNoAccelerator )
{
    runScene( *createSweep<Sweep>( hasNoAccelerator ), true, !hasNoAccelerator );
}

void runScene()
{
    btDbvtBroadphase broadphase;
    runScene( broadphase );
}

struct Derived : public btDbvtBroadphase
{
    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override
    {
        ++m_count;
        btDbvtBroadphase::setAabb( proxy, aabbMin, aabbMax, dispatcher );
    }

    int m_count = 0;
};

void runDerived()
{
    for ( int i = 0; i < 2; ++i )
    {
        Derived broadphase;
        runScene( broadphase );
        std::printf( "%d\n", broadphase.m_count );
    }
}

/// A filter that rejects the first question and accepts all others. The verifier asks again, so it reports a missing
/// pair.
struct RejectFirst : public btOverlapFilterCallback
{
    bool needBroadphaseCollision( btBroadphaseProxy*, btBroadphaseProxy* ) const override
    {
        return m_count++ > 0;
    }

    mutable int m_count = 0;
};

/// The output of the atexit function must appear, although the verifier ends the process.
/// \param lower  bound of the second box; the first one reaches from -1 to 1
void runRejectFirst( btScalar lower )
{
    std::atexit( [] { std::printf( "at exit\n" ); } );
    btDbvtBroadphase broadphase;
    RejectFirst filter;
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( &filter );
    const btVector3 one( 1, 1, 1 );
    int client = 0;
    broadphase.createProxy( -one, one, 0, &client, 1, 1, nullptr );
    broadphase.createProxy( one * lower, one * ( lower + 1 ), 0, &client, 1, 1, nullptr );
    broadphase.calculateOverlappingPairs( nullptr );
}

struct AnyHit : public btBroadphaseRayCallback
{
    bool process( const btBroadphaseProxy* ) override
    {
        return true;
    }
};

/// Writes another box into the proxy without setAabb. The next query then reports a box that it does not hit.
void runForgedBox( bool isRay )
{
    btDbvtBroadphase broadphase;
    const btVector3 one( 1, 1, 1 );
    int client = 0;
    btBroadphaseProxy* proxy = broadphase.createProxy( -one, one, 0, &client, 1, 1, nullptr );
    for ( int i = 0; i < 2; ++i )
    {
        AnyHit hits;
        hits.m_rayDirectionInverse.setValue( 1, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
        hits.m_signs[0] = hits.m_signs[1] = hits.m_signs[2] = 0;
        hits.m_lambda_max = 40;
        if ( isRay )
        {
            broadphase.rayTest( btVector3( -20, 0, 0 ), btVector3( 20, 0, 0 ), hits );
        }
        else
        {
            broadphase.aabbTest( -one, one, hits );
        }
        proxy->m_aabbMin = one * 5;
        proxy->m_aabbMax = one * 6;
    }
    std::printf( "asked\n" );
}

/// Writes another box into one proxy of a pair. The pair stays, although the boxes no longer overlap.
void forgePair()
{
    btDbvtBroadphase broadphase;
    const btVector3 one( 1, 1, 1 );
    int client = 0;
    btBroadphaseProxy* proxy = broadphase.createProxy( -one, one, 0, &client, 1, 1, nullptr );
    broadphase.createProxy( -one, one, 0, &client, 1, 1, nullptr );
    broadphase.calculateOverlappingPairs( nullptr );
    proxy->m_aabbMin = one * 5;
    proxy->m_aabbMax = one * 6;
    broadphase.calculateOverlappingPairs( nullptr );
}

void runForgedPair()
{
    forgePair();
    std::printf( "forged\n" );
}

/// The error happens in a forked child that exits with 0. The parent has none.
void runForgingChild()
{
    btDbvtBroadphase broadphase;
    broadphase.calculateOverlappingPairs( nullptr );
    std::fflush( stdout );
    const pid_t child = fork();
    if ( child == 0 )
    {
        forgePair();
        std::exit( 0 );
    }
    int status = 1;
    waitpid( child, &status, 0 );
    std::printf( "waited\n" );
}

/// Four threads construct their broadphases at the same time.
void runThreads()
{
    std::vector<std::thread> threads;
    std::atomic<int> count{ 0 };
    for ( int i = 0; i < 4; ++i )
    {
        threads.emplace_back(
            [&count]
            {
                ++count;
                while ( count < 4 )
                {
                    std::this_thread::yield();
                }
                btDbvtBroadphase broadphase;
                const btVector3 one( 1, 1, 1 );
                int client = 0;
                btBroadphaseProxy* proxy = broadphase.createProxy( -one, one, 0, &client, 1, 1, nullptr );
                broadphase.createProxy( -one, one, 0, &client, 1, 1, nullptr );
                for ( int step = 0; step < 30; ++step )
                {
                    broadphase.setAabb( proxy, one * btScalar( step - 1 ), one * btScalar( step + 1 ), nullptr );
                    broadphase.calculateOverlappingPairs( nullptr );
                }
            } );
    }
    for ( std::thread& thread : threads )
    {
        thread.join();
    }
    std::printf( "joined\n" );
}

/// A forked child continues its copy of the scene, and exits.
void runForked()
{
    btDbvtBroadphase broadphase;
    Scene scene( broadphase );
    scene.step();
    std::fflush( stdout );
    const pid_t child = fork();
    if ( child == 0 )
    {
        scene.step();
        scene.removeAll();
        std::exit( 0 );
    }
    int status = 1;
    waitpid( child, &status, 0 );
    std::printf( "the child ended with %d\n", status );
    scene.step();
    scene.removeAll();
}

} // namespace

/// Also called by the loader, which loads this file as a library.
extern "C" __attribute__( ( visibility( "default" ) ) ) int runClient( const char* name )
{
    const struct
    {
        const char* m_name;
        void ( *m_run )();
    } clients[] = {
        { "heap", runHeap },
        { "stack", runStack },
        { "members", runMembers },
        { "hashed", runGiven<btHashedOverlappingPairCache> },
        { "sorted", runGiven<btSortedOverlappingPairCache> },
        { "scene", runScene },
        { "sweep16_described", describeSweep<btAxisSweep3> },
        { "sweep32_described", describeSweep<bt32BitAxisSweep3> },
        { "sweep16", [] { runSweep<btAxisSweep3>( false ); } },
        { "sweep32", [] { runSweep<bt32BitAxisSweep3>( false ); } },
        { "sweep_bare", [] { runSweep<btAxisSweep3>( true ); } },
        { "derived", runDerived },
        { "missing", [] { runRejectFirst( -1 ); } },
        { "missing_touching", [] { runRejectFirst( 1 ); } },
        { "forged_box", [] { runForgedBox( false ); } },
        { "forged_ray", [] { runForgedBox( true ); } },
        { "forged_pair", runForgedPair },
        { "forging_child", runForgingChild },
        { "forked", runForked },
        { "threads", runThreads },
    };
    for ( const auto& client : clients )
    {
        if ( std::strcmp( client.m_name, name ) == 0 )
        {
            client.m_run();
            std::fflush( stdout );
            return 0;
        }
    }
    return 2;
}

int main( int argc, char** argv )
{
    return argc == 2 ? runClient( argv[1] ) : 2;
}
