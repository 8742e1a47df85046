// SPDX-License-Identifier: Zlib
/// \file prediction.cpp
/// Times the first step of the same engine on fewer bodies.
#include "prediction.h"

#include "scene_pointer.h"

#include "demos/world/stopwatch.h"

namespace cullet::compare
{

namespace
{

constexpr std::uint32_t probeBodies = 4000;   // 8e6 pairs: long enough to time, short enough not to notice
constexpr std::uint32_t cheapBodies = 20'000; // 2e8 pairs: about a second or two at worst

} // namespace

double predictFirstStepMs( const EngineKind& kind, const EngineRequest& request )
{
    cltSceneDef def = request.scene.def;
    if ( def.bodyCount <= cheapBodies )
    {
        return 0;
    }
    const double growth = double( def.bodyCount ) / probeBodies;
    def.bodyCount = probeBodies;
    const ScenePointer scene = createScene( def );
    const std::unique_ptr<Engine> engine = kind.create( { *scene, request.core } );
    engine->insert( 0, scene->boxCount );
    double probeMs = 0;
    {
        const demo::Stopwatch stopwatch( probeMs );
        engine->findPairs();
    }
    return probeMs * growth * growth;
}

} // namespace cullet::compare
