// SPDX-License-Identifier: Zlib
// Everything that has a name: statuses with their messages, the enumerations of options, the version.

#include "bridge/cullet.h"

#include <string.h>

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

#define COUNT_OF( array ) ( sizeof( array ) / sizeof( array )[0] )

/// Returns which one of the names it is, -1 for none of them.
static int FindName( const char* const* names, size_t count, const char* name )
{
    for ( size_t i = 0; name != NULL && i < count; ++i )
    {
        if ( strcmp( names[i], name ) == 0 )
        {
            return (int)i;
        }
    }
    return -1;
}

/// Both ways of an enumeration whose values count from 0.
#define NAMED_ENUM( Enum, nameOf, fromName, ... )                                                                      \
    static const char* const nameOf##s[] = { __VA_ARGS__ };                                                            \
                                                                                                                       \
    const char* nameOf( Enum value )                                                                                   \
    {                                                                                                                  \
        return (size_t)value < COUNT_OF( nameOf##s ) ? nameOf##s[value] : "unknown";                                   \
    }                                                                                                                  \
                                                                                                                       \
    cltStatus fromName( const char* name, Enum* value )                                                                \
    {                                                                                                                  \
        const int index = FindName( nameOf##s, COUNT_OF( nameOf##s ), name );                                          \
        if ( index < 0 || value == NULL )                                                                              \
        {                                                                                                              \
            return clt_invalidArgument;                                                                                \
        }                                                                                                              \
        *value = (Enum)index;                                                                                          \
        return clt_ok;                                                                                                 \
    }

NAMED_ENUM( cltDevice, cltDeviceName, cltDeviceFromName, "auto", "cpu", "cuda" )
NAMED_ENUM( cltAlgorithm, cltAlgorithmName, cltAlgorithmFromName, "auto", "bruteForce", "grid", "lbvh", "wide",
            "frontier" )
NAMED_ENUM( cltSimd, cltSimdName, cltSimdFromName, "auto", "plain", "sse2", "avx2", "avx512", "neon" )
NAMED_ENUM( cltPrecision, cltPrecisionName, cltPrecisionFromName, "float", "double" )
NAMED_ENUM( cltRoot, cltRootName, cltRootFromName, "hardware", "carmack", "lomont", "none" )
NAMED_ENUM( cltOutput, cltOutputName, cltOutputFromName, "keys", "bits" )

cltVersion cltGetVersion( void )
{
    return ( cltVersion ){ CLT_VERSION_MAJOR, CLT_VERSION_MINOR, CLT_VERSION_PATCH };
}
