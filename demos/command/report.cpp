// SPDX-License-Identifier: Zlib
/// \file report.cpp
/// What the subcommands do with their runs in the end, whatever the format.
#include "report.h"

#include "digits.h"

#include <fmt/format.h>

#include <algorithm>

namespace cullet::compare
{

void setRatiosToDbvt( std::vector<Run>& runs )
{
    const auto dbvt = std::find_if( runs.begin(), runs.end(), []( const Run& run ) { return run.engine == "dbvt"; } );
    for ( Run& run : runs )
    {
        if ( dbvt != runs.end() && dbvt->totalMs && run.totalMs && *run.totalMs > 0 )
        {
            run.ratioToDbvt = *dbvt->totalMs / *run.totalMs;
        }
    }
}

std::string caseName( const Run& run )
{
    const std::string speed = run.speed ? fmt::format( ", speed {:g}", *run.speed ) : "";
    const std::string jumping = run.jumping.value_or( 0 ) > 0 ? fmt::format( ", {:g} % jumping", *run.jumping ) : "";
    return fmt::format( "{}, {} bodies, {:g} % moving{}{}", run.scene, grouped( run.bodies ), run.moving, speed,
                        jumping );
}

std::string formattedReport( const std::string& format, const Machine& machine, const std::vector<Run>& runs )
{
    return format == "json"  ? jsonReport( machine, runs )
           : format == "csv" ? csvReport( runs )
                             : tableReport( machine, runs );
}

bool tellWrong( const std::vector<Run>& runs )
{
    bool anyWrong = false;
    for ( const Run& run : runs )
    {
        if ( !run.wrong.empty() )
        {
            fmt::print( stderr, "cullet: {} on {}, {} bodies, {}\n", run.engine, run.scene, run.bodies, run.wrong );
            anyWrong = true;
        }
    }
    return anyWrong;
}

} // namespace cullet::compare
