// SPDX-License-Identifier: Zlib
/// \file plot.cpp
/// Pipes a script into gnuplot.
#include "plot.h"

#include "plot_panels.h"
#include "plot_script.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace cullet::compare
{

void requirePlotting( const std::string& path )
{
    if ( std::system( "command -v gnuplot >/dev/null 2>&1" ) != 0 )
    {
        throw std::runtime_error(
            "--plot needs gnuplot, which is not installed (on Debian: apt-get install gnuplot-nox)" );
    }
    const std::filesystem::path folder = std::filesystem::absolute( path ).parent_path();
    if ( access( folder.c_str(), W_OK ) != 0 )
    {
        throw std::runtime_error( fmt::format( "--plot cannot write into {}", folder.string() ) );
    }
}

void plotRuns( const std::string& path, const Machine& machine, const std::vector<Run>& runs )
{
    const std::vector<Panel> panels = plotPanels( runs );
    if ( panels.empty() )
    {
        throw std::runtime_error( "nothing to plot: no engine finished a timed step" );
    }
    const std::vector<std::string> heading = {
        machineLine( machine ),
        fmt::format( "cullet {}, Bullet {}, {}", machine.commit, machine.bullet, machine.compiler ),
        "medians of whole steps: setting boxes and finding pairs",
    };
    const std::string script = plotScript( path, heading, panels );
    std::FILE* pipe = popen( "gnuplot", "w" );
    if ( pipe == nullptr )
    {
        throw std::runtime_error( "--plot could not start gnuplot" );
    }
    const bool written = std::fwrite( script.data(), 1, script.size(), pipe ) == script.size();
    if ( pclose( pipe ) != 0 || !written )
    {
        throw std::runtime_error( fmt::format( "gnuplot could not draw {}", path ) );
    }
}

} // namespace cullet::compare
