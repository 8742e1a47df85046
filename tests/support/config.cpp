// SPDX-License-Identifier: Zlib
// The list of configurations, from what this build and this machine have.
#include "tests/support/config.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace test
{

/// On a CUDA device auto and wide run the tree, as lbvh does; that they do is tested once (tests/cuda/test_choice.cpp).
static bool isTwin( cltDevice device, cltAlgorithm algorithm )
{
    return device == clt_deviceCuda && ( algorithm == clt_algorithmAuto || algorithm == clt_algorithmWide );
}

static void addConfigs( std::vector<Config>& configs, cltDevice device, std::initializer_list<int> threadCounts )
{
    for ( cltAlgorithm algorithm : allAlgorithms )
    {
        if ( isTwin( device, algorithm ) )
        {
            continue;
        }
        for ( cltPrecision precision : allPrecisions )
        {
            for ( int threadCount : threadCounts )
            {
                configs.push_back( { device, algorithm, precision, threadCount } );
            }
        }
    }
}

bool isUsable( cltDevice device )
{
    std::vector<cltDeviceReport> reports( cltGetDevices( nullptr, 0 ) );
    cltGetDevices( reports.data(), reports.size() );
    for ( const cltDeviceReport& report : reports )
    {
        if ( report.device == device && report.usable )
        {
            return true;
        }
    }
    return false;
}

static void addInstructionSets( std::vector<Config>& configs )
{
    for ( cltSimd simd : allSimds )
    {
        for ( cltPrecision precision : allPrecisions )
        {
            const Config config = { clt_deviceCpu, clt_algorithmWide, precision, 2, simd };
            const cltBroadphaseDef def = defOf( config );
            cltBroadphase* broadphase = nullptr;
            if ( cltCreateBroadphase( &def, &broadphase ) == clt_ok )
            {
                configs.push_back( config );
            }
            cltDestroyBroadphase( broadphase );
        }
    }
}

static bool isWanted( const Config& config )
{
    const char* variable = std::getenv( "CULLET_TEST_CONFIGS" );
    const std::string which = variable ? variable : "all";
    const bool isForced = config.simd != clt_simdAuto;
    if ( which == "address" )
    {
        const bool isTwin = config.device != clt_deviceCpu && config.algorithm == clt_algorithmBruteForce;
        return ( config.threadCount == 1 || isForced ) && !isTwin;
    }
    if ( which == "thread" )
    {
        return config.threadCount > 1 && !isForced;
    }
    return which == "all" || !isForced;
}

template <typename Predicate>
static std::vector<Config> only( const std::vector<Config>& configs, Predicate predicate )
{
    std::vector<Config> kept;
    std::copy_if( configs.begin(), configs.end(), std::back_inserter( kept ), predicate );
    return kept;
}

std::vector<Config> allConfigs()
{
    std::vector<Config> configs;
    if ( !testsOnlyOneDevice || testDevice == clt_deviceCpu )
    {
        addConfigs( configs, clt_deviceCpu, { 1, 3 } );
        addInstructionSets( configs );
    }
    if ( ( !testsOnlyOneDevice || testDevice == clt_deviceCuda ) && isUsable( clt_deviceCuda ) )
    {
        addConfigs( configs, clt_deviceCuda, { 1 } );
    }
    return only( configs, isWanted );
}

std::vector<Config> configsWith( int threadCount )
{
    return only( allConfigs(), [threadCount]( const Config& config )
                 { return config.threadCount == threadCount || config.device != clt_deviceCpu; } );
}

cltBroadphaseDef defOf( const Config& config )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = config.device;
    def.algorithm = config.algorithm;
    def.precision = config.precision;
    def.threadCount = config.threadCount;
    def.simd = config.simd;
    return def;
}

cltBroadphaseDef defOf( cltAlgorithm algorithm, cltPrecision precision, int threadCount )
{
    return defOf( Config{ testDevice, algorithm, precision, threadCount } );
}

std::string nameOf( const Config& config )
{
    std::string precision = config.precision == clt_precisionDouble ? "double" : "float";
    return std::string( cltDeviceName( config.device ) ) + "_" + cltAlgorithmName( config.algorithm ) + "_" +
           precision + "_" + std::to_string( config.threadCount ) + "threads" +
           ( config.simd == clt_simdAuto ? "" : std::string( "_" ) + cltSimdName( config.simd ) );
}

void PrintTo( const Config& config, std::ostream* stream )
{
    *stream << nameOf( config );
}

} // namespace test
