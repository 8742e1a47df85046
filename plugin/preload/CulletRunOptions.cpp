// SPDX-License-Identifier: Zlib
/// \file CulletRunOptions.cpp
/// A variable without a valid value is an error.

#include "CulletRunOptions.h"

#include <stdlib.h>
#include <string.h>

namespace
{
/// Empty if it is not set.
std::string variable( const char* name )
{
    const char* value = getenv( name );
    return value ? value : "";
}

bool readAlgorithm( const std::string& name, cltAlgorithm& algorithm )
{
    for ( int i = 0; i <= clt_algorithmFrontier; ++i )
    {
        if ( name == cltAlgorithmName( cltAlgorithm( i ) ) )
        {
            algorithm = cltAlgorithm( i );
            return true;
        }
    }
    return false;
}

bool readThreads( const std::string& text, cltBroadphaseDef& def )
{
    char* end;
    const long count = strtol( text.c_str(), &end, 10 );
    def.threadCount = uint32_t( count );
    return *end == 0 && count >= 1 && count <= CLT_MAX_THREADS;
}

bool isSet( const char* name )
{
    const std::string value = variable( name );
    return !value.empty() && value != "0";
}
} // namespace

const char* CulletRunOptions::read()
{
    static std::string complaint;
    m_def = cltDefaultBroadphaseDef();
    m_isVerifying = isSet( "CULLET_VERIFY" );
    m_isTiming = isSet( "CULLET_STATS" );
    m_recordPath = variable( "CULLET_RECORD" );
    const std::string algorithm = variable( "CULLET_ALGORITHM" );
    const std::string threads = variable( "CULLET_THREADS" );
    if ( !algorithm.empty() && !readAlgorithm( algorithm, m_def.algorithm ) )
    {
        complaint = "CULLET_ALGORITHM names no algorithm: " + algorithm;
        return complaint.c_str();
    }
    if ( !threads.empty() && !readThreads( threads, m_def ) )
    {
        complaint = "CULLET_THREADS is no number of threads: " + threads;
        return complaint.c_str();
    }
    return NULL;
}
