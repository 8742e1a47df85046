// SPDX-License-Identifier: Zlib
// btMultiBodyWorldImporter saves and restores a world, as in pybullet's saveState and restoreState: CT-47. It matches
// bodies and manifolds by the uids of proxies, after updateAabbs and computeOverlappingPairs.
#include "contestants.h"
#include "scenes.h"

#include "BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h"
#include "BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h"
#include "BulletWorldImporter/btMultiBodyWorldImporter.h"
#include "LinearMath/btSerializer.h"

#include <map>

using namespace test;

using Contacts = std::map<std::pair<int, int>, int>;

class SavedWorld : public BulletWorld
{
public:
    explicit SavedWorld( const RigKind& kind )
        : BulletWorld( makeRig( kind ), [solver = std::make_shared<btMultiBodyConstraintSolver>()](
                                            btDispatcher* dispatcher, btBroadphaseInterface* broadphase,
                                            btConstraintSolver*, btCollisionConfiguration* configuration )
                       { return new btMultiBodyDynamicsWorld( dispatcher, broadphase, solver.get(), configuration ); } )
    {
        world().getDispatchInfo().m_deterministicOverlappingPairs = true;
        world().getDispatchInfo().m_useContinuous = false; // files do not contain predicted boxes
        buildBoxHeap( *this );
        for ( const auto& body : objects() )
        {
            body->setActivationState( DISABLE_DEACTIVATION ); // files do not contain deactivation times
        }
    }

    std::vector<char> save() const
    {
        btDefaultSerializer serializer;
        world().serialize( &serializer );
        const char* bytes = reinterpret_cast<const char*>( serializer.getBufferPointer() );
        return std::vector<char>( bytes, bytes + serializer.getCurrentBufferSize() );
    }

    /// \param file  a copy, because the importer rearranges it
    bool restore( std::vector<char> file )
    {
        btMultiBodyWorldImporter importer( static_cast<btMultiBodyDynamicsWorld*>( &world() ) );
        importer.setImporterFlags( eRESTORE_EXISTING_OBJECTS );
        return importer.loadFileFromMemory( file.data(), int( file.size() ) );
    }

    /// The number of contacts of each touching pair of bodies. A body's key is its uid minus the floor's uid.
    Contacts contacts()
    {
        const int floor = objects()[0]->getBroadphaseHandle()->m_uniqueId;
        Contacts result;
        for ( int i = 0; i < dispatcher().getNumManifolds(); ++i )
        {
            const btPersistentManifold& manifold = *dispatcher().getManifoldByIndexInternal( i );
            const int uid0 = manifold.getBody0()->getBroadphaseHandle()->m_uniqueId - floor;
            const int uid1 = manifold.getBody1()->getBroadphaseHandle()->m_uniqueId - floor;
            if ( manifold.getNumContacts() > 0 )
            {
                result[{ uid0, uid1 }] += manifold.getNumContacts();
            }
        }
        return result;
    }

    std::vector<btVector3> places() const
    {
        std::vector<btVector3> result;
        for ( const auto& body : objects() )
        {
            result.push_back( body->getWorldTransform().getOrigin() );
        }
        return result;
    }
};

/// Restoring finds the manifolds by uid. Bullet's files are incomplete, so a restored world moves differently than the
/// saved one did. But it moves alike on all exact broadphases.
TEST_P( Contract, CT47_RestoredWorldsMoveAlikeOnExactBroadphases )
{
    SavedWorld ours( GetParam() ), reference( bulletSimple );
    for ( SavedWorld* world : { &ours, &reference } )
    {
        world->step( 150 );
        const std::vector<char> file = world->save();
        const Contacts contacts = world->contacts();
        const std::vector<btVector3> places = world->places();
        ASSERT_GT( contacts.size(), 100u );
        world->step( 60 );
        ASSERT_TRUE( world->restore( file ) );
        EXPECT_TRUE( places == world->places() );
        EXPECT_EQ( contacts.size(), world->contacts().size() );
        world->step( 60 );
    }
    EXPECT_TRUE( reference.places() == ours.places() );
    EXPECT_EQ( reference.contacts(), ours.contacts() );
}
