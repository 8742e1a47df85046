// SPDX-License-Identifier: Zlib
/// \file couple.h
/// Two boxes that are about to meet, for tests of pairs that are pending.
#ifndef CULLET_TESTS_COUPLE_H
#define CULLET_TESTS_COUPLE_H

#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

namespace test
{

/// Two boxes apart in a broadphase with its own cache, known to the application before they meet; and a third, far
/// away.
class Couple
{
public:
    Couple()
        : rig( makeRig( culletAuto ) ), cache( rig.cache() ),
          hashed( static_cast<btHashedOverlappingPairCache&>( cache ) ), bodies( *rig.broadphase, 1, 2 )
    {
        bodies.create( cube( 0, 0, 0, 1 ) );
        bodies.create( cube( 5, 0, 0, 1 ) );
        bodies.create( cube( 50, 0, 0, 1 ) );
        bodies.update();
    }

    void meet()
    {
        bodies.move( bodies.at( 1 ), cube( btScalar( 0.5 ), 0, 0, 1 ) );
    }

    btBroadphaseProxy* proxy( size_t at )
    {
        return bodies.at( at ).proxies[0];
    }

    Rig rig;
    btOverlappingPairCache& cache;
    btHashedOverlappingPairCache& hashed;
    Bodies bodies;
};

/// What a caller sees without going through a virtual of the cache.
inline int countSilently( const Couple& couple )
{
    return couple.hashed.GetCount();
}

} // namespace test

#endif
