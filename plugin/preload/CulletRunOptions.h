// SPDX-License-Identifier: Zlib
/// \file CulletRunOptions.h
/// What the environment asks of a module. `cullet run` sets it; whoever sets LD_PRELOAD may do so as well:
///
///     CULLET_ALGORITHM   as cltAlgorithmName says
///     CULLET_THREADS     1 to CLT_MAX_THREADS
///     CULLET_VERIFY=1    Bullet's own broadphase runs beside, and every step and query is compared
///     CULLET_STATS=1     Bullet's own broadphase runs beside, and both are timed
///     CULLET_RECORD      a file; the second broadphase of the process gets FILE.2, and so on
///     CULLET_PROCESS     the process that one of these three was asked for: it says if it has no Bullet
///     CULLET_DISABLE=1   libcullet-preload.so leaves every broadphase alone
///     CULLET_WARNED=1    it does not say that nothing was changed: that was said before the program began
#ifndef CULLET_RUN_OPTIONS_H
#define CULLET_RUN_OPTIONS_H

#include "cullet.h"

#include <string>

struct CulletRunOptions
{
    cltBroadphaseDef m_def;
    bool m_isVerifying;
    bool m_isTiming;
    std::string m_recordPath; ///< empty: nothing is recorded

    /// \return NULL, or what is wrong with a variable. Lives until the next call
    const char* read();
};

#endif
