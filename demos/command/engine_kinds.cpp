// SPDX-License-Identifier: Zlib
/// \file engine_kinds.cpp
/// The names for `--engines`, in the order in which tables show them.
#include "engine.h"

#include "bullet_engine.h"
#include "bullet_replay.h"
#include "core_engine.h"
#include "core_replay.h"
#include "plugin_engine.h"
#include "plugin_replay.h"

#include <algorithm>

namespace cullet::compare
{

std::string Engine::wrongChanges( const PairSet& )
{
    return {};
}

const std::vector<EngineKind>& engineKinds()
{
    // name, description, exact, takesOddBoxes, slowInsertion, slowSteps, create, createReplay
    static const std::vector<EngineKind> kinds = {
        { "dbvt", "btDbvtBroadphase as it comes", false, false, false, false, createDbvtEngine, createDbvtReplay },
        { "dbvt-deferred", "btDbvtBroadphase with m_deferedcollide", false, false, false, false,
          createDeferredDbvtEngine, createDeferredDbvtReplay },
        { "sap", "bt32BitAxisSweep3, bounds 20 around the scene", false, false, true, false, createSweepEngine,
          createSweepReplay },
        { "simple", "btSimpleBroadphase", true, false, false, true, createSimpleEngine, createSimpleReplay },
        { "cullet", "CulletBroadphase, the algorithm chosen by itself", true, true, false, false, createAutoEngine,
          createAutoReplay },
        { "cullet-lbvh", "CulletBroadphase with a linear BVH", true, true, false, false, createLbvhEngine,
          createLbvhReplay },
        { "cullet-grid", "CulletBroadphase with a uniform grid", true, true, false, false, createGridEngine,
          createGridReplay },
        { "cullet-brute", "CulletBroadphase testing all pairs", true, true, false, true, createBruteForceEngine,
          createBruteForceReplay },
        { "core", "cullet's C API without Bullet", true, true, false, false, createCoreEngine, createCoreReplay },
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
