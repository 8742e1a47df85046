// SPDX-License-Identifier: Zlib
// The monotonic clock of the system.

#if !defined( _WIN32 ) && !defined( _POSIX_C_SOURCE )
#define _POSIX_C_SOURCE 200809L // for clock_gettime under strict C11
#endif

#include "gpu/platform/clock.h"

#include <time.h>

double cltNowMs( void )
{
    struct timespec now;
#if defined( _WIN32 )
    timespec_get( &now, TIME_UTC );
#else
    clock_gettime( CLOCK_MONOTONIC, &now );
#endif
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

float cltLapMs( double* lap )
{
    const double now = cltNowMs();
    const float ms = (float)( now - *lap );
    *lap = now;
    return ms;
}
