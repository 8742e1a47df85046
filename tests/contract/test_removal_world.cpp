// SPDX-License-Identifier: Zlib
// Removal as worlds do it, and what ghosts and dispatchers see of it: CT-14, CT-17 and CT-18.
#include "contestants.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"

#include <set>

using namespace test;

namespace
{
/// A heap of overlapping objects in a world. They are deleted as soon as they are removed.
class Heap
{
public:
    explicit Heap( const RigKind& kind ) : m_dispatcher( &m_configuration ), m_shape( 1 ), m_rig( makeRig( kind ) )
    {
        world.reset( new btCollisionWorld( &m_dispatcher, m_rig.broadphase.get(), &m_configuration ) );
    }

    btCollisionObject& add( btScalar x )
    {
        objects.emplace_back( new btCollisionObject );
        insert( *objects.back(), x );
        return *objects.back();
    }

    void insert( btCollisionObject& object, btScalar x, int group = 1, int mask = -1 )
    {
        object.setCollisionShape( &m_shape );
        object.setWorldTransform( btTransform( btQuaternion::getIdentity(), btVector3( x, 0, 0 ) ) );
        world->addCollisionObject( &object, group, mask );
    }

    void removeLast()
    {
        world->removeCollisionObject( objects.back().get() );
        objects.pop_back();
    }

    void removeAll()
    {
        while ( !objects.empty() )
        {
            removeLast();
        }
    }

    int manifoldCount() const
    {
        return m_dispatcher.getNumManifolds();
    }

private:
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btSphereShape m_shape;
    Rig m_rig;

public:
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    std::unique_ptr<btCollisionWorld> world;
};

/// Asks of every pair that is removed whether both objects still are what they were.
class RemovalWitness : public btOverlappingPairCallback
{
public:
    explicit RemovalWitness( const Heap& heap ) : m_heap( heap )
    {
    }

    btBroadphasePair* addOverlappingPair( btBroadphaseProxy*, btBroadphaseProxy* ) override
    {
        return nullptr;
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, btDispatcher* ) override
    {
        ++removeCount;
        EXPECT_TRUE( isIntact( *proxy0 ) );
        EXPECT_TRUE( isIntact( *proxy1 ) );
        return nullptr;
    }

    void removeOverlappingPairsContainingProxy( btBroadphaseProxy*, btDispatcher* ) override
    {
    }

    int removeCount = 0;

private:
    bool isIntact( const btBroadphaseProxy& proxy ) const
    {
        for ( const std::unique_ptr<btCollisionObject>& object : m_heap.objects )
        {
            if ( object.get() == proxy.m_clientObject )
            {
                return object->getBroadphaseHandle() == &proxy && proxy.m_uniqueId > 0;
            }
        }
        return false;
    }

    const Heap& m_heap;
};
} // namespace

TEST_P( Contract, CT14_GhostListForgetsARemovedObject )
{
    Heap heap( GetParam() );
    btGhostPairCallback callback;
    heap.world->getPairCache()->setInternalGhostPairCallback( &callback );
    btPairCachingGhostObject ghost;
    heap.insert( ghost, 0 );
    heap.add( 1 );
    heap.world->performDiscreteCollisionDetection();
    EXPECT_EQ( 1, ghost.getNumOverlappingObjects() );
    EXPECT_EQ( 1, ghost.getOverlappingPairCache()->getNumOverlappingPairs() );
    EXPECT_EQ( 1, heap.manifoldCount() );

    heap.removeLast();
    EXPECT_EQ( 0, ghost.getNumOverlappingObjects() );
    EXPECT_EQ( 0, ghost.getOverlappingPairCache()->getNumOverlappingPairs() );
    EXPECT_EQ( 0, heap.manifoldCount() );
    heap.world->performDiscreteCollisionDetection();
    heap.world->removeCollisionObject( &ghost );
}

TEST_P( Contract, CT17_RemoveCallbackSeesBothObjects )
{
    Heap heap( GetParam() );
    RemovalWitness witness( heap );
    heap.world->getPairCache()->setInternalGhostPairCallback( &witness );
    for ( int i = 0; i < 20; ++i )
    {
        heap.add( btScalar( i ) * btScalar( 0.1 ) );
    }
    heap.world->performDiscreteCollisionDetection();
    const int pairCount = heap.world->getPairCache()->getNumOverlappingPairs();
    ASSERT_EQ( 190, pairCount );
    const int before = witness.removeCount;
    for ( int i = 0; i < 10; ++i )
    {
        heap.removeLast();
    }
    EXPECT_EQ( before + 145, witness.removeCount ) << "all but the 45 pairs among the other ten";
    heap.world.reset();
    EXPECT_EQ( before + 190, witness.removeCount ) << "the destructor of the world takes out the rest";
}

TEST_P( Contract, CT18_RefreshFormsThePairsAnew )
{
    Heap heap( GetParam() );
    btCollisionObject object;
    heap.insert( object, 0, 2, ~4 );
    heap.add( 1 );
    heap.add( -1 );
    heap.world->performDiscreteCollisionDetection();
    ASSERT_EQ( 3, heap.manifoldCount() );

    heap.world->refreshBroadphaseProxy( &object );
    EXPECT_EQ( 1, heap.manifoldCount() ) << "its two are given back, without cleanProxyFromPairs before";
    const btBroadphaseProxy& proxy = *object.getBroadphaseHandle();
    EXPECT_EQ( &object, proxy.m_clientObject );
    EXPECT_EQ( 2, proxy.m_collisionFilterGroup );
    EXPECT_EQ( ~4, proxy.m_collisionFilterMask );

    heap.world->computeOverlappingPairs();
    EXPECT_EQ( 3, heap.world->getPairCache()->getNumOverlappingPairs() );
    for ( const std::unique_ptr<btCollisionObject>& other : heap.objects )
    {
        const btBroadphasePair* pair =
            heap.world->getPairCache()->findPair( object.getBroadphaseHandle(), other->getBroadphaseHandle() );
        ASSERT_NE( nullptr, pair );
        EXPECT_EQ( nullptr, pair->m_algorithm );
    }
    heap.world->performDiscreteCollisionDetection();
    EXPECT_EQ( 3, heap.manifoldCount() );
    heap.world->removeCollisionObject( &object );
    heap.removeAll();
}

TEST_P( Contract, CT18_RefreshGivesANewUid )
{
    Heap heap( GetParam() );
    std::set<int> seen;
    for ( int i = 0; i < 3; ++i )
    {
        seen.insert( heap.add( btScalar( i ) ).getBroadphaseHandle()->m_uniqueId );
    }
    for ( int i = 0; i < 9; ++i )
    {
        btCollisionObject& object = *heap.objects[size_t( i % 3 )];
        heap.world->refreshBroadphaseProxy( &object );
        EXPECT_TRUE( seen.insert( object.getBroadphaseHandle()->m_uniqueId ).second );
    }
    heap.removeAll();
}
