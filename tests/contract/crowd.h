// SPDX-License-Identifier: Zlib
/// \file crowd.h
/// Many overlapping objects in a btCollisionWorld, at random places that give five pairs an object, whatever their
/// number. A btDynamicsWorld would add a search of its own to each removal.
#ifndef CULLET_TESTS_CROWD_H
#define CULLET_TESTS_CROWD_H

#include "tests/support/bullet/rig.h"
#include "tests/support/random.h"

#include <cmath>
#include <memory>
#include <vector>

namespace test
{

class Crowd
{
public:
    Crowd( const RigKind& kind, int count )
        : m_dispatcher( &m_configuration ), m_shape( btVector3( btScalar( 0.5 ), btScalar( 0.5 ), btScalar( 0.5 ) ) ),
          m_rig( makeRig( kind ) ), m_objects( size_t( count ) ),
          m_world( new btCollisionWorld( &m_dispatcher, m_rig.broadphase.get(), &m_configuration ) )
    {
        // n boxes of edge 1 in a cube of edge e: each meets 8 n / e^3 others, and that is to be ten.
        const double edge = std::cbrt( 0.8 * count );
        Random random( 19 );
        for ( btCollisionObject& object : m_objects )
        {
            const btVector3 origin( btScalar( random.between( 0, edge ) ), btScalar( random.between( 0, edge ) ),
                                    btScalar( random.between( 0, edge ) ) );
            object.setWorldTransform( btTransform( btQuaternion::getIdentity(), origin ) );
            object.setCollisionShape( &m_shape );
        }
    }

    /// Each sees its pairs at once.
    void addAll()
    {
        for ( btCollisionObject& object : m_objects )
        {
            m_world->addCollisionObject( &object );
        }
    }

    /// Brings the pairs up to date where they are not yet.
    void update()
    {
        m_world->computeOverlappingPairs();
    }

    /// Those that were added first; not twice.
    void remove( int index )
    {
        m_world->removeCollisionObject( &m_objects[size_t( index )] );
    }

    void deleteWorld()
    {
        m_world.reset();
    }

    void walkPairs()
    {
        Visit visit( false );
        m_rig.cache().processAllOverlappingPairs( &visit, &m_dispatcher );
    }

    /// So that what is left can be deleted quickly.
    void forgetPairs()
    {
        Visit visit( true );
        m_rig.cache().processAllOverlappingPairs( &visit, &m_dispatcher );
    }

    int pairCount() const
    {
        return m_rig.cache().getNumOverlappingPairs();
    }

private:
    class Visit : public btOverlapCallback
    {
    public:
        explicit Visit( bool removes ) : m_removes( removes )
        {
        }

        bool processOverlap( btBroadphasePair& ) override
        {
            return m_removes;
        }

    private:
        const bool m_removes;
    };

    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btBoxShape m_shape;
    Rig m_rig;
    std::vector<btCollisionObject> m_objects;
    std::unique_ptr<btCollisionWorld> m_world;
};

} // namespace test

#endif
