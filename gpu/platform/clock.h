// SPDX-License-Identifier: Zlib
/// \file clock.h
/// A clock that only goes forward, for the stage times in the statistics.
#ifndef CLT_GPU_CLOCK_H
#define CLT_GPU_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/// Milliseconds since some moment.
double cltNowMs( void );

/// Milliseconds since `*lap`, which becomes now. One look at the clock is the end of a stage and the begin of the next:
/// in the smallest worlds the looks cost as much as the work.
float cltLapMs( double* lap );

#ifdef __cplusplus
}
#endif

#endif
