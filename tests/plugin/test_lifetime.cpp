// SPDX-License-Identifier: Zlib
// Proxies stay where they are: CT-48.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

using namespace test;

TEST( LifetimeOfCullet, CT48_AddressesNeverChange )
{
    const Rig rig = makeRig( culletAuto );
    Bodies bodies( *rig.broadphase, 48, 20 );
    bodies.createRandom( 3000 );
    std::vector<btBroadphaseProxy*> addresses;
    for ( size_t i = 0; i < 3000; ++i )
    {
        addresses.push_back( bodies.at( i ).proxies[0] );
        ASSERT_EQ( 0u, reinterpret_cast<uintptr_t>( addresses.back() ) % alignof( btBroadphaseProxy ) );
    }
    bodies.createRandom( 3000 );
    bodies.update();
    for ( size_t i = 0; i < 3000; ++i )
    {
        ASSERT_EQ( static_cast<int>( i ) + 1, addresses[i]->m_uniqueId );
        ASSERT_EQ( &bodies.at( i ), addresses[i]->m_clientObject );
    }
}
