// SPDX-License-Identifier: Zlib
// Bodies that come and go in the middle of a step, as in Bullet's FractureDemo, and ghosts and characters among moving
// bodies: the rest of CT-49.
#include "contestants.h"
#include "scenes.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"
#include "BulletDynamics/Character/btKinematicCharacterController.h"

using namespace test;

/// Breaks a body into eight smaller ones while the step's pairs and manifolds are still in use.
class FractureWorld : public btDiscreteDynamicsWorld
{
public:
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

    std::function<void()> fracture;

protected:
    void solveConstraints( btContactSolverInfo& info ) override
    {
        btDiscreteDynamicsWorld::solveConstraints( info );
        fracture();
    }
};

class Fracture
{
public:
    explicit Fracture( btBroadphaseInterface& broadphase )
        : m_world( broadphase,
                   [this]( btDispatcher* dispatcher, btBroadphaseInterface* given, btConstraintSolver* solver,
                           btCollisionConfiguration* configuration )
                   {
                       m_fracturing = new FractureWorld( dispatcher, given, solver, configuration );
                       return m_fracturing;
                   } ),
          m_whole( m_world.shape<btBoxShape>( btVector3( 1, 1, 1 ) ) ),
          m_piece( m_world.shape<btBoxShape>( btVector3( btScalar( 0.45 ), btScalar( 0.45 ), btScalar( 0.45 ) ) ) )
    {
        m_fracturing->fracture = [this] { breakOne(); };
        addFloor( m_world );
        for ( int i = 0; i < 12; ++i )
        {
            m_world.add( 8, m_whole, at( btScalar( i % 4 ) * 3, btScalar( 2 + i / 4 * 3 ), 0 ) );
        }
    }

    BulletWorld& world()
    {
        return m_world;
    }

    int brokenCount() const
    {
        return m_brokenCount;
    }

private:
    /// The first whole body whose fall has ended.
    void breakOne()
    {
        for ( const auto& body : m_world.bodies() )
        {
            if ( body->getCollisionShape() == &m_whole && body->getLinearVelocity().y() > btScalar( -0.1 ) )
            {
                const btTransform place = body->getWorldTransform();
                m_world.remove( *body );
                for ( int i = 0; i < 8; ++i )
                {
                    const btVector3 corner( i & 1 ? btScalar( 0.5 ) : btScalar( -0.5 ),
                                            i & 2 ? btScalar( 0.5 ) : btScalar( -0.5 ),
                                            i & 4 ? btScalar( 0.5 ) : btScalar( -0.5 ) );
                    m_world.add( 1, m_piece, btTransform( place.getBasis(), place( corner ) ) );
                }
                ++m_brokenCount;
                return;
            }
        }
    }

    FractureWorld* m_fracturing = nullptr; ///< m_world's
    BulletWorld m_world;
    btBoxShape& m_whole;
    btBoxShape& m_piece;
    int m_brokenCount = 0;
};

TEST_P( Contract, CT49_Fracture )
{
    const Rig rig = makeRig( GetParam() );
    Fracture fracture( *rig.broadphase );
    for ( int step = 0; step < 600; ++step )
    {
        fracture.world().step();
        ASSERT_GT( fracture.world().lowest(), 0 ) << "step " << step;
    }
    EXPECT_EQ( 12, fracture.brokenCount() );
    EXPECT_EQ( 1u + 12 * 8, fracture.world().bodies().size() );
    EXPECT_GT( fracture.world().contactCount(), 12 * 4 * 3 ) << "at least four pieces of each lie on the floor";
    EXPECT_LT( fracture.world().fastest(), btScalar( 0.5 ) );
}

/// What a ghost's list must hold: who shares a pair with it, by the boxes and filters that Bullet left in the proxies.
static int neighboursOf( btCollisionWorld& world, const btCollisionObject& ghost )
{
    const btBroadphaseProxy& a = *ghost.getBroadphaseHandle();
    int count = 0;
    for ( int i = 0; i < world.getNumCollisionObjects(); ++i )
    {
        const btBroadphaseProxy& b = *world.getCollisionObjectArray()[i]->getBroadphaseHandle();
        const bool meet = ( a.m_collisionFilterGroup & b.m_collisionFilterMask ) != 0 &&
                          ( b.m_collisionFilterGroup & a.m_collisionFilterMask ) != 0;
        const Box boxA = { a.m_aabbMin, a.m_aabbMax }, boxB = { b.m_aabbMin, b.m_aabbMax };
        count += &a != &b && meet && overlap( boxA, boxB );
    }
    return count;
}

TEST_P( Contract, CT49_GhostAmongFallingBoxes )
{
    const Rig rig = makeRig( GetParam() );
    btGhostPairCallback callback;
    rig.cache().setInternalGhostPairCallback( &callback );
    BulletWorld heap( *rig.broadphase );
    buildBoxHeap( heap );
    btBoxShape& shape = heap.shape<btBoxShape>( btVector3( 2, 2, 2 ) );
    btGhostObject ghost;
    ghost.setCollisionShape( &shape );
    ghost.setCollisionFlags( ghost.getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE );
    ghost.setWorldTransform( at( 3, 2, 3 ) );
    heap.world().addCollisionObject( &ghost );
    int most = 0;
    for ( int step = 0; step < 600; ++step )
    {
        heap.step();
        const int listed = ghost.getNumOverlappingObjects();
        ASSERT_GE( listed, neighboursOf( heap.world(), ghost ) ) << "step " << step;
        if ( rig.cullet )
        {
            ASSERT_EQ( listed, neighboursOf( heap.world(), ghost ) ) << "step " << step;
        }
        most = btMax( most, listed );
    }
    EXPECT_GT( most, 5 );
    heap.world().removeCollisionObject( &ghost );
    EXPECT_EQ( 0, ghost.getNumOverlappingObjects() );
}

/// A character walks over a floor into a wall and stays before it.
TEST_P( Contract, CT49_CharacterWalksIntoAWall )
{
    const Rig rig = makeRig( GetParam() );
    btGhostPairCallback callback;
    rig.cache().setInternalGhostPairCallback( &callback );
    BulletWorld level( *rig.broadphase );
    addFloor( level );
    level.add( 0, level.shape<btBoxShape>( btVector3( 1, 5, 5 ) ), at( 6, 5, 0 ) ); // its face is at x = 5
    btCapsuleShape& shape = level.shape<btCapsuleShape>( btScalar( 0.5 ), btScalar( 1 ) );
    btPairCachingGhostObject ghost;
    ghost.setCollisionShape( &shape );
    ghost.setCollisionFlags( btCollisionObject::CF_CHARACTER_OBJECT );
    level.world().addCollisionObject( &ghost, btBroadphaseProxy::CharacterFilter,
                                      btBroadphaseProxy::StaticFilter | btBroadphaseProxy::DefaultFilter );
    btKinematicCharacterController character( &ghost, &shape, btScalar( 0.35 ), btVector3( 0, 1, 0 ) );
    ghost.setWorldTransform( at( 0, btScalar( 1.5 ), 0 ) ); // now, because choosing the up axis has turned it
    character.setGravity( btVector3( 0, -10, 0 ) );
    character.setWalkDirection( btVector3( btScalar( 0.05 ), 0, 0 ) );
    level.world().addAction( &character );
    for ( int step = 0; step < 600; ++step )
    {
        level.step();
        ASSERT_LT( ghost.getWorldTransform().getOrigin().x(), btScalar( 4.6 ) ) << "step " << step;
        ASSERT_GT( ghost.getWorldTransform().getOrigin().y(), btScalar( 0.9 ) ) << "step " << step;
    }
    EXPECT_GT( ghost.getWorldTransform().getOrigin().x(), 4 ) << "has reached the wall";
    level.world().removeAction( &character );
    level.world().removeCollisionObject( &ghost );
}
