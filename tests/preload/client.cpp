// SPDX-License-Identifier: Zlib
/// \file client.cpp
/// Programs that use Bullet and nothing of cullet, not even its test support. The argument selects one.
#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <thread>
#include <typeinfo>
#include <utility>
#include <vector>

namespace
{

bool overlap( const btBroadphaseProxy& proxy, const btVector3& lower, const btVector3& upper )
{
    bool meet = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        meet = meet && proxy.m_aabbMin[axis] <= upper[axis] && lower[axis] <= proxy.m_aabbMax[axis];
    }
    return meet;
}

/// Counts the reported boxes that overlap the box of the query. A ray along an axis counts as a flat box.
struct Hits : public btBroadphaseRayCallback
{
    Hits( const btVector3& lower, const btVector3& upper ) : m_lower( lower ), m_upper( upper )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        m_count += overlap( *proxy, m_lower, m_upper );
        return true;
    }

    btVector3 m_lower;
    btVector3 m_upper;
    int m_count = 0;
};

/// The scene that clients run. Its output does not depend on the broadphase: it counts only pairs of overlapping boxes
/// and only true hits. Bullet's own broadphases report more.
class Scene
{
public:
    explicit Scene( btBroadphaseInterface& broadphase, int count = 150 ) : m_broadphase( broadphase )
    {
        for ( int i = 0; i < count; ++i )
        {
            add( i );
        }
    }

    /// Moves every body a little, destroys one and creates one.
    void step()
    {
        for ( Body& body : m_bodies )
        {
            if ( body.m_proxy )
            {
                for ( int axis = 0; axis < 3; ++axis )
                {
                    body.m_position[axis] += random() * 2 - 1;
                }
                m_broadphase.setAabb( body.m_proxy, lower( body ), upper( body ), nullptr );
            }
        }
        const int chosen = int( random() * btScalar( m_bodies.size() ) );
        if ( m_bodies[chosen].m_proxy )
        {
            m_broadphase.destroyProxy( m_bodies[chosen].m_proxy, nullptr );
            m_bodies[chosen].m_proxy = nullptr;
        }
        add( int( m_bodies.size() ) );
        m_broadphase.calculateOverlappingPairs( nullptr );
        report();
    }

    /// Prints the number of pairs of overlapping boxes, and a hash of them.
    void report()
    {
        std::vector<std::pair<int, int>> pairs;
        const btBroadphasePairArray& array = m_broadphase.getOverlappingPairCache()->getOverlappingPairArray();
        for ( int i = 0; i < array.size(); ++i )
        {
            const btBroadphaseProxy& a = *array[i].m_pProxy0;
            const btBroadphaseProxy& b = *array[i].m_pProxy1;
            if ( overlap( a, b.m_aabbMin, b.m_aabbMax ) )
            {
                pairs.push_back( std::minmax( numberOf( a ), numberOf( b ) ) );
            }
        }
        std::sort( pairs.begin(), pairs.end() );
        std::uint64_t sum = 1469598103934665603u; // FNV-1a
        for ( const std::pair<int, int>& pair : pairs )
        {
            sum = ( sum ^ std::uint64_t( pair.first ) ) * 1099511628211u;
            sum = ( sum ^ std::uint64_t( pair.second ) ) * 1099511628211u;
        }
        std::printf( "%zu pairs %016llx\n", pairs.size(), (unsigned long long)sum );
    }

    /// Runs a box query and a ray query, and prints the numbers of real hits.
    /// \param setsRayLength  whether to set m_lambda_max, the ray's length. Sweeps without an accelerator ignore it.
    void query( bool setsRayLength )
    {
        Hits box{ btVector3( -5, -5, -5 ), btVector3( 5, 5, 5 ) };
        Hits ray{ btVector3( -20, 0, 0 ), btVector3( 20, 0, 0 ) };
        ray.m_rayDirectionInverse.setValue( 1, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
        ray.m_signs[0] = ray.m_signs[1] = ray.m_signs[2] = 0;
        ray.m_lambda_max = setsRayLength ? btScalar( 40 ) : btScalar( 0 );
        m_broadphase.aabbTest( box.m_lower, box.m_upper, box );
        m_broadphase.rayTest( ray.m_lower, ray.m_upper, ray );
        std::printf( "%d in the box, %d along the ray\n", box.m_count, ray.m_count );
    }

    void removeAll()
    {
        for ( Body& body : m_bodies )
        {
            if ( body.m_proxy )
            {
                m_broadphase.destroyProxy( body.m_proxy, nullptr );
                body.m_proxy = nullptr;
            }
        }
        std::printf( "%d pairs at the end\n", m_broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
    }

private:
    struct Body
    {
        btScalar m_position[3];
        btBroadphaseProxy* m_proxy;
    };

    btScalar random()
    {
        m_state = m_state * 6364136223846793005u + 1442695040888963407u;
        return btScalar( m_state >> 40 ) / btScalar( 1 << 24 );
    }

    static btVector3 lower( const Body& body )
    {
        return btVector3( body.m_position[0] - 1, body.m_position[1] - 1, body.m_position[2] - 1 );
    }

    static btVector3 upper( const Body& body )
    {
        return btVector3( body.m_position[0] + 1, body.m_position[1] + 1, body.m_position[2] + 1 );
    }

    /// Creates the body with this number. The groups and masks of some bodies reject each other.
    void add( int number )
    {
        Body body = { { random() * 16 - 8, random() * 16 - 8, random() * 16 - 8 }, nullptr };
        const int group = 1 << ( number % 3 );
        const int mask = number % 5 == 0 ? 3 : 7;
        body.m_proxy =
            m_broadphase.createProxy( lower( body ), upper( body ), 0,
                                      reinterpret_cast<void*>( std::intptr_t( number + 1 ) ), group, mask, nullptr );
        m_bodies.push_back( body );
    }

    static int numberOf( const btBroadphaseProxy& proxy )
    {
        return int( reinterpret_cast<std::intptr_t>( proxy.m_clientObject ) );
    }

    btBroadphaseInterface& m_broadphase;
    std::vector<Body> m_bodies;
    std::uint64_t m_state = 1;
};

/// \param arePairsEarly  whether the broadphase has its pairs before the first calculateOverlappingPairs
/// \param setsRayLength   passed to Scene::query
void runScene( btBroadphaseInterface& broadphase, bool arePairsEarly = true, bool setsRayLength = true )
{
    Scene scene( broadphase );
    if ( arePairsEarly )
    {
        scene.report();
    }
    for ( int i = 0; i < 20; ++i )
    {
        scene.step();
    }
    scene.query( setsRayLength );
    scene.removeAll();
}

/// Creates the cube from `lower` to `upper` on each axis.
btBroadphaseProxy* createCube( btBroadphaseInterface& broadphase, btScalar lower, btScalar upper )
{
    static int client;
    const btVector3 one( 1, 1, 1 );
    return broadphase.createProxy( one * lower, one * upper, 0, &client, 1, 1, nullptr );
}

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

/// The compiler knows the class of an object on the stack, and calls its virtual functions directly.
void runStack()
{
    btDbvtBroadphase broadphase;
    const btVector3 upper( 1, 1, 1 );
    btBroadphaseProxy* a = createCube( broadphase, 0, 1 );
    btBroadphaseProxy* b = createCube( broadphase, 1, 2 );
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
    btBroadphaseProxy* proxies[2] = { createCube( broadphase, -1, 1 ), createCube( broadphase, -1, 1 ) };
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
void runGivenCache()
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

/// A filter that rejects only the first time it is asked. The verifier asks once more, so it reports a missing pair.
struct RejectFirst : public btOverlapFilterCallback
{
    bool needBroadphaseCollision( btBroadphaseProxy*, btBroadphaseProxy* ) const override
    {
        return m_count++ > 0;
    }

    mutable int m_count = 0;
};

/// The output of the atexit function must appear, although the verifier ends the process.
void runRejectFirst()
{
    std::atexit( [] { std::printf( "at exit\n" ); } );
    btDbvtBroadphase broadphase;
    RejectFirst filter;
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( &filter );
    createCube( broadphase, -1, 1 );
    createCube( broadphase, -1, 1 );
    broadphase.calculateOverlappingPairs( nullptr );
}

/// Dies in its teardown, before libcullet-preload.so ends, and before the broadphase is destroyed.
void runThenDie( void ( *die )() )
{
    std::atexit( die );
    runScene( *new btDbvtBroadphase );
    std::fflush( stdout );
}

/// Writes another box into one proxy of a pair. The pair stays, although the boxes no longer overlap.
void forgePair()
{
    btDbvtBroadphase broadphase;
    btBroadphaseProxy* proxy = createCube( broadphase, -1, 1 );
    createCube( broadphase, -1, 1 );
    broadphase.calculateOverlappingPairs( nullptr );
    proxy->m_aabbMin.setValue( 5, 5, 5 );
    proxy->m_aabbMax.setValue( 6, 6, 6 );
    broadphase.calculateOverlappingPairs( nullptr );
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
                btBroadphaseProxy* proxy = createCube( broadphase, -1, 1 );
                createCube( broadphase, -1, 1 );
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

/// Between two steps of a scene, a forked child runs `live` and exits.
void runBesideChild( const std::function<void( Scene& scene )>& live )
{
    btDbvtBroadphase broadphase;
    Scene scene( broadphase );
    scene.step();
    std::fflush( stdout );
    const pid_t child = fork();
    if ( child == 0 )
    {
        live( scene );
        std::exit( 0 );
    }
    int status = 1;
    waitpid( child, &status, 0 );
    std::printf( "the child ended with %d\n", status );
    scene.step();
    scene.removeAll();
}

/// The child continues its copy of the scene.
void runForked()
{
    runBesideChild(
        []( Scene& scene )
        {
            scene.step();
            scene.removeAll();
        } );
}

/// The child becomes another client of this program.
void runStarter()
{
    runBesideChild(
        []( Scene& )
        {
            execl( "/proc/self/exe", "client", "heap", nullptr );
            _exit( 1 );
        } );
}

/// Runs a function when the next pair begins.
struct ActingGhost : btOverlappingPairCallback
{
    using Function = std::function<void( btBroadphaseProxy& older, btBroadphaseProxy& newer )>;

    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* a, btBroadphaseProxy* b ) override
    {
        if ( const Function act = std::exchange( m_act, nullptr ) )
        {
            const bool isFirstOlder = a->m_uniqueId < b->m_uniqueId;
            act( *( isFirstOlder ? a : b ), *( isFirstOlder ? b : a ) );
        }
        return nullptr;
    }

    void* removeOverlappingPair( btBroadphaseProxy*, btBroadphaseProxy*, btDispatcher* ) override
    {
        return nullptr;
    }

    void removeOverlappingPairsContainingProxy( btBroadphaseProxy*, btDispatcher* ) override
    {
    }

    Function m_act;
};

/// A ghost callback makes calls within calls, and the boxes of some bodies have a NaN or an infinity.
void runActing()
{
    btDbvtBroadphase broadphase;
    ActingGhost ghost;
    broadphase.getOverlappingPairCache()->setInternalGhostPairCallback( &ghost );
    int client = 0;
    std::vector<btBroadphaseProxy*> bodies;
    const auto create = [&]( btScalar x )
    { return broadphase.createProxy( btVector3( x, 0, 0 ), btVector3( x + 1, 1, 1 ), 0, &client, 1, -1, nullptr ); };
    const auto set = [&]( btBroadphaseProxy& body, btScalar x )
    { broadphase.setAabb( &body, btVector3( x, 0, 0 ), btVector3( x + 1, 1, 1 ), nullptr ); };
    for ( int i = 0; i < 40; ++i )
    {
        bodies.push_back( create( btScalar( i ) * btScalar( 0.7 ) ) );
    }
    const ActingGhost::Function acts[] = { [&]( auto&, auto& ) { broadphase.calculateOverlappingPairs( nullptr ); },
                                           [&]( auto& older, auto& ) { set( older, 90 ); },
                                           [&]( auto&, auto& newer ) { set( newer, 91 ); },
                                           [&]( auto&, auto& newer ) { broadphase.destroyProxy( &newer, nullptr ); } };
    for ( const bool isDeferred : { false, true } )
    {
        for ( const ActingGhost::Function& act : acts )
        {
            broadphase.m_deferedcollide = isDeferred;
            ghost.m_act = act;
            bodies.push_back( create( btScalar( 0.5 ) ) );
            broadphase.calculateOverlappingPairs( nullptr );
            broadphase.calculateOverlappingPairs( nullptr );
        }
        for ( const btScalar odd :
              { std::numeric_limits<btScalar>::quiet_NaN(), -std::numeric_limits<btScalar>::infinity() } )
        {
            for ( int i = 0; i < 20; ++i )
            {
                set( *bodies[std::size_t( 20 + i )], btScalar( i ) * btScalar( 0.9 ) );
                broadphase.setAabb( bodies[std::size_t( i )], btVector3( odd, 0, 0 ), btVector3( 5, 1, 1 ), nullptr );
                broadphase.calculateOverlappingPairs( nullptr );
            }
        }
    }
}

/// Ends without destroying its broadphase.
void runUntil( void ( *end )() )
{
    btDbvtBroadphase broadphase;
    Scene scene( broadphase );
    scene.step();
    std::this_thread::sleep_for( std::chrono::seconds( 1 ) ); // recordings are written once a second
    scene.step();
    const Scene incompleteStep( broadphase, 5000 ); // fills whole blocks of a recording
    end();
}

} // namespace

/// Called by main, and by loader.c, which loads this file as a library.
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
        { "hashed", runGivenCache<btHashedOverlappingPairCache> },
        { "sorted", runGivenCache<btSortedOverlappingPairCache> },
        { "scene", runScene },
        { "sweep16_described", describeSweep<btAxisSweep3> },
        { "sweep32_described", describeSweep<bt32BitAxisSweep3> },
        { "sweep16", [] { runSweep<btAxisSweep3>( false ); } },
        { "sweep32", [] { runSweep<bt32BitAxisSweep3>( false ); } },
        { "sweep_bare", [] { runSweep<btAxisSweep3>( true ); } },
        { "derived", runDerived },
        { "missing", runRejectFirst },
        { "forging_child", runForgingChild },
        { "forked", runForked },
        { "acting", runActing },
        { "starter", runStarter },
        { "threads", runThreads },
        { "dies_of_11", [] { runThenDie( [] { std::raise( SIGSEGV ); } ); } },
        { "dies_of_9", [] { runThenDie( [] { std::raise( SIGKILL ); } ); } },
        { "leaves", [] { runThenDie( [] { _exit( 3 ); } ); } },
        { "missing_dies",
          []
          {
              runRejectFirst();
              std::raise( SIGABRT );
          } },
        { "exited", [] { runUntil( [] { _exit( 1 ); } ); } },
        { "killed", [] { runUntil( [] { std::raise( SIGKILL ); } ); } },
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
