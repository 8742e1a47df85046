// SPDX-License-Identifier: Zlib
/// \file engine_kinds.cpp
/// The names for `--engines`, in the order in which tables show them.
#include "engine.h"

#include "bullet_engine.h"
#include "core_engine.h"
#include "plugin_engine.h"

#include <algorithm>

namespace cullet::compare
{

std::string Engine::wrongChanges( const PairSet& )
{
    return {};
}

const std::vector<EngineKind>& engineKinds()
{
    // name, description, exact, slowInsertion, slowSteps, create
    static const std::vector<EngineKind> kinds = {
        { "dbvt", "btDbvtBroadphase as it comes", false, false, false, createDbvtEngine },
        { "dbvt-deferred", "btDbvtBroadphase with m_deferedcollide", false, false, false, createDeferredDbvtEngine },
        { "sap", "bt32BitAxisSweep3, bounds 20 around the scene", false, true, false, createSweepEngine },
        { "simple", "btSimpleBroadphase", true, false, true, createSimpleEngine },
        { "cullet", "CulletBroadphase, the algorithm chosen by itself", true, false, false, createAutoEngine },
        { "cullet-lbvh", "CulletBroadphase with a linear BVH", true, false, false, createLbvhEngine },
        { "cullet-grid", "CulletBroadphase with a uniform grid", true, false, false, createGridEngine },
        { "cullet-brute", "CulletBroadphase testing all pairs", true, false, true, createBruteForceEngine },
        { "core", "cullet's C API without Bullet", true, false, false, createCoreEngine },
    };
    return kinds;
}

const EngineKind* findEngineKind( const std::string& name )
{
    const std::vector<EngineKind>& kinds = engineKinds();
    const auto found =
        std::find_if( kinds.begin(), kinds.end(), [&]( const EngineKind& kind ) { return kind.name == name; } );
    return found == kinds.end() ? nullptr : &*found;
}

} // namespace cullet::compare
