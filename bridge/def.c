// SPDX-License-Identifier: Zlib
// The def's defaults and their limits.

#include "bridge/def.h"

/// Put into internalValue, so that a def that was filled by hand from nothing is noticed.
#define DEF_COOKIE 0x63756c74

cltBroadphaseDef cltDefaultBroadphaseDef( void )
{
    return ( cltBroadphaseDef ){ .device = clt_deviceAuto,
                                 .algorithm = clt_algorithmAuto,
                                 .precision = clt_precisionFloat,
                                 .root = clt_rootHardware,
                                 .rootSteps = 2,
                                 .output = clt_outputKeys,
                                 .filterMasks = true,
                                 .internalValue = DEF_COOKIE };
}

static bool InRange( int value, int lowest, int highest )
{
    return value >= lowest && value <= highest;
}

cltStatus cltCheckDef( const cltBroadphaseDef* def )
{
    const bool good = def != NULL && def->internalValue == DEF_COOKIE &&
                      InRange( (int)def->device, clt_deviceAuto, clt_deviceCuda ) &&
                      InRange( (int)def->algorithm, clt_algorithmAuto, clt_algorithmWide ) &&
                      InRange( (int)def->simd, clt_simdAuto, clt_simdNeon ) &&
                      InRange( (int)def->precision, clt_precisionFloat, clt_precisionDouble ) &&
                      InRange( (int)def->root, clt_rootHardware, clt_rootNone ) && InRange( def->rootSteps, 1, 4 ) &&
                      InRange( (int)def->output, clt_outputKeys, clt_outputBits ) &&
                      InRange( def->threadCount, 0, CLT_MAX_THREADS ) && def->proxyCapacity <= CLT_MAX_PROXIES &&
                      ( def->allocate == NULL ) == ( def->release == NULL );
    return good ? clt_ok : clt_invalidArgument;
}
