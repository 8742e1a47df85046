// SPDX-License-Identifier: Zlib
/// \file core_facts.cpp
/// Creates a broadphase of the C API, and reads its statistics.
#include "core_engine.h"

#include "demos/report/machine.h"

#include <stdexcept>
#include <thread>

namespace cullet::compare
{

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

cltResearchStats coreResearchStats( const cltBroadphase& core )
{
    cltResearchStats stats;
    requireOk( cltBroadphase_GetResearchStats( &core, &stats ) );
    return stats;
}

EngineFacts factsOf( const Engine& engine, int threads )
{
    EngineFacts facts;
    facts.precision = bulletPrecision(); // the core always gets floats
    facts.threads = threads > 0 ? threads : int( std::thread::hardware_concurrency() );
    if ( engine.core() != nullptr )
    {
        const cltStats stats = coreStats( *engine.core() );
        facts.algorithm = cltAlgorithmName( stats.algorithm );
        facts.simd = stats.algorithm == clt_algorithmWide ? cltSimdName( stats.simd ) : "";
        facts.device = cltDeviceName( stats.device );
        facts.deviceFailures = stats.deviceFailureCount;
    }
    return facts;
}

Times partsMs( const Engine& engine )
{
    Times ms;
    ms[cacheMs] = engine.cacheMs();
    const cltStats stats = engine.core() != nullptr ? coreStats( *engine.core() ) : cltStats{};
    if ( engine.core() != nullptr && stats.device != clt_deviceCpu )
    {
        ms[updateMs] = double( stats.totalMs );
        const float kernels = coreResearchStats( *engine.core() ).kernelMs;
        ms[kernelMs] = kernels > 0 ? std::optional<double>( kernels ) : std::nullopt;
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
