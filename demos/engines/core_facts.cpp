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
    return CorePointer( core, cltDestroyBroadphase );
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
    const bool hasSimd = stats.algorithm == clt_algorithmWide;
    return { cltAlgorithmName( stats.algorithm ),
             hasSimd ? cltSimdName( stats.simd ) : "",
             cltDeviceName( stats.device ),
             threads > 0 ? threads : int( std::thread::hardware_concurrency() ),
             precision,
             stats.deviceFailureCount };
}

Times corePartsMs( const cltBroadphase& core )
{
    const cltStats stats = coreStats( core );
    Times ms;
    if ( stats.device != clt_deviceCpu )
    {
        ms[updateMs] = double( stats.totalMs );
        ms[kernelMs] = stats.kernelMs > 0 ? std::optional<double>( stats.kernelMs ) : std::nullopt;
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
