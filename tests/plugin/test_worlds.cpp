// SPDX-License-Identifier: Zlib
// Whole Bullet worlds on cullet: bodies fall, come to rest and fall through nothing, and at every step the pairs are
// those of the proxies' boxes.
#include "tests/support/bullet/rig.h"

#include <algorithm>

using namespace test;

/// The uids of all pairs that the world's proxies should form, by brute force over what Bullet left in them.
static std::vector<std::pair<int, int>> expectedUids( const btCollisionWorld& world )
{
    std::vector<std::pair<int, int>> uids;
    const btCollisionObjectArray& objects = world.getCollisionObjectArray();
    for ( int i = 0; i < objects.size(); ++i )
    {
        const btBroadphaseProxy& a = *objects[i]->getBroadphaseHandle();
        for ( int j = i + 1; j < objects.size(); ++j )
        {
            const btBroadphaseProxy& b = *objects[j]->getBroadphaseHandle();
            bool meet = ( a.m_collisionFilterGroup & b.m_collisionFilterMask ) != 0 &&
                        ( b.m_collisionFilterGroup & a.m_collisionFilterMask ) != 0;
            for ( int axis = 0; axis < 3; ++axis )
            {
                meet = meet && a.m_aabbMin[axis] <= b.m_aabbMax[axis] && b.m_aabbMin[axis] <= a.m_aabbMax[axis];
            }
            if ( meet )
            {
                uids.emplace_back( std::min( a.m_uniqueId, b.m_uniqueId ), std::max( a.m_uniqueId, b.m_uniqueId ) );
            }
        }
    }
    std::sort( uids.begin(), uids.end() );
    return uids;
}

static std::vector<std::pair<int, int>> actualUids( btCollisionWorld& world )
{
    std::vector<std::pair<int, int>> uids;
    const btBroadphasePairArray& pairs = world.getPairCache()->getOverlappingPairArray();
    for ( int i = 0; i < pairs.size(); ++i )
    {
        uids.emplace_back( pairs[i].m_pProxy0->m_uniqueId, pairs[i].m_pProxy1->m_uniqueId );
    }
    std::sort( uids.begin(), uids.end() );
    return uids;
}

/// A heap of boxes falling on a plane, on whichever broadphase.
class FallingBoxes
{
public:
    explicit FallingBoxes( btBroadphaseInterface& broadphase )
        : m_dispatcher( &m_configuration ), m_world( &m_dispatcher, &broadphase, &m_solver, &m_configuration ),
          m_plane( btVector3( 0, 1, 0 ), 0 ), m_box( btVector3( btScalar( 0.5 ), btScalar( 0.5 ), btScalar( 0.5 ) ) )
    {
        add( m_plane, 0, btVector3( 0, 0, 0 ) );
        for ( int i = 0; i < 125; ++i )
        {
            const btScalar lean = btScalar( i % 7 ) * btScalar( 0.05 );
            add( m_box, 1,
                 btVector3( btScalar( i % 5 ) * btScalar( 1.1 ) + lean, btScalar( 1 + i / 25 ) * btScalar( 1.2 ),
                            btScalar( i / 5 % 5 ) * btScalar( 1.1 ) ) );
        }
    }

    ~FallingBoxes()
    {
        for ( std::unique_ptr<btRigidBody>& body : m_bodies )
        {
            m_world.removeRigidBody( body.get() );
            body.reset(); // as applications do: deleted right after it was removed
        }
    }

    void step()
    {
        m_world.stepSimulation( btScalar( 1 ) / 60, 0 );
    }

    btDiscreteDynamicsWorld& world()
    {
        return m_world;
    }

    btScalar lowest() const
    {
        btScalar result = BT_LARGE_FLOAT;
        for ( size_t i = 1; i < m_bodies.size(); ++i )
        {
            result = btMin( result, m_bodies[i]->getWorldTransform().getOrigin().y() );
        }
        return result;
    }

    btScalar fastest() const
    {
        btScalar result = 0;
        for ( const std::unique_ptr<btRigidBody>& body : m_bodies )
        {
            result = btMax( result, body->getLinearVelocity().length() );
        }
        return result;
    }

private:
    void add( btCollisionShape& shape, btScalar mass, const btVector3& origin )
    {
        btVector3 inertia( 0, 0, 0 );
        if ( mass > 0 )
        {
            shape.calculateLocalInertia( mass, inertia );
        }
        m_bodies.emplace_back( new btRigidBody( mass, nullptr, &shape, inertia ) );
        m_bodies.back()->setWorldTransform( btTransform( btQuaternion::getIdentity(), origin ) );
        m_world.addRigidBody( m_bodies.back().get() );
    }

    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btSequentialImpulseConstraintSolver m_solver;
    btDiscreteDynamicsWorld m_world;
    btStaticPlaneShape m_plane;
    btBoxShape m_box;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
};

/// btSimpleBroadphase and btDbvtBroadphase pass it too, the latter without the exact pairs.
static void expectRest( const RigKind& kind )
{
    const Rig rig = makeRig( kind );
    FallingBoxes boxes( *rig.broadphase );
    for ( int step = 0; step < 1500 && ( step < 120 || boxes.fastest() > btScalar( 0.2 ) ); ++step )
    {
        boxes.step();
        if ( kind.engine != Engine::dbvt )
        {
            ASSERT_EQ( expectedUids( boxes.world() ), actualUids( boxes.world() ) ) << "step " << step;
        }
        ASSERT_GT( boxes.lowest(), btScalar( 0.1 ) ) << "step " << step;
    }
    EXPECT_LE( boxes.fastest(), btScalar( 0.2 ) );
    EXPECT_GT( boxes.world().getDispatcher()->getNumManifolds(), 125 );
}

class Worlds : public RigTest
{
};

INSTANTIATE_TEST_SUITE_P(, Worlds,
                         testing::Values( culletAuto, RigKind{ "grid", Engine::cullet, clt_algorithmGrid, 2 },
                                          RigKind{ "lbvh_hashed", Engine::culletHashed, clt_algorithmLbvh, 1 },
                                          bulletSimple, bulletDbvt ),
                         rigName );

TEST_P( Worlds, FallingBoxesComeToRest )
{
    expectRest( GetParam() );
}

TEST( WorldsWithFlags, CT13_OnlyActiveBodiesAreUpdated )
{
    CulletBroadphase broadphase;
    FallingBoxes boxes( broadphase );
    boxes.world().setForceUpdateAllAabbs( false );
    for ( int step = 0; step < 360; ++step )
    {
        boxes.step();
        ASSERT_EQ( expectedUids( boxes.world() ), actualUids( boxes.world() ) );
        ASSERT_GT( boxes.lowest(), btScalar( 0.1 ) );
    }
}
