// SPDX-License-Identifier: Zlib
/// \file engines.cpp
/// The list of engines, and the options that select and configure them.
#include "engines.h"

#include "bullet_engine.h"
#include "core_engine.h"
#include "peers.h"

#include "demos/command/device_option.h"
#include "demos/command/option_checks.h"

#include <algorithm>

namespace cullet::compare
{

using command::between;
using command::Number;
using command::oneOf;
using command::positive;

static constexpr double mostSeconds = 1e9;

/// The engines in the order of the tables. Add new engines here.
static const EngineKind kinds[] = {
    { "dbvt", "btDbvtBroadphase, Bullet's usual one", Family::bullet, fatBoxes, {}, createDbvt, nullptr },
    { "dbvt-deferred",
      "btDbvtBroadphase with m_deferedcollide",
      Family::bullet,
      fatBoxes,
      {},
      createDeferredDbvt,
      nullptr },
    { "sap",
      "bt32BitAxisSweep3, sweep and prune on 3 axes, bounds 20 around the scene",
      Family::bullet,
      fatBoxes | slowInsertion,
      {},
      createSweep,
      nullptr },
    { "simple", "btSimpleBroadphase", Family::bullet, slowSteps, {}, createSimple, nullptr },
    { "cullet", "CulletBroadphase, choosing the algorithm itself", Family::plugin, noTraits, clt_algorithmAuto,
      createCullet, nullptr },
    { "cullet-wide", "CulletBroadphase with blocks of bodies under a wide tree", Family::plugin, noTraits,
      clt_algorithmWide, createCullet, nullptr },
    { "cullet-lbvh", "CulletBroadphase with a linear BVH", Family::plugin, noTraits, clt_algorithmLbvh, createCullet,
      nullptr },
    { "cullet-frontier", "CulletBroadphase with a tree that is walked with itself", Family::plugin, noTraits,
      clt_algorithmFrontier, createCullet, nullptr },
    { "cullet-grid", "CulletBroadphase with a uniform grid", Family::plugin, noTraits, clt_algorithmGrid, createCullet,
      nullptr },
    { "cullet-brute", "CulletBroadphase testing all pairs", Family::plugin, slowSteps, clt_algorithmBruteForce,
      createCullet, nullptr },
    { "core", "cullet's C API without Bullet: pairs that began and ended", Family::core, noTraits, clt_algorithmAuto,
      nullptr, createCoreEngine },
    { "core-full", "the same, and the list of all pairs in each step", Family::core, noTraits, clt_algorithmAuto,
      nullptr, createFullCoreEngine },
    { "core-lbvh", "the C API with a linear BVH", Family::core, noTraits, clt_algorithmLbvh, nullptr,
      createCoreEngine },
    { "core-frontier", "the C API with a tree that is walked with itself", Family::core, noTraits,
      clt_algorithmFrontier, nullptr, createCoreEngine },
    { "core-grid", "the C API with a uniform grid", Family::core, noTraits, clt_algorithmGrid, nullptr,
      createCoreEngine },
    { "embree",
      "Embree 3: rtcCollide over a tree rebuilt in each step; all pairs, no changes",
      Family::peer,
      threadsOnce,
      {},
      nullptr,
      createEmbreeEngine },
    { "embree-refit",
      "the same, its tree refitted only",
      Family::peer,
      threadsOnce,
      {},
      nullptr,
      createEmbreeRefitEngine },
    { "fcl",
      "FCL: DynamicAABBTreeCollisionManager; all pairs, no changes",
      Family::peer,
      noTraits,
      {},
      nullptr,
      createFclEngine },
    { "jolt",
      "Jolt: BroadPhaseQuadTree on all threads; all pairs, no changes",
      Family::peer,
      threadsOnce,
      {},
      nullptr,
      createJoltEngine },
    { "physx",
      "PhysX: automatic box pruning (ABP); pairs that began and ended",
      Family::peer,
      changesToo,
      {},
      nullptr,
      createPhysxEngine },
    { "physx-parallel",
      "the same on all threads (PABP)",
      Family::peer,
      threadsOnce | changesToo,
      {},
      nullptr,
      createParallelPhysxEngine },
};

const EngineKind& engineKind( const std::string& name )
{
    return *std::find_if( std::begin( kinds ), std::end( kinds ),
                          [&]( const EngineKind& kind ) { return kind.name == name; } );
}

/// False if this build lacks the engine because its library was missing.
static bool isBuilt( const EngineKind& kind )
{
    return kind.createBroadphase != nullptr || kind.createEngine != nullptr;
}

std::vector<std::string> engineNames( const std::vector<Family>& families )
{
    std::vector<std::string> names;
    for ( const EngineKind& kind : kinds )
    {
        if ( isBuilt( kind ) && std::count( families.begin(), families.end(), kind.family ) > 0 )
        {
            names.push_back( kind.name );
        }
    }
    return names;
}

std::vector<std::string> missingEngines()
{
    std::vector<std::string> names;
    for ( const EngineKind& kind : kinds )
    {
        if ( !isBuilt( kind ) )
        {
            names.push_back( kind.name );
        }
    }
    return names;
}

std::string engineList( const std::vector<Family>& families )
{
    std::string list = "Engines:\n";
    for ( const std::string& name : engineNames( families ) )
    {
        list += fmt::format( "  {:<15} {}\n", name, engineKind( name ).description );
    }
    return list;
}

cltBroadphaseDef coreDef( const EngineOptions& options, int threads )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = command::deviceNamed( options.device );
    def.threadCount = threads;
    def.simd = command::valueNamed( options.simd, cltSimdName, clt_simdNeon );
    return def;
}

std::vector<Entrant> entrants( const EngineOptions& options )
{
    const std::vector<int>& asked = options.threads;
    const bool isAny = std::count( asked.begin(), asked.end(), 0 ) > 0;
    const int most = isAny ? 0 : *std::max_element( asked.begin(), asked.end() );
    std::vector<Entrant> result;
    for ( const std::string& name : options.engines )
    {
        const EngineKind& kind = engineKind( name );
        const int once = ( kind.traits & threadsOnce ) != 0 ? most : 1;
        for ( const int threads : kind.isCullet() ? asked : std::vector<int>{ once } )
        {
            result.push_back( { kind, threads } );
        }
    }
    return result;
}

std::string Entrant::name() const
{
    const bool isChosen = threads > 0 && ( kind.isCullet() || ( kind.traits & threadsOnce ) != 0 );
    return isChosen ? fmt::format( "{} x{}", kind.name, threads ) : kind.name;
}

void requireEngines( const EngineOptions& options )
{
    command::refuseRepeats( "--engines", options.engines );
    command::refuseRepeats( "--threads", options.threads );
    cltBroadphaseDef def = coreDef( options, 1 );
    def.device = clt_deviceCpu;
    cltBroadphase* broadphase = nullptr;
    const cltStatus status = cltCreateBroadphase( &def, &broadphase );
    cltDestroyBroadphase( broadphase );
    if ( status == clt_invalidArgument )
    {
        throw CLI::ValidationError( "--simd", fmt::format( "this machine has no {}", options.simd ) );
    }
    command::requireDevice( options.device );
}

void addEngineOptions( CLI::App& command, EngineOptions& options, const std::vector<Family>& families )
{
    const auto isNotMissing = []( const std::string& name )
    {
        return std::all_of( std::begin( kinds ), std::end( kinds ),
                            [&]( const EngineKind& kind ) { return kind.name != name || isBuilt( kind ); } );
    };
    command.add_option( "--engines", options.engines, "Engines, see below" )
        ->delimiter( ',' )
        ->check( command::require( isNotMissing, "is not in this build, which was made without its library" ) )
        ->check( oneOf( engineNames( families ) ) );
    command::addDeviceOption( command, options.device );
    command.add_option( "--simd", options.simd, "Instruction set of cullet: auto, plain, sse2, avx2, avx512 or neon" )
        ->check( oneOf( command::namesOf( cltSimdName, clt_simdNeon ) ) );
    command
        .add_option( "--threads", options.threads,
                     "Threads of cullet, for example 1,2; 0: one for each processor. Other projects get the most" )
        ->delimiter( ',' )
        ->check( between( 0, CLT_MAX_THREADS, Number::whole ) );
    command
        .add_option( "--cap", options.capSeconds, "Seconds that an engine may take at one size before it is stopped" )
        ->check( positive( mostSeconds ) );
    command.add_flag( "--check", options.check, "Compare every step of every engine with an independent oracle" );
    command.add_option( "--format", options.format, "Format of the result: table, csv or json" )
        ->check( oneOf( { "table", "csv", "json" } ) );
}

} // namespace cullet::compare
