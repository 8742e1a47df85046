// SPDX-License-Identifier: Zlib
/// \file avril_grid.cpp
/// Table 6: the stages of an update with a grid. Table 7: from which size on the grid is faster than brute force.
/// Section 6: other published systems.
#include "measurements.h"
#include "motion.h"

#include "demos/report/numbers.h"

#include <map>

namespace cullet::papers
{

using compare::grouped;

// -------------------------------------------------------------------------------------------------------- table 6

std::vector<Row> measureStages( const Effort& effort )
{
    struct Published
    {
        std::uint32_t size;
        double set, build, find, total;
    };
    const Published all[] = { { 1000, 0.03, 0.13, 0.09, 0.25 },
                              { 10000, 0.31, 1.45, 0.59, 2.35 },
                              { 100000, 3.38, 11.12, 13.41, 27.91 },
                              { 1000000, 14.26, 134.91, 142.72, 291.89 } };
    std::vector<Row> rows;
    for ( const Published& published : publishedFor( effort, all ) )
    {
        const std::string size = grouped( published.size );
        effort.progress->detail( size );
        const Motion motion( clt_sceneColumn, published.size, effort );
        const CpuAndDevice grid = measureCpuAndDevice( defOf( clt_algorithmGrid, effort ), motion, effort );
        rows.push_back( rowOf( size, "boxes", published.set, grid, &Updates::setMs ) );
        rows.push_back( rowOf( size, "grid", published.build, grid, &Updates::buildMs ) );
        rows.push_back( rowOf( size, "pairs in cells", published.find, grid, &Updates::findMs ) );
        rows.push_back( rowOf( size, "total", published.total, grid, &Updates::totalMs ) );
        const CpuAndDevice best = measureCpuAndDevice( defOf( clt_algorithmAuto, effort ), motion, effort );
        rows.push_back( rowOf( size, "total, what auto takes", published.total, best, &Updates::totalMs ) );
    }
    return rows;
}

// -------------------------------------------------------------------------------------------------------- table 7

std::vector<Row> measureCrossing( const Effort& effort )
{
    struct Published
    {
        double brute, grid;
    };
    const std::map<std::uint32_t, Published> paper = {
        { 100, { 0.046, 1.020 } }, { 1000, { 0.872, 1.840 } }, { 10000, { 31.450, 3.257 } } };
    std::vector<Row> rows;
    std::optional<double> crossing;
    for ( const std::uint32_t size : sizesFor( effort, { 30, 100, 200, 300, 500, 1000, 2000, 10000 } ) )
    {
        effort.progress->detail( grouped( size ) );
        const auto published = paper.find( size );
        const auto figure = [&]( double Published::*of )
        { return published == paper.end() ? std::optional<double>() : published->second.*of; };
        const Motion motion( clt_sceneBrownian, size, effort );
        const CpuAndDevice brute = measureCpuAndDevice( defOf( clt_algorithmBruteForce, effort ), motion, effort );
        const CpuAndDevice grid = measureCpuAndDevice( defOf( clt_algorithmGrid, effort ), motion, effort );
        rows.push_back(
            rowOf( grouped( size ), "without grid", figure( &Published::brute ), brute, &Updates::totalMs ) );
        rows.back().tests = brute.cpu.candidates;
        rows.push_back( rowOf( grouped( size ), "with grid", figure( &Published::grid ), grid, &Updates::totalMs ) );
        setX( rows, size );
        if ( !crossing && grid.cpu.totalMs && *grid.cpu.totalMs < *brute.cpu.totalMs )
        {
            crossing = size;
        }
    }
    rows.push_back( cpuRow( "the grid wins", "from so many bodies on", "", 1000.0, crossing, areRight( rows ) ) );
    return rows;
}

// ----------------------------------------------------------------------------------------------------- section 6

std::vector<Row> measureOthers( const Effort& effort )
{
    struct Published
    {
        std::uint32_t size;
        const char* system;
        double other, paper;
    };
    const Published all[] = { { 304, "Pabst 2010, a hundredth of all", 1.28, 0.41 },
                              { 3000, "Tracy 2009", 4, 0.46 },
                              { 64000, "Liu 2010", 13.71, 15.67 },
                              { 128000, "Liu 2010", 48.16, 30.68 },
                              { 256000, "Liu 2010", 241, 50.33 } };
    std::vector<Row> rows;
    for ( const Published& published : publishedFor( effort, all ) )
    {
        effort.progress->detail( grouped( published.size ) );
        const Motion motion( clt_sceneBrownian, published.size, effort );
        const std::string size = grouped( published.size );
        const CpuAndDevice grid = measureCpuAndDevice( defOf( clt_algorithmGrid, effort ), motion, effort );
        const CpuAndDevice best = measureCpuAndDevice( defOf( clt_algorithmAuto, effort ), motion, effort );
        rows.push_back( paperRow( size, published.system, "ms", published.other ) );
        rows.push_back( rowOf( size, "the paper, and our grid", published.paper, grid, &Updates::totalMs ) );
        rows.push_back( rowOf( size, "the paper, and what auto takes", published.paper, best, &Updates::totalMs ) );
    }
    return rows;
}

} // namespace cullet::papers
