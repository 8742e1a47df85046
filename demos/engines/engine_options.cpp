// SPDX-License-Identifier: Zlib
/// \file engine_options.cpp
/// The list of engines, and the options that select and configure them.
#include "engine_options.h"

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

template <cltAlgorithm algorithm>
static std::unique_ptr<Engine> createPluginEngine( const Course& course, const cltBroadphaseDef& core )
{
    cltBroadphaseDef def = core;
    def.algorithm = algorithm;
    return createPluginEngine( course, def );
}

template <cltAlgorithm algorithm>
static std::unique_ptr<Engine> createCoreEngine( const Course& course, const cltBroadphaseDef& core )
{
    cltBroadphaseDef def = core;
    def.algorithm = algorithm;
    return createCoreEngine( course, def );
}

/// The engines in the order of the tables. Add new engines here.
static const std::vector<EngineKind>& engineKinds()
{
    // name, description, family, threads, exact, slowInsertion, slowSteps, create
    static const std::vector<EngineKind> kinds = {
        { "dbvt", "btDbvtBroadphase as it comes", Family::bullet, Threads::one, false, false, false, createDbvtEngine },
        { "dbvt-deferred", "btDbvtBroadphase with m_deferedcollide", Family::bullet, Threads::one, false, false, false,
          createDeferredDbvtEngine },
        { "sap", "bt32BitAxisSweep3, bounds 20 around the scene", Family::bullet, Threads::one, false, true, false,
          createSweepEngine },
        { "simple", "btSimpleBroadphase", Family::bullet, Threads::one, true, false, true, createSimpleEngine },
        { "cullet", "CulletBroadphase, choosing the algorithm itself", Family::plugin, Threads::each, true, false,
          false, createPluginEngine<clt_algorithmAuto> },
        { "cullet-wide", "CulletBroadphase with blocks of bodies under a wide tree", Family::plugin, Threads::each,
          true, false, false, createPluginEngine<clt_algorithmWide> },
        { "cullet-lbvh", "CulletBroadphase with a linear BVH", Family::plugin, Threads::each, true, false, false,
          createPluginEngine<clt_algorithmLbvh> },
        { "cullet-frontier", "CulletBroadphase with a tree that is walked with itself", Family::plugin, Threads::each,
          true, false, false, createPluginEngine<clt_algorithmFrontier> },
        { "cullet-grid", "CulletBroadphase with a uniform grid", Family::plugin, Threads::each, true, false, false,
          createPluginEngine<clt_algorithmGrid> },
        { "cullet-brute", "CulletBroadphase testing all pairs", Family::plugin, Threads::each, true, false, true,
          createPluginEngine<clt_algorithmBruteForce> },
        { "core", "cullet's C API without Bullet: pairs that began and ended", Family::core, Threads::each, true, false,
          false, createCoreEngine },
        { "core-full", "the same, and the list of all pairs in each step", Family::core, Threads::each, true, false,
          false, createFullCoreEngine },
        { "core-lbvh", "the C API with a linear BVH", Family::core, Threads::each, true, false, false,
          createCoreEngine<clt_algorithmLbvh> },
        { "core-frontier", "the C API with a tree that is walked with itself", Family::core, Threads::each, true, false,
          false, createCoreEngine<clt_algorithmFrontier> },
        { "core-grid", "the C API with a uniform grid", Family::core, Threads::each, true, false, false,
          createCoreEngine<clt_algorithmGrid> },
        { "embree", "Embree 3: rtcCollide over a tree rebuilt in each step; all pairs, no changes", Family::peer,
          Threads::most, true, false, false, createEmbreeEngine },
        { "embree-refit", "the same, its tree refitted only", Family::peer, Threads::most, true, false, false,
          createEmbreeRefitEngine },
        { "fcl", "FCL: DynamicAABBTreeCollisionManager; all pairs, no changes", Family::peer, Threads::one, true, false,
          false, createFclEngine },
    };
    return kinds;
}

const EngineKind& engineKind( const std::string& name )
{
    const std::vector<EngineKind>& kinds = engineKinds();
    return *std::find_if( kinds.begin(), kinds.end(), [&]( const EngineKind& kind ) { return kind.name == name; } );
}

static std::vector<EngineKind> builtKinds( Peers peers )
{
    std::vector<EngineKind> kinds = engineKinds();
    const auto isOut = [peers]( const EngineKind& kind )
    { return kind.create == nullptr || ( kind.family == Family::peer && peers == Peers::no ); };
    kinds.erase( std::remove_if( kinds.begin(), kinds.end(), isOut ), kinds.end() );
    return kinds;
}

std::vector<std::string> engineNames( Peers peers )
{
    std::vector<std::string> names;
    for ( const EngineKind& kind : builtKinds( peers ) )
    {
        names.push_back( kind.name );
    }
    return names;
}

std::string engineList( Peers peers )
{
    std::string list = "Engines:\n";
    for ( const EngineKind& kind : builtKinds( peers ) )
    {
        list += fmt::format( "  {:<14} {}\n", kind.name, kind.description );
    }
    return list;
}

/// False for engines that this build lacks because their library was missing.
static bool isNotMissing( const std::string& name )
{
    const std::vector<EngineKind>& kinds = engineKinds();
    return std::none_of( kinds.begin(), kinds.end(),
                         [&]( const EngineKind& kind ) { return kind.name == name && kind.create == nullptr; } );
}

cltBroadphaseDef coreDef( const EngineOptions& options, int threads )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = command::deviceNamed( options.device );
    def.threadCount = threads;
    def.simd = command::valueNamed( options.simd, cltSimdName, clt_simdNeon );
    return def;
}

/// \param asked  the values of the option
static std::vector<int> threadsOf( const EngineKind& kind, const std::vector<int>& asked )
{
    const bool isAny = std::find( asked.begin(), asked.end(), 0 ) != asked.end();
    return kind.threads == Threads::one ? std::vector<int>{ 1 }
           : kind.threads == Threads::most
               ? std::vector<int>{ isAny ? 0 : *std::max_element( asked.begin(), asked.end() ) }
               : asked;
}

std::vector<Entrant> entrants( const EngineOptions& options )
{
    std::vector<Entrant> result;
    for ( const std::string& name : options.engines )
    {
        const EngineKind& kind = engineKind( name );
        for ( const int threads : threadsOf( kind, options.threads ) )
        {
            result.push_back( { kind, threads } );
        }
    }
    return result;
}

std::string entrantName( const Entrant& entrant )
{
    const bool chosen = entrant.kind.threads != Threads::one && entrant.threads > 0;
    return chosen ? fmt::format( "{} x{}", entrant.kind.name, entrant.threads ) : entrant.kind.name;
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

void addEngineOptions( CLI::App& command, EngineOptions& options, Peers peers )
{
    command.add_option( "--engines", options.engines, "Engines, see below" )
        ->delimiter( ',' )
        ->check( command::require( isNotMissing, "is not in this build, which was made without its library" ) )
        ->check( oneOf( engineNames( peers ) ) );
    command::addDeviceOption( command, options.device );
    command.add_option( "--simd", options.simd, "Instruction set of cullet: auto, plain, sse2, avx2, avx512 or neon" )
        ->check( oneOf( command::namesOf( cltSimdName, clt_simdNeon ) ) );
    command.add_option( "--threads", options.threads, "Threads of cullet, for example 1,2; 0: one for each processor" )
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
