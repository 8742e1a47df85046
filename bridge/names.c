// SPDX-License-Identifier: Zlib
// Statuses and options as text, and the version.

#include "bridge/cullet.h"

typedef struct StatusText
{
    cltStatus status;
    const char* name;
    const char* message;
} StatusText;

static const StatusText statusTexts[] = {
    { clt_ok, "clt_ok", "No error." },
    { clt_invalidArgument, "clt_invalidArgument",
      "An argument is NULL or out of range; start from cltDefaultBroadphaseDef() and see cullet.h for the ranges." },
    { clt_unknownProxy, "clt_unknownProxy",
      "No such proxy: it was never created here, is destroyed already, or is named twice." },
    { clt_wrongPrecision, "clt_wrongPrecision",
      "Double boxes need a broadphase created with clt_precisionDouble; reading float boxes needs "
      "clt_precisionFloat." },
    { clt_tooManyProxies, "clt_tooManyProxies", "A broadphase holds at most CLT_MAX_PROXIES proxies." },
    { clt_wrongMemory, "clt_wrongMemory",
      "An array must be in the memory of the CUDA device with clt_deviceCuda, and else in host memory." },
    { clt_hostMemory, "clt_hostMemory",
      "The allocation hook returned no memory; nothing was lost, free some and repeat the call." },
    { clt_deviceMemory, "clt_deviceMemory", "The device is out of memory; use clt_deviceAuto or clt_deviceCpu." },
    { clt_noDevice, "clt_noDevice",
      "No usable CUDA device; use clt_deviceAuto or clt_deviceCpu, and ask cltGetDevices for the reason." },
    { clt_deviceFailed, "clt_deviceFailed",
      "The device failed, or belongs to another process; use clt_deviceAuto or clt_deviceCpu to do without it." },
};

static const StatusText unknownStatus = { clt_invalidArgument, "clt_unknownStatus", "Not a status of this version." };

static const StatusText* FindText( cltStatus status )
{
    for ( size_t i = 0; i < sizeof statusTexts / sizeof statusTexts[0]; ++i )
    {
        if ( statusTexts[i].status == status )
        {
            return statusTexts + i;
        }
    }
    return &unknownStatus;
}

const char* cltStatusName( cltStatus status )
{
    return FindText( status )->name;
}

const char* cltStatusMessage( cltStatus status )
{
    return FindText( status )->message;
}

// ------------------------------------------------------------------------------------------------------- options

static const char* const deviceNames[] = { "auto", "cpu", "cuda" };
static const char* const algorithmNames[] = { "auto", "bruteForce", "grid", "lbvh", "wide", "frontier" };
static const char* const simdNames[] = { "auto", "plain", "sse2", "avx2", "avx512", "neon" };

#define NAME_OF( names, value )                                                                                        \
    ( (size_t)( value ) < sizeof( names ) / sizeof( names )[0] ? ( names )[value] : "unknown" )

const char* cltDeviceName( cltDevice device )
{
    return NAME_OF( deviceNames, device );
}

const char* cltAlgorithmName( cltAlgorithm algorithm )
{
    return NAME_OF( algorithmNames, algorithm );
}

const char* cltSimdName( cltSimd simd )
{
    return NAME_OF( simdNames, simd );
}

cltVersion cltGetVersion( void )
{
    return ( cltVersion ){ CLT_VERSION_MAJOR, CLT_VERSION_MINOR, CLT_VERSION_PATCH };
}
