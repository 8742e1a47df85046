// SPDX-License-Identifier: Zlib
/// \file CulletRunOptions.h
/// A module's options, from the environment. `cullet run` sets these variables; a user of LD_PRELOAD may, too. A
/// variable without a valid value is an error:
///
///     CULLET_ALGORITHM   a name that cltAlgorithmName returns
///     CULLET_THREADS     1 to CLT_MAX_THREADS
///     CULLET_VERIFY=1    run Bullet's own broadphase, too, and compare every step and query
///     CULLET_STATS=1     run Bullet's own broadphase, too, and time both
///     CULLET_RECORD      a file; the second broadphase of the process gets FILE.2, and so on
///     CULLET_PROCESS     id of the process started with VERIFY, STATS or RECORD; that process reports a lack of Bullet
///     CULLET_REPORT      a file of `cullet run`: the shared memory of CulletReport.h
///     CULLET_DISABLE=1   libcullet-preload.so leaves every broadphase alone
///     CULLET_WARNED=1    do not report that nothing was changed, because `cullet run` did so already
#ifndef CULLET_RUN_OPTIONS_H
#define CULLET_RUN_OPTIONS_H

#include "cullet.h"

#include <stdlib.h>
#include <string>

struct CulletRunOptions
{
    cltBroadphaseDef m_def;
    bool m_isVerifying;
    bool m_isTiming;
    std::string m_recordPath; ///< empty: nothing is recorded

    /// \return NULL, or the error in a variable; valid until the next call
    const char* read()
    {
        static std::string complaint;
        m_def = cltDefaultBroadphaseDef();
        m_isVerifying = isSet( "CULLET_VERIFY" );
        m_isTiming = isSet( "CULLET_STATS" );
        m_recordPath = variable( "CULLET_RECORD" );
        const std::string algorithm = variable( "CULLET_ALGORITHM" );
        const std::string threads = variable( "CULLET_THREADS" );
        if ( !algorithm.empty() && !readAlgorithm( algorithm ) )
        {
            complaint = "CULLET_ALGORITHM names no algorithm: " + algorithm;
            return complaint.c_str();
        }
        if ( !threads.empty() && !readThreads( threads ) )
        {
            complaint = "CULLET_THREADS is no number of threads: " + threads;
            return complaint.c_str();
        }
        return NULL;
    }

private:
    /// The value of an environment variable; empty if the variable is not set.
    static std::string variable( const char* name )
    {
        const char* value = getenv( name );
        return value ? value : "";
    }

    static bool isSet( const char* name )
    {
        const std::string value = variable( name );
        return !value.empty() && value != "0";
    }

    bool readAlgorithm( const std::string& name )
    {
        int i = 0;
        while ( i <= clt_algorithmFrontier && name != cltAlgorithmName( cltAlgorithm( i ) ) )
        {
            ++i;
        }
        m_def.algorithm = cltAlgorithm( i );
        return i <= clt_algorithmFrontier;
    }

    bool readThreads( const std::string& text )
    {
        char* end;
        const long count = strtol( text.c_str(), &end, 10 );
        m_def.threadCount = uint32_t( count );
        return *end == 0 && count >= 1 && count <= CLT_MAX_THREADS;
    }
};

#endif
