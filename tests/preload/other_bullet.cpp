// SPDX-License-Identifier: Zlib
/// \file other_bullet.cpp
/// A library with Bullet's names, but with objects of another layout.
#include <cstdio>

class btOverlappingPairCache;
class btVector3;

struct btDbvtBroadphase
{
    explicit btDbvtBroadphase( btOverlappingPairCache* cache = nullptr );
    virtual ~btDbvtBroadphase();
    virtual void somethingElse();

    btOverlappingPairCache* m_cache;
};

btDbvtBroadphase::btDbvtBroadphase( btOverlappingPairCache* cache ) : m_cache( cache )
{
}

btDbvtBroadphase::~btDbvtBroadphase() = default;

void btDbvtBroadphase::somethingElse()
{
    std::puts( "something else" );
}

struct btStaticPlaneShape
{
    btStaticPlaneShape( const btVector3& normal, float constant );
};

btStaticPlaneShape::btStaticPlaneShape( const btVector3&, float )
{
}

extern "C" __attribute__( ( visibility( "default" ) ) ) int runClient( const char* )
{
    btDbvtBroadphase* broadphase = new btDbvtBroadphase();
    broadphase->somethingElse();
    delete broadphase;
    std::fflush( stdout );
    return 0;
}
