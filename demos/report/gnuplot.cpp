// SPDX-License-Identifier: Zlib
/// \file gnuplot.cpp
/// gnuplot itself prints its error messages to stderr.
#include "gnuplot.h"

#include "demos/system/system.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace cullet::gnuplot
{

bool isInstalled()
{
    return system::isInstalled( "gnuplot" );
}

/// In gnuplot's single quotes everything is literal except the quote itself, which is doubled.
std::string quoted( const std::string& text )
{
    return "'" + std::regex_replace( text, std::regex( "'" ), "''" ) + "'";
}

void run( const std::string& script )
{
    if ( !system::runWithInput( "gnuplot", script ) )
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
    // Opens the file, because permissions alone do not show whether its folder is a folder and the disk is writable.
    const std::filesystem::path file = std::filesystem::u8path( path );
    std::error_code ignored;
    const bool exists = std::filesystem::exists( file, ignored );
    if ( !std::ofstream( file, std::ios::app ) )
    {
        throw std::runtime_error( "--plot cannot write into " +
                                  std::filesystem::absolute( file ).parent_path().string() );
    }
    if ( !exists )
    {
        std::filesystem::remove( file );
    }
}

} // namespace cullet::gnuplot
