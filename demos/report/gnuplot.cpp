// SPDX-License-Identifier: Zlib
/// \file gnuplot.cpp
/// gnuplot itself prints its error messages to stderr.
#include "gnuplot.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <stdexcept>

namespace cullet::gnuplot
{

bool isInstalled()
{
    return std::system( "command -v gnuplot >/dev/null 2>&1" ) == 0;
}

/// In gnuplot's single quotes everything is literal except the quote itself, which is doubled.
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

void requireWritable( const std::string& path )
{
    if ( !isInstalled() )
    {
        throw std::runtime_error(
            "--plot needs gnuplot, which is not installed (on Debian: apt-get install gnuplot-nox)" );
    }
    // Creates a file, because permissions alone do not show whether `folder` is a folder and its disk is writable.
    const std::filesystem::path folder = std::filesystem::absolute( path ).parent_path();
    std::string probe = folder / ".cullet-XXXXXX";
    const int file = mkstemp( probe.data() );
    if ( file < 0 )
    {
        throw std::runtime_error( "--plot cannot write into " + folder.string() );
    }
    close( file );
    unlink( probe.c_str() );
}

} // namespace cullet::gnuplot
