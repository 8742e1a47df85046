// SPDX-License-Identifier: Zlib
// Lists the configurations that this build and this machine support.
#include "tests/support/config.h"

#include <algorithm>
#include <cstdlib>

namespace test
{

bool isUsable( cltDevice device )
{
    std::vector<cltDeviceReport> reports( cltGetDevices( nullptr, 0 ) );
    cltGetDevices( reports.data(), reports.size() );
    return std::any_of( reports.begin(), reports.end(),
                        [device]( const cltDeviceReport& report )
                        { return report.device == device && report.usable; } );
}

bool isUsable( cltSimd simd )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = clt_deviceCpu;
    def.simd = simd;
    cltBroadphase* broadphase = nullptr;
    const cltStatus status = cltCreateBroadphase( &def, &broadphase );
    cltDestroyBroadphase( broadphase );
    return status == clt_ok;
}

/// True if another configuration runs the same code: `auto` on a CUDA device (tests/device/test_choice.cpp).
static bool isTwin( const Config& config )
{
    return config.device == clt_deviceCuda && config.algorithm == clt_algorithmAuto;
}

static bool isWanted( const Config& config )
{
    const char* variable = std::getenv( "CULLET_TEST_CONFIGS" );
    const std::string which = variable ? variable : "all";
    const bool isForced = config.simd != clt_simdAuto;
    if ( which == "address" )
    {
        const bool isSlow = config.device != clt_deviceCpu && config.algorithm == clt_algorithmBruteForce;
        return ( config.threadCount == 1 || isForced ) && !isSlow;
    }
    if ( which == "thread" )
    {
        const bool hasOwnCode = config.precision == clt_precisionDouble || config.algorithm == clt_algorithmWide;
        return config.threadCount > 1 && !isForced && hasOwnCode;
    }
    return which == "all" || !isForced;
}

std::vector<Config> allConfigs()
{
    std::vector<Config> configs;
    for ( cltPrecision precision : allPrecisions )
    {
        for ( cltAlgorithm algorithm : allAlgorithms )
        {
            configs.push_back( { clt_deviceCpu, algorithm, precision, 1 } );
            configs.push_back( { clt_deviceCpu, algorithm, precision, 3 } );
            configs.push_back( { clt_deviceCuda, algorithm, precision, 1 } );
        }
        for ( int threadCount : { 1, 3 } )
        {
            configs.push_back( { clt_deviceCpu, clt_algorithmFrontier, precision, threadCount, clt_simdAuto, true } );
        }
        for ( cltSimd simd : allSimds )
        {
            configs.push_back( { clt_deviceCpu, clt_algorithmWide, precision, 2, simd } );
        }
    }
    const bool hasCuda = isUsable( clt_deviceCuda );
    const auto isLeftOut = [hasCuda]( const Config& config )
    {
        const bool isThere = config.device == clt_deviceCpu ? isUsable( config.simd ) : hasCuda;
        return !isThere || ( testsOnlyOneDevice && config.device != testDevice ) || isTwin( config ) ||
               !isWanted( config );
    };
    configs.erase( std::remove_if( configs.begin(), configs.end(), isLeftOut ), configs.end() );
    return configs;
}

std::vector<Config> configsWith( int threadCount )
{
    std::vector<Config> configs = allConfigs();
    const auto hasOther = [threadCount]( const Config& config )
    { return config.threadCount != threadCount && config.device == clt_deviceCpu; };
    configs.erase( std::remove_if( configs.begin(), configs.end(), hasOther ), configs.end() );
    return configs;
}

static cltResearchDef researchWithFront()
{
    cltResearchDef research = cltDefaultResearchDef();
    research.keepFront = true;
    return research;
}

cltBroadphaseDef defOf( const Config& config )
{
    static const cltResearchDef keptFront = researchWithFront();
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = config.device;
    def.algorithm = config.algorithm;
    def.precision = config.precision;
    def.threadCount = config.threadCount;
    def.simd = config.simd;
    def.research = config.keepFront ? &keptFront : nullptr;
    return def;
}

cltBroadphaseDef defOf( cltAlgorithm algorithm, cltPrecision precision, int threadCount )
{
    return defOf( Config{ testDevice, algorithm, precision, threadCount } );
}

std::string nameOf( const Config& config )
{
    return std::string( cltDeviceName( config.device ) ) + "_" + cltAlgorithmName( config.algorithm ) + "_" +
           nameOf( config.precision ) + "_" + std::to_string( config.threadCount ) + "threads" +
           ( config.keepFront ? "_front" : "" ) +
           ( config.simd == clt_simdAuto ? "" : std::string( "_" ) + cltSimdName( config.simd ) );
}

void PrintTo( const Config& config, std::ostream* stream )
{
    *stream << nameOf( config );
}

} // namespace test
