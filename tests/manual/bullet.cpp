// SPDX-License-Identifier: Zlib
// The snippets of the manual's pages for Bullet programs.
#include "CulletBroadphase.h"
#include "CulletRecordFile.h"
#include "CulletRecorder.h"
#include "CulletTaskScheduler.h"
#include "check.h"
#include "cullet_queries.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"
#include "btBulletDynamicsCommon.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace
{

//! [options]
std::unique_ptr<CulletBroadphase> createBroadphase( bool& isAsRequested )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = 2; // default: all processors
    auto broadphase = std::make_unique<CulletBroadphase>( def );
    isAsRequested = broadphase->getCreationStatus() == clt_ok;
    return broadphase;
}
//! [options]

//! [stats]
bool isComplete( const CulletBroadphase& broadphase, cltStats& stats )
{
    cltBroadphase_GetStats( broadphase.getCore(), &stats ); // stats.totalMs, stats.proxyCount, …
    return broadphase.getStatus() == clt_ok;                // else memory ran out; the next step tries again
}
//! [stats]

//! [filter]
// Two bodies of the same team, a positive user index, do not collide.
struct TeamFilter : btOverlapFilterCallback
{
    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        const bool isAllowed = ( proxy0->m_collisionFilterGroup & proxy1->m_collisionFilterMask ) != 0 &&
                               ( proxy1->m_collisionFilterGroup & proxy0->m_collisionFilterMask ) != 0;
        const int team0 = static_cast<btCollisionObject*>( proxy0->m_clientObject )->getUserIndex();
        const int team1 = static_cast<btCollisionObject*>( proxy1->m_clientObject )->getUserIndex();
        return isAllowed && ( team0 <= 0 || team0 != team1 );
    }
};
//! [filter]

//! [refilter]
// A pair that exists is never offered to the filter again. So its bodies leave and return: with new proxies.
void changeTeam( btCollisionWorld& world, btCollisionObject& object, int team )
{
    object.setUserIndex( team );
    world.refreshBroadphaseProxy( &object );
}
//! [refilter]

//! [ghost]
struct Sensor
{
    btGhostPairCallback callback; // outlives the world
    btBoxShape shape{ btVector3( 1, 1, 1 ) };
    btPairCachingGhostObject ghost;

    explicit Sensor( btDiscreteDynamicsWorld& world )
    {
        world.getPairCache()->setInternalGhostPairCallback( &callback );
        ghost.setCollisionShape( &shape );
        ghost.setCollisionFlags( btCollisionObject::CF_NO_CONTACT_RESPONSE );
        world.addCollisionObject( &ghost, btBroadphaseProxy::SensorTrigger, btBroadphaseProxy::AllFilter );
        // ghost.getNumOverlappingObjects() is right from here on.
    }
};
//! [ghost]

//! [volume]
struct Frustum
{
    btVector4 planes[6]; // inside: normal.dot( point ) + w >= 0
    const CulletBroadphase* broadphase;
    std::vector<btBroadphaseProxy*> visible;
};

// Bit i: no plane of the frustum has box i behind it.
uint32_t touchesFrustum( const cltBoxLanes* boxes, void* context )
{
    const Frustum& frustum = *static_cast<Frustum*>( context );
    uint32_t mask = 0;
    for ( uint32_t i = 0; i < CLT_LANE_COUNT; ++i )
    {
        bool isInside = true;
        for ( const btVector4& plane : frustum.planes )
        {
            btScalar farthest = plane.w(); // of the box's corners, along the plane's normal
            for ( int axis = 0; axis < 3; ++axis )
            {
                farthest += plane[axis] * ( plane[axis] > 0 ? boxes->upper : boxes->lower )[axis][i];
            }
            isInside = isInside && farthest >= 0;
        }
        mask |= uint32_t( isInside ) << i;
    }
    return mask;
}

bool addVisible( cltProxyId id, uint64_t, void* context )
{
    Frustum& frustum = *static_cast<Frustum*>( context );
    frustum.visible.push_back( frustum.broadphase->getProxy( id ) ); // m_clientObject is the collision object
    return true;
}

void cull( Frustum& frustum )
{
    frustum.visible.clear();
    cltBroadphase_QueryVolume( frustum.broadphase->getCore(), touchesFrustum, addVisible, &frustum );
}
//! [volume]

//! [save]
struct SavedBody
{
    btTransform transform;
    btVector3 linearVelocity, angularVelocity;
    int activationState;
    btScalar deactivationTime;
};

SavedBody save( const btRigidBody& body )
{
    return { body.getWorldTransform(), body.getLinearVelocity(), body.getAngularVelocity(), body.getActivationState(),
             body.getDeactivationTime() };
}

void restore( btDiscreteDynamicsWorld& world, const std::vector<btRigidBody*>& bodies,
              const std::vector<SavedBody>& saved )
{
    for ( std::size_t i = 0; i < bodies.size(); ++i )
    {
        btRigidBody& body = *bodies[i];
        body.setCenterOfMassTransform( saved[i].transform ); // unlike setWorldTransform, also turns the inertia
        body.setLinearVelocity( saved[i].linearVelocity );
        body.setAngularVelocity( saved[i].angularVelocity );
        body.setInterpolationLinearVelocity( saved[i].linearVelocity );
        body.setInterpolationAngularVelocity( saved[i].angularVelocity );
        body.clearForces();
        body.forceActivationState( saved[i].activationState );
        body.setDeactivationTime( saved[i].deactivationTime );
        world.updateSingleAabb( &body );
        // Contacts of the abandoned future.
        world.getPairCache()->cleanProxyFromPairs( body.getBroadphaseHandle(), world.getDispatcher() );
    }
    world.computeOverlappingPairs(); // pairs and ghosts are those of the restored boxes
    world.getConstraintSolver()->reset();
}
//! [save]

//! [record]
void recordScene( const char* path )
{
    btDbvtBroadphase broadphase; // or CulletBroadphase
    CulletRecordFile file( path );
    CulletRecorder recorder( &broadphase, &file );
    // … a world on &recorder, and some steps …
    recorder.close(); // false if the file could not be written
}
//! [record]

//! [serialize]
void writeWorld( btDynamicsWorld& world, const char* path )
{
    btDefaultSerializer serializer;
    world.serialize( &serializer );
    std::ofstream( path, std::ios::binary )
        .write( reinterpret_cast<const char*>( serializer.getBufferPointer() ), serializer.getCurrentBufferSize() );
}
//! [serialize]

//! [scheduler]
std::unique_ptr<CulletBroadphase> createOnBulletsThreads( btITaskScheduler& scheduler )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = scheduler.getNumThreads();
    def.hooks.parallelFor = culletParallelFor;
    def.hooks.userContext = &scheduler; // must outlive the broadphase
    return std::make_unique<CulletBroadphase>( def );
}
//! [scheduler]

struct World
{
    explicit World( btBroadphaseInterface& broadphase ) : world( &dispatcher, &broadphase, &solver, &configuration )
    {
    }

    ~World()
    {
        for ( const auto& body : bodies )
        {
            world.removeRigidBody( body.get() );
        }
    }

    btRigidBody& add( const btVector3& place, btScalar mass = 1, int team = 0 )
    {
        btVector3 inertia( 0, 0, 0 );
        shape.calculateLocalInertia( mass, inertia );
        btRigidBody::btRigidBodyConstructionInfo description( mass, nullptr, &shape, inertia );
        description.m_startWorldTransform.setOrigin( place );
        bodies.push_back( std::make_unique<btRigidBody>( description ) );
        bodies.back()->setUserIndex( team );
        world.addRigidBody( bodies.back().get() );
        return *bodies.back();
    }

    int pairCount()
    {
        return world.getPairCache()->getNumOverlappingPairs();
    }

    btBoxShape shape{ btVector3( btScalar( 0.5 ), btScalar( 0.5 ), btScalar( 0.5 ) ) };
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
};

void testOptions()
{
    bool isAsRequested = false;
    cltStats stats;
    const auto broadphase = createBroadphase( isAsRequested );
    World world( *broadphase );
    world.add( btVector3( 0, 0, 0 ) );
    world.world.stepSimulation( btScalar( 1.0 / 60 ), 0 );
    CHECK( isAsRequested && isComplete( *broadphase, stats ) && stats.proxyCount == 1 );
    const auto onThreads = createOnBulletsThreads( *btGetSequentialTaskScheduler() );
    CHECK( onThreads->getCreationStatus() == clt_ok );
}

void testFilter()
{
    CulletBroadphase broadphase;
    World world( broadphase );
    TeamFilter filter;
    world.world.getPairCache()->setOverlapFilterCallback( &filter );
    btRigidBody& body = world.add( btVector3( 0, 0, 0 ), 1, 1 );
    world.add( btVector3( 0, 0, 0 ), 1, 1 );
    world.add( btVector3( 0, 0, 0 ), 1, 2 );
    CHECK( world.pairCount() == 2 );
    changeTeam( world.world, body, 2 );
    CHECK( world.pairCount() == 2 );
    changeTeam( world.world, body, 3 );
    CHECK( world.pairCount() == 3 );
}

void testGhost()
{
    CulletBroadphase broadphase;
    World world( broadphase );
    btRigidBody& body = world.add( btVector3( 0, 0, 0 ), 0 );
    world.add( btVector3( btScalar( 1.53 ), 0, 0 ), 0 ); // within btDbvtBroadphase's margin of 0.05
    Sensor sensor( world.world );
    CHECK( sensor.ghost.getNumOverlappingObjects() == 1 );
    body.getWorldTransform().setOrigin( btVector3( 9, 0, 0 ) );
    world.world.updateSingleAabb( &body );
    CHECK( sensor.ghost.getNumOverlappingObjects() == 1 ); // until the pairs are computed
    world.world.computeOverlappingPairs();
    CHECK( sensor.ghost.getNumOverlappingObjects() == 0 );
    world.world.removeCollisionObject( &sensor.ghost );
}

void testVolume()
{
    CulletBroadphase broadphase;
    World world( broadphase );
    btRigidBody& near = world.add( btVector3( 0, 0, -5 ), 0 );
    world.add( btVector3( 0, 0, 5 ), 0 );
    Frustum frustum = { { btVector4( 1, 0, 0, 9 ), btVector4( -1, 0, 0, 9 ), btVector4( 0, 1, 0, 9 ),
                          btVector4( 0, -1, 0, 9 ), btVector4( 0, 0, -1, 0 ), btVector4( 0, 0, 1, 100 ) },
                        &broadphase,
                        {} };
    cull( frustum );
    CHECK( frustum.visible.size() == 1 && frustum.visible[0]->m_clientObject == &near );
}

std::vector<btVector3> placesAfter( World& world, int steps )
{
    for ( int i = 0; i < steps; ++i )
    {
        world.world.stepSimulation( btScalar( 1.0 / 60 ), 0 );
    }
    std::vector<btVector3> places;
    for ( const auto& body : world.bodies )
    {
        places.push_back( body->getWorldTransform().getOrigin() );
    }
    return places;
}

void testRestore()
{
    CulletBroadphase broadphase;
    World world( broadphase );
    world.world.getDispatchInfo().m_deterministicOverlappingPairs = true;
    btBoxShape floor( btVector3( 50, 1, 50 ) );
    btRigidBody ground( 0, nullptr, &floor );
    ground.getWorldTransform().setOrigin( btVector3( 0, -1, 0 ) );
    world.world.addRigidBody( &ground );
    for ( int i = 0; i < 300; ++i )
    {
        world.add( btVector3( btScalar( i % 7 * 1.01 ), btScalar( 1 + i / 49 * 1.2 ), btScalar( i / 7 % 7 * 1.02 ) ) );
    }
    placesAfter( world, 60 );
    std::vector<btRigidBody*> bodies;
    std::vector<SavedBody> saved;
    for ( const auto& body : world.bodies )
    {
        bodies.push_back( body.get() );
        saved.push_back( save( *body ) );
    }
    restore( world.world, bodies, saved );
    const std::vector<btVector3> first = placesAfter( world, 120 );
    restore( world.world, bodies, saved );
    const std::vector<btVector3> second = placesAfter( world, 120 );
    placesAfter( world, 77 );
    restore( world.world, bodies, saved );
    const std::vector<btVector3> third = placesAfter( world, 120 );
    CHECK( first == second && first == third );
    world.world.removeRigidBody( &ground );
}

void testRecording()
{
    const std::string path = "manual_scene.cullet";
    recordScene( path.c_str() );
    CHECK( std::remove( path.c_str() ) == 0 );
}

void testWriting()
{
    const std::string path = "manual_scene.bullet";
    btDbvtBroadphase broadphase;
    World world( broadphase );
    world.add( btVector3( 0, 0, 0 ) );
    writeWorld( world.world, path.c_str() );
    std::string begin( 6, ' ' );
    std::ifstream( path, std::ios::binary ).read( &begin[0], 6 );
    CHECK( begin == "BULLET" && std::remove( path.c_str() ) == 0 );
}

} // namespace

int main()
{
    testOptions();
    testFilter();
    testGhost();
    testVolume();
    testRestore();
    testRecording();
    testWriting();
}
