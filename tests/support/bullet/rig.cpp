// SPDX-License-Identifier: Zlib
#include "rig.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btSimpleBroadphase.h"

#include <ostream>

namespace test
{

/// Of btSimpleBroadphase and bt32BitAxisSweep3, which take no more proxies than they were told at the start.
static const unsigned int capacity = 32768;

const RigKind culletAuto = { "auto", Engine::cullet, clt_algorithmAuto, 2 };
const RigKind bulletSimple = { "btSimple", Engine::simple, clt_algorithmAuto, 0 };
const RigKind bulletDbvt = { "btDbvt", Engine::dbvt, clt_algorithmAuto, 0 };
const RigKind bulletSap = { "bt32BitAxisSweep3", Engine::sap, clt_algorithmAuto, 0 };

Rig makeRig( const RigKind& kind )
{
    return makeRig( kind, kind.engine == Engine::culletHashed ? new btHashedOverlappingPairCache : nullptr );
}

Rig makeRig( const RigKind& kind, btOverlappingPairCache* givenCache )
{
    Rig rig;
    rig.givenCache.reset( givenCache );
    switch ( kind.engine )
    {
    case Engine::cullet:
    case Engine::culletHashed:
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.algorithm = kind.algorithm;
        def.threadCount = kind.threadCount;
        rig.cullet = new CulletBroadphase( def, givenCache );
        rig.broadphase.reset( rig.cullet );
        break;
    }
    case Engine::simple:
        rig.broadphase.reset( new btSimpleBroadphase( capacity, givenCache ) );
        break;
    case Engine::dbvt:
        rig.broadphase.reset( new btDbvtBroadphase( givenCache ) );
        break;
    case Engine::sap:
    {
        const btVector3 corner( 1000, 1000, 1000 );
        rig.broadphase.reset( new bt32BitAxisSweep3( -corner, corner, capacity, givenCache ) );
        break;
    }
    }
    return rig;
}

std::vector<RigKind> culletRigs()
{
    return { culletAuto,
             { "lbvh", Engine::cullet, clt_algorithmLbvh, 2 },
             { "grid", Engine::cullet, clt_algorithmGrid, 2 },
             { "bruteForce", Engine::cullet, clt_algorithmBruteForce, 2 },
             { "auto_hashed", Engine::culletHashed, clt_algorithmAuto, 2 },
             { "lbvh_hashed", Engine::culletHashed, clt_algorithmLbvh, 1 },
             { "grid_hashed", Engine::culletHashed, clt_algorithmGrid, 1 },
             { "bruteForce_hashed", Engine::culletHashed, clt_algorithmBruteForce, 1 } };
}

std::vector<RigKind> exactRigs()
{
    std::vector<RigKind> rigs = culletRigs();
    rigs.push_back( bulletSimple );
    return rigs;
}

void PrintTo( const RigKind& kind, std::ostream* stream )
{
    *stream << kind.name;
}

} // namespace test
