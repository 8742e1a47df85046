// SPDX-License-Identifier: Zlib
/// \file gnuplot.cpp
/// gnuplot's own messages reach stderr.
#include "gnuplot.h"

#include <cstdio>
#include <cstdlib>
#include <regex>
#include <stdexcept>

namespace cullet::gnuplot
{

bool isInstalled()
{
    return std::system( "command -v gnuplot >/dev/null 2>&1" ) == 0;
}

/// In gnuplot's single quotes everything is literal but the quote itself, which is doubled.
std::string quoted( const std::string& text )
{
    return "'" + std::regex_replace( text, std::regex( "'" ), "''" ) + "'";
}

void run( const std::string& script )
{
    std::FILE* pipe = popen( "gnuplot", "w" );
    if ( pipe == nullptr )
    {
        throw std::runtime_error( "gnuplot could not be started" );
    }
    const bool isWritten = std::fwrite( script.data(), 1, script.size(), pipe ) == script.size();
    if ( pclose( pipe ) != 0 || !isWritten )
    {
        throw std::runtime_error( "gnuplot could not draw" );
    }
}

} // namespace cullet::gnuplot
