// SPDX-License-Identifier: Zlib
/// \file plot.cpp
/// Hands a script to gnuplot. The script goes through a pipe, so that no path ever passes through a shell.
#include "step_table.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace cullet::demo
{
namespace
{

#ifdef _WIN32
constexpr const char* probeCommand = "gnuplot --version > NUL 2>&1";
constexpr const char* plotCommand = "gnuplot 2> NUL";
#define popen _popen
#define pclose _pclose
#else
constexpr const char* probeCommand = "gnuplot --version > /dev/null 2>&1";
constexpr const char* plotCommand = "gnuplot 2> /dev/null";
#endif

/// In gnuplot's single quotes everything is literal but the quote itself, which is doubled.
std::string quoted( const std::string& text )
{
    std::string result = "'";
    for ( const char letter : text )
    {
        result.append( letter == '\'' ? 2 : 1, letter );
    }
    return result + "'";
}

/// Areas on top of each other, drawn from the tallest down. Columns are those of writeStepTable.
std::string scriptFor( const std::string& tablePath, const std::string& title, const std::string& picturePath )
{
    return fmt::format( "set terminal pngcairo noenhanced size 1280,640\n"
                        "set output {}\n"
                        "set datafile separator ','\n"
                        "set title {}\n"
                        "set xlabel 'step'\n"
                        "set ylabel 'ms per step'\n"
                        "set yrange [0:*]\n"
                        "set key top left reverse Left\n"
                        "set grid ytics\n"
                        "set style fill solid noborder\n"
                        "set style data filledcurves y1=0\n"
                        "table = {}\n"
                        "plot table using 1:($3+$4+$5+$6) lc rgb '#b0b0b0' title 'rest', \\\n"
                        "     table using 1:($3+$4+$5) lc rgb '#3e80d6' title 'solver', \\\n"
                        "     table using 1:($3+$4) lc rgb '#48b068' title 'narrow phase', \\\n"
                        "     table using 1:3 lc rgb '#e8821c' title 'broadphase'\n",
                        quoted( picturePath ), quoted( title ), quoted( tablePath ) );
}

} // namespace

bool plotSteps( const std::string& tablePath, const std::string& title, const std::string& picturePath )
{
    std::error_code ignored;
    std::filesystem::remove( picturePath, ignored ); // an old one must not pass for this run's
    // Without the probe, writing to a command that does not exist would end this program by a signal.
    if ( std::system( probeCommand ) != 0 )
    {
        return false;
    }
    std::FILE* gnuplot = popen( plotCommand, "w" );
    if ( gnuplot == nullptr )
    {
        return false;
    }
    const std::string script = scriptFor( tablePath, title, picturePath );
    const bool sent = std::fwrite( script.data(), 1, script.size(), gnuplot ) == script.size();
    return pclose( gnuplot ) == 0 && sent && std::filesystem::exists( picturePath );
}

} // namespace cullet::demo
