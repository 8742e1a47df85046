// SPDX-License-Identifier: Zlib
// The interface without a world, as CDTestFramework, MoveIt and Tesseract use it: CT-52. The clients are NULL or no
// pointers at all. Other tests cover NULL dispatchers, and callbacks that visit pairs.
#include "contestants.h"

using namespace test;

static void* const foreign = reinterpret_cast<void*>( uintptr_t( 1 ) ); // a number that is no valid address

/// With a ghost callback. So many bodies move that setAabb finds the pairs of only some, and the update finds the rest.
TEST_P( Contract, CT52_NullAndForeignClientsArePassedThrough )
{
    int ghostCount = 0;
    GhostFunctions callback( [&]( const btBroadphaseProxy&, const btBroadphaseProxy& ) { ++ghostCount; },
                             [&]( const btBroadphaseProxy&, const btBroadphaseProxy& ) { --ghostCount; } );
    const Rig rig = makeRig( GetParam() );
    btBroadphaseInterface& broadphase = *rig.broadphase;
    rig.cache().setInternalGhostPairCallback( &callback );
    std::vector<btBroadphaseProxy*> proxies;
    for ( int i = 0; i < 100; ++i )
    {
        const Box box = cube( btScalar( 2 * i ), 0, 0, 1 );
        void* client = i % 2 ? foreign : nullptr;
        proxies.push_back( broadphase.createProxy( box.lower, box.upper, 0, client, 1, -1, nullptr ) );
        ASSERT_EQ( client, proxies.back()->m_clientObject );
    }
    broadphase.calculateOverlappingPairs( nullptr );
    EXPECT_EQ( 0, ghostCount );
    for ( size_t i = 0; i < proxies.size(); ++i )
    {
        const Box box = cube( btScalar( i ), 0, 0, 1 );
        broadphase.setAabb( proxies[i], box.lower, box.upper, nullptr );
    }
    broadphase.calculateOverlappingPairs( nullptr );
    EXPECT_EQ( 99, ghostCount );
    CollectBox hits;
    broadphase.aabbTest( btVector3( 0, 0, 0 ), btVector3( 99, 1, 1 ), hits );
    EXPECT_EQ( 100u, hits.proxies.size() );
    rig.cache().cleanProxyFromPairs( nullptr, nullptr );
    EXPECT_EQ( 99, rig.cache().getNumOverlappingPairs() );
    for ( btBroadphaseProxy* proxy : proxies )
    {
        broadphase.destroyProxy( proxy, nullptr );
    }
    EXPECT_EQ( 0, rig.cache().getNumOverlappingPairs() );
    EXPECT_EQ( 0, ghostCount );
}
