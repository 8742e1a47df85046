// SPDX-License-Identifier: Zlib
#include "rig.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btSimpleBroadphase.h"

#include <algorithm>
#include <iterator>
#include <ostream>

namespace test
{

/// btSimpleBroadphase and bt32BitAxisSweep3 have a fixed capacity.
static const unsigned int proxyCapacity = 32768;

const RigKind culletAuto = { "auto", Engine::cullet, clt_algorithmAuto, 2 };
const RigKind bulletSimple = { "btSimple", Engine::simple, clt_algorithmAuto, 0 };
const RigKind bulletDbvt = { "btDbvt", Engine::dbvt, clt_algorithmAuto, 0 };
const RigKind bulletSap = { "bt32BitAxisSweep3", Engine::sap, clt_algorithmAuto, 0 };

Rig makeRig( const RigKind& kind, btOverlappingPairCache* givenCache )
{
    Rig rig;
    if ( !givenCache && kind.engine == Engine::culletHashed )
    {
        givenCache = new btHashedOverlappingPairCache;
    }
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
        rig.broadphase.reset( new btSimpleBroadphase( proxyCapacity, givenCache ) );
        break;
    case Engine::dbvt:
        rig.broadphase.reset( new btDbvtBroadphase( givenCache ) );
        break;
    case Engine::sap:
    {
        const btVector3 corner( 1000, 1000, 1000 );
        rig.broadphase.reset( new bt32BitAxisSweep3( -corner, corner, proxyCapacity, givenCache ) );
        break;
    }
    }
    return rig;
}

testing::AssertionResult checkPairs( const RigKind& kind, const std::vector<IdPair>& expected,
                                     const std::vector<IdPair>& actual )
{
    const bool isFat = kind.engine == Engine::dbvt || kind.engine == Engine::sap;
    if ( !isFat )
    {
        return samePairs( expected, actual );
    }
    if ( std::adjacent_find( actual.begin(), actual.end() ) != actual.end() )
    {
        return testing::AssertionFailure() << "the cache holds a pair twice";
    }
    std::vector<IdPair> common;
    std::set_intersection( expected.begin(), expected.end(), actual.begin(), actual.end(),
                           std::back_inserter( common ) );
    return samePairs( expected, common );
}

void PrintTo( const RigKind& kind, std::ostream* stream )
{
    *stream << kind.name;
}

} // namespace test
