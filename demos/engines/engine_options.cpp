// SPDX-License-Identifier: Zlib
/// \file engine_options.cpp
/// Engines by name, and where they may run.
#include "engine_options.h"

#include "bullet_engine.h"
#include "core_engine.h"

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

/// In the order in which tables show them. A new engine gets a line here.
static const std::vector<EngineKind>& engineKinds()
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

static std::vector<std::string> simdNames()
{
    return command::namesOf( cltSimdName, clt_simdNeon );
}

std::vector<std::string> engineNames()
{
    std::vector<std::string> names;
    for ( const EngineKind& kind : engineKinds() )
    {
        names.push_back( kind.name );
    }
    return names;
}

std::string engineList()
{
    std::string list = "Engines:\n";
    for ( const EngineKind& kind : engineKinds() )
    {
        list += fmt::format( "  {:<14} {}\n", kind.name, kind.description );
    }
    return list;
}

cltBroadphaseDef coreDef( const EngineOptions& options, int threads )
{
    const std::vector<std::string> names = simdNames(); // the option took only these
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = command::deviceNamed( options.device );
    def.threadCount = threads;
    def.simd = cltSimd( std::find( names.begin(), names.end(), options.simd ) - names.begin() );
    return def;
}

std::vector<Entrant> entrants( const EngineOptions& options )
{
    std::vector<Entrant> result;
    for ( const std::string& name : options.engines )
    {
        const EngineKind& kind = engineKind( name );
        for ( const int threads : kind.family == Family::bullet ? std::vector<int>{ 1 } : options.threads )
        {
            result.push_back( { kind, threads } );
        }
    }
    return result;
}

std::string entrantName( const Entrant& entrant )
{
    const bool chosen = entrant.kind.family != Family::bullet && entrant.threads > 0;
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

void addEngineOptions( CLI::App& command, EngineOptions& options )
{
    command.add_option( "--engines", options.engines, "Engines, see below" )
        ->delimiter( ',' )
        ->check( oneOf( engineNames() ) );
    command::addDeviceOption( command, options.device );
    command.add_option( "--simd", options.simd, "Instruction set of cullet: auto, plain, sse2, avx2, avx512 or neon" )
        ->check( oneOf( simdNames() ) );
    command.add_option( "--threads", options.threads, "Threads of cullet, for example 1,2; 0 for one per processor" )
        ->delimiter( ',' )
        ->check( between( 0, CLT_MAX_THREADS, Number::whole ) );
    command
        .add_option( "--cap", options.capSeconds, "Seconds that an engine may spend at one size before it is left out" )
        ->check( positive( mostSeconds ) );
    command.add_flag( "--check", options.check, "Hold every step of every engine against an independent oracle" );
    command.add_option( "--format", options.format, "Of the result: table, csv or json" )
        ->check( oneOf( { "table", "csv", "json" } ) );
}

} // namespace cullet::compare
