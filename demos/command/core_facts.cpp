// SPDX-License-Identifier: Zlib
/// \file core_facts.cpp
/// Reads the statistics of a core.
#include "core_facts.h"

#include <stdexcept>
#include <thread>

namespace cullet::compare
{

cltBroadphaseDef coreDef( const CoreChoice& choice, cltAlgorithm algorithm )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = choice.device;
    def.algorithm = algorithm;
    def.threadCount = choice.threads;
    def.simd = choice.simd;
    return def;
}

EngineFacts coreFacts( const cltBroadphase& core, int threads, const char* precision )
{
    cltStats stats;
    requireOk( cltBroadphase_GetStats( &core, &stats ) );
    EngineFacts facts;
    facts.algorithm = cltAlgorithmName( stats.algorithm );
    facts.simd = stats.algorithm == clt_algorithmWide ? cltSimdName( stats.simd ) : "";
    facts.device = cltDeviceName( stats.device );
    facts.threads = threads > 0 ? threads : int( std::thread::hardware_concurrency() );
    facts.precision = precision;
    facts.deviceFailures = stats.deviceFailureCount;
    return facts;
}

std::optional<DeviceMs> coreDeviceMs( const cltBroadphase& core )
{
    cltStats stats;
    requireOk( cltBroadphase_GetStats( &core, &stats ) );
    if ( stats.device == clt_deviceCpu )
    {
        return std::nullopt;
    }
    DeviceMs ms{ std::nullopt, double( stats.totalMs ) };
    if ( stats.kernelMs > 0 )
    {
        ms.kernels = double( stats.kernelMs );
    }
    return ms;
}

void requireOk( cltStatus status )
{
    if ( status != clt_ok )
    {
        throw std::runtime_error( cltStatusMessage( status ) );
    }
}

} // namespace cullet::compare
