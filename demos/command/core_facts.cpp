// SPDX-License-Identifier: Zlib
/// \file core_facts.cpp
/// Reads the statistics of a core.
#include "core_facts.h"

#include <stdexcept>
#include <thread>

namespace cullet::compare
{

cltBroadphaseDef coreDef( cltDevice device, int threads, cltAlgorithm algorithm )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = device;
    def.algorithm = algorithm;
    def.threadCount = threads;
    return def;
}

EngineFacts coreFacts( const cltBroadphase& core, int threads, const char* precision )
{
    cltStats stats;
    requireOk( cltBroadphase_GetStats( &core, &stats ) );
    EngineFacts facts;
    facts.algorithm = cltAlgorithmName( stats.algorithm );
    facts.device = cltDeviceName( stats.device );
    facts.threads = threads > 0 ? threads : int( std::thread::hardware_concurrency() );
    facts.precision = precision;
    return facts;
}

void requireOk( cltStatus status )
{
    if ( status != clt_ok )
    {
        throw std::runtime_error( cltStatusMessage( status ) );
    }
}

} // namespace cullet::compare
