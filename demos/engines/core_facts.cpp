// SPDX-License-Identifier: Zlib
/// \file core_facts.cpp
/// Asks for a core, and reads its statistics.
#include "core_engine.h"

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

CorePointer createCore( const cltBroadphaseDef& def )
{
    cltBroadphase* core = nullptr;
    requireOk( cltCreateBroadphase( &def, &core ) );
    return CorePointer( core );
}

cltStats coreStats( const cltBroadphase& core )
{
    cltStats stats;
    requireOk( cltBroadphase_GetStats( &core, &stats ) );
    return stats;
}

EngineFacts coreFacts( const cltBroadphase& core, int threads, const char* precision )
{
    const cltStats stats = coreStats( core );
    EngineFacts facts;
    facts.algorithm = cltAlgorithmName( stats.algorithm );
    facts.simd = stats.algorithm == clt_algorithmWide ? cltSimdName( stats.simd ) : "";
    facts.device = cltDeviceName( stats.device );
    facts.threads = threads > 0 ? threads : int( std::thread::hardware_concurrency() );
    facts.precision = precision;
    facts.deviceFailures = stats.deviceFailureCount;
    return facts;
}

UpdateMs coreUpdateMs( const cltBroadphase& core )
{
    const cltStats stats = coreStats( core );
    UpdateMs ms;
    if ( stats.device != clt_deviceCpu )
    {
        ms.update = double( stats.totalMs );
        ms.kernels = stats.kernelMs > 0 ? std::optional<double>( stats.kernelMs ) : std::nullopt;
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
