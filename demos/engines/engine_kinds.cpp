// SPDX-License-Identifier: Zlib
/// \file engine_kinds.cpp
/// The names for `--engines`, in the order in which tables show them. A new engine gets a line here.
#include "engine.h"

#include "bullet_engine.h"
#include "core_engine.h"

#include <algorithm>

namespace cullet::compare
{

template <cltAlgorithm algorithm>
static std::unique_ptr<Engine> createPluginEngine( const EngineRequest& request )
{
    return createPluginEngine( request, algorithm );
}

const std::vector<EngineKind>& engineKinds()
{
    // name, description, family, exact, slowInsertion, slowSteps, create
    static const std::vector<EngineKind> kinds = {
        { "dbvt", "btDbvtBroadphase as it comes", Family::bullet, false, false, false, createDbvtEngine },
        { "dbvt-deferred", "btDbvtBroadphase with m_deferedcollide", Family::bullet, false, false, false,
          createDeferredDbvtEngine },
        { "sap", "bt32BitAxisSweep3, bounds 20 around the scene", Family::bullet, false, true, false,
          createSweepEngine },
        { "simple", "btSimpleBroadphase", Family::bullet, true, false, true, createSimpleEngine },
        { "cullet", "CulletBroadphase, the algorithm chosen by itself", Family::plugin, true, false, false,
          createPluginEngine<clt_algorithmAuto> },
        { "cullet-wide", "CulletBroadphase with blocks of bodies under a wide tree", Family::plugin, true, false, false,
          createPluginEngine<clt_algorithmWide> },
        { "cullet-lbvh", "CulletBroadphase with a linear BVH", Family::plugin, true, false, false,
          createPluginEngine<clt_algorithmLbvh> },
        { "cullet-grid", "CulletBroadphase with a uniform grid", Family::plugin, true, false, false,
          createPluginEngine<clt_algorithmGrid> },
        { "cullet-brute", "CulletBroadphase testing all pairs", Family::plugin, true, false, true,
          createPluginEngine<clt_algorithmBruteForce> },
        { "core", "cullet's C API without Bullet: what began and what ended", Family::core, true, false, false,
          createCoreEngine },
        { "core-full", "the same, and the list of all pairs at each step", Family::core, true, false, false,
          createFullCoreEngine },
    };
    return kinds;
}

const EngineKind& engineKind( const std::string& name )
{
    const std::vector<EngineKind>& kinds = engineKinds();
    return *std::find_if( kinds.begin(), kinds.end(), [&]( const EngineKind& kind ) { return kind.name == name; } );
}

} // namespace cullet::compare
