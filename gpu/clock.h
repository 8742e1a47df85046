// SPDX-License-Identifier: Zlib
/// \file clock.h
/// A clock that only goes forward, for the stage times in the statistics.
#ifndef CLT_GPU_CLOCK_H
#define CLT_GPU_CLOCK_H

/// Milliseconds since some moment.
double cltNowMs( void );

#endif
