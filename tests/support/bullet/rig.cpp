// SPDX-License-Identifier: Zlib
#include "rig.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btSimpleBroadphase.h"

#include <ostream>

namespace test
{

const RigKind culletAuto = { "auto", Engine::cullet, clt_algorithmAuto, 2 };
const RigKind bulletSimple = { "btSimple", Engine::simple, clt_algorithmAuto, 0 };
const RigKind bulletDbvt = { "btDbvt", Engine::dbvt, clt_algorithmAuto, 0 };
const RigKind bulletSap = { "bt32BitAxisSweep3", Engine::sap, clt_algorithmAuto, 0 };

Rig makeRig( const RigKind& kind )
{
    Rig rig;
    switch ( kind.engine )
    {
    case Engine::culletHashed:
        rig.givenCache.reset( new btHashedOverlappingPairCache );
        [[fallthrough]];
    case Engine::cullet:
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.algorithm = kind.algorithm;
        def.threadCount = kind.threadCount;
        rig.cullet = new CulletBroadphase( def, rig.givenCache.get() );
        rig.broadphase.reset( rig.cullet );
        break;
    }
    case Engine::simple:
        rig.broadphase.reset( new btSimpleBroadphase( 32768 ) );
        break;
    case Engine::dbvt:
        rig.broadphase.reset( new btDbvtBroadphase );
        break;
    case Engine::sap:
    {
        const btVector3 corner( 1000, 1000, 1000 );
        rig.broadphase.reset( new bt32BitAxisSweep3( -corner, corner, 32768, nullptr ) );
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
