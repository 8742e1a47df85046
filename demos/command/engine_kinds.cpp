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
    // name, description, family, exact, takesOddBoxes, slowInsertion, slowSteps, create, createReplay
    static const std::vector<EngineKind> kinds = {
        { "dbvt", "btDbvtBroadphase as it comes", Family::bullet, false, false, false, false, createDbvtEngine,
          createDbvtReplay },
        { "dbvt-deferred", "btDbvtBroadphase with m_deferedcollide", Family::bullet, false, false, false, false,
          createDeferredDbvtEngine, createDeferredDbvtReplay },
        { "sap", "bt32BitAxisSweep3, bounds 20 around the scene", Family::bullet, false, false, true, false,
          createSweepEngine, createSweepReplay },
        { "simple", "btSimpleBroadphase", Family::bullet, true, false, false, true, createSimpleEngine,
          createSimpleReplay },
        { "cullet", "CulletBroadphase, the algorithm chosen by itself", Family::plugin, true, true, false, false,
          createAutoEngine, createAutoReplay },
        { "cullet-wide", "CulletBroadphase with blocks of bodies under a wide tree", Family::plugin, true, true, false,
          false, createWideEngine, createWideReplay },
        { "cullet-lbvh", "CulletBroadphase with a linear BVH", Family::plugin, true, true, false, false,
          createLbvhEngine, createLbvhReplay },
        { "cullet-grid", "CulletBroadphase with a uniform grid", Family::plugin, true, true, false, false,
          createGridEngine, createGridReplay },
        { "cullet-brute", "CulletBroadphase testing all pairs", Family::plugin, true, true, false, true,
          createBruteForceEngine, createBruteForceReplay },
        { "core", "cullet's C API without Bullet: what began and what ended", Family::core, true, true, false, false,
          createCoreEngine, createCoreReplay },
        { "core-full", "the same, and the list of all pairs at each step", Family::core, true, true, false, false,
          createFullCoreEngine, createFullCoreReplay },
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
