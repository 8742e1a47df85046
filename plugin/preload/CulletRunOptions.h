// SPDX-License-Identifier: Zlib
/// \file CulletRunOptions.h
/// A module's options, from the environment. `cullet run` sets these variables; a user of LD_PRELOAD may, too:
///
///     CULLET_ALGORITHM   as cltAlgorithmName says
///     CULLET_THREADS     1 to CLT_MAX_THREADS
///     CULLET_VERIFY=1    run Bullet's own broadphase, too, and compare every step and query
///     CULLET_STATS=1     run Bullet's own broadphase, too, and time both
///     CULLET_RECORD      a file; the second broadphase of the process gets FILE.2, and so on
///     CULLET_PROCESS     id of the process for which one of the above three was requested; it reports if it has no
///                        Bullet
///     CULLET_DISABLE=1   libcullet-preload.so leaves every broadphase alone
///     CULLET_WARNED=1    do not report that nothing was changed, because `cullet run` did so already
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

    /// \return NULL, or the error in a variable; valid until the next call
    const char* read();
};

#endif
