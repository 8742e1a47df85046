// SPDX-License-Identifier: Zlib
/// \file client.cpp
/// Programs as there are, one for each word on the command line, that know nothing of cullet.
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

void sayType( btBroadphaseInterface& broadphase )
{
    std::printf( "%s, cast %d, same %d\n", typeid( broadphase ).name(),
                 dynamic_cast<btDbvtBroadphase*>( &broadphase ) != nullptr,
                 typeid( broadphase ) == typeid( btDbvtBroadphase ) );
}

void runHeap()
{
    const std::unique_ptr<btBroadphaseInterface> broadphase( new btDbvtBroadphase() );
    sayType( *broadphase );
    runScene( *broadphase );
}

/// The compiler knows the class, and calls its functions by name.
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

/// What a program may do to the members.
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
    sayType( *broadphase );
    btVector3 lower;
    btVector3 upper;
    broadphase->getBroadphaseAabb( lower, upper );
    std::printf( "%g %g\n", double( lower.x() ), double( upper.x() ) );
}

/// Bullet's sweeps lose pairs in this scene, so what they print is no measure.
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

/// A filter that refuses a pair when it is asked first, and lets it in when it is asked again: what a verifier that
/// asks again takes for a missing pair. What it says at its end, and leaves in its buffer, is said all the same.
struct Fickle : public btOverlapFilterCallback
{
    bool needBroadphaseCollision( btBroadphaseProxy*, btBroadphaseProxy* ) const override
    {
        return m_count++ > 0;
    }

    mutable int m_count = 0;
};

/// \param lower  of the second box; the first reaches from -1 to 1
void runFickle( btScalar lower )
{
    std::atexit( [] { std::printf( "at exit\n" ); } );
    btDbvtBroadphase broadphase;
    Fickle filter;
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( &filter );
    const btVector3 one( 1, 1, 1 );
    int client = 0;
    broadphase.createProxy( -one, one, 0, &client, 1, 1, nullptr );
    broadphase.createProxy( one * lower, one * ( lower + 1 ), 0, &client, 1, 1, nullptr );
    broadphase.calculateOverlappingPairs( nullptr );
}

struct Anybody : public btBroadphaseRayCallback
{
    bool process( const btBroadphaseProxy* ) override
    {
        return true;
    }
};

/// Writes a box into its proxy that it tells the broadphase nothing of: who is met then no longer seems to be.
void runForged( bool isRay )
{
    btDbvtBroadphase broadphase;
    const btVector3 one( 1, 1, 1 );
    int client = 0;
    btBroadphaseProxy* proxy = broadphase.createProxy( -one, one, 0, &client, 1, 1, nullptr );
    for ( int i = 0; i < 2; ++i )
    {
        Anybody anybody;
        anybody.m_rayDirectionInverse.setValue( 1, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
        anybody.m_signs[0] = anybody.m_signs[1] = anybody.m_signs[2] = 0;
        anybody.m_lambda_max = 40;
        if ( isRay )
        {
            broadphase.rayTest( btVector3( -20, 0, 0 ), btVector3( 20, 0, 0 ), anybody );
        }
        else
        {
            broadphase.aabbTest( -one, one, anybody );
        }
        proxy->m_aabbMin = one * 5;
        proxy->m_aabbMax = one * 6;
    }
    std::printf( "asked\n" );
}

/// The same with two boxes that overlap: their pair stays.
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

/// In a child that ends well by itself, while the parent does nothing wrong.
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

/// Four broadphases at once, none of which is there before the others begin.
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

/// A child takes its copy of the scene further, and ends as a process of its own.
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

/// Also called by programs that load this as a library.
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
        { "fickle", [] { runFickle( -1 ); } },
        { "touch", [] { runFickle( 1 ); } },
        { "forged_box", [] { runForged( false ); } },
        { "forged_ray", [] { runForged( true ); } },
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
