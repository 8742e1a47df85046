// SPDX-License-Identifier: Zlib
/// \file avril_grid.cpp
/// Table 6: the stages of an update with a grid. Table 7: the number of bodies above which a grid beats brute force.
/// Section 6: other published systems.
#include "motion.h"

namespace cullet::papers
{

void measureStages( TableBuilder& table )
{
    struct Published
    {
        std::uint32_t size;
        double set, build, find, total;
    };
    for ( const Published& published : table.published<Published>( { { 1000, 0.03, 0.13, 0.09, 0.25 },
                                                                     { 10000, 0.31, 1.45, 0.59, 2.35 },
                                                                     { 100000, 3.38, 11.12, 13.41, 27.91 },
                                                                     { 1000000, 14.26, 134.91, 142.72, 291.89 } } ) )
    {
        const std::string size = grouped( published.size );
        table.detail( size );
        const Motion motion( clt_sceneColumn, published.size, table );
        const CpuAndDevice grid = measureLibrary( table, clt_algorithmGrid, motion );
        addTime( table, size, "boxes", published.set, grid, setPart );
        addTime( table, size, "grid", published.build, grid, buildPart );
        addTime( table, size, "pairs in cells", published.find, grid, findPart );
        addTime( table, size, "total", published.total, grid, totalPart );
        const CpuAndDevice best = measureLibrary( table, clt_algorithmAuto, motion );
        addTime( table, size, "total, what auto takes", published.total, best, totalPart );
    }
}

void measureCrossover( TableBuilder& table )
{
    struct Published
    {
        std::uint32_t size;
        Figure brute, grid;
    };
    Figure crossing;
    for ( const Published& published : table.published<Published>( { { 30, {}, {} },
                                                                     { 100, 0.046, 1.020 },
                                                                     { 200, {}, {} },
                                                                     { 300, {}, {} },
                                                                     { 500, {}, {} },
                                                                     { 1000, 0.872, 1.840 },
                                                                     { 2000, {}, {} },
                                                                     { 10000, 31.450, 3.257 } } ) )
    {
        const std::string size = grouped( published.size );
        table.detail( size );
        const Motion motion( clt_sceneBrownian, published.size, table );
        const CpuAndDevice brute = measureLibrary( table, clt_algorithmBruteForce, motion );
        const CpuAndDevice grid = measureLibrary( table, clt_algorithmGrid, motion );
        addTime( table, size, "without grid", published.brute, brute, totalPart ).tests = brute.cpu.candidates;
        addTime( table, size, "with grid", published.grid, grid, totalPart );
        table.setX( published.size );
        if ( !crossing && grid.cpu.ms[totalPart] && *grid.cpu.ms[totalPart] < *brute.cpu.ms[totalPart] )
        {
            crossing = published.size;
        }
    }
    table.add( "the grid wins", "from so many bodies on", "", 1000.0, crossing, table.areRight() );
}

void measureOtherSystems( TableBuilder& table )
{
    struct Published
    {
        std::uint32_t size;
        const char* system;
        double other, paper;
    };
    for ( const Published& published :
          table.published<Published>( { { 304, "Pabst 2010, a hundredth of all", 1.28, 0.41 },
                                        { 3000, "Tracy 2009", 4, 0.46 },
                                        { 64000, "Liu 2010", 13.71, 15.67 },
                                        { 128000, "Liu 2010", 48.16, 30.68 },
                                        { 256000, "Liu 2010", 241, 50.33 } } ) )
    {
        const std::string size = grouped( published.size );
        table.detail( size );
        const Motion motion( clt_sceneBrownian, published.size, table );
        const CpuAndDevice grid = measureLibrary( table, clt_algorithmGrid, motion );
        const CpuAndDevice best = measureLibrary( table, clt_algorithmAuto, motion );
        table.addPaper( size, published.system, "ms", published.other );
        addTime( table, size, "the paper, and our grid", published.paper, grid, totalPart );
        addTime( table, size, "the paper, and what auto takes", published.paper, best, totalPart );
    }
}

} // namespace cullet::papers
