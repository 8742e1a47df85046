// SPDX-License-Identifier: Zlib
/// \file papers.h
/// The tables and figures of the papers on which cullet is based, measured again on this machine. A table is data: what
/// the paper prints, a note with its errors, and a function that measures the same rows here.
#ifndef CLT_PAPERS_PAPERS_H
#define CLT_PAPERS_PAPERS_H

#include "demos/command/progress.h"
#include "demos/report/numbers.h"
#include "demos/report/timing.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cullet::papers
{

using compare::grouped;

/// A number that may be unknown: not printed by the paper, or not measured here.
using Figure = std::optional<double>;

/// Whether a row's pairs were compared with those of an independent sweep, and were the same.
enum class Tick
{
    yes,
    no,
    none ///< not compared: the figure is published by others, or does not come from pairs
};

/// One number of a table: the paper's and ours.
struct Row
{
    std::string size;
    std::string what;
    std::string unit;
    Figure paper;
    Figure cpu; ///< on the CPU; times are medians
    Tick tick = Tick::no;
    Figure device = {};      ///< as `cpu`, on a device
    Figure tests = {};       ///< pairs tested, or roots computed, in the time of the row: the table shows the rate
    Figure x = {};           ///< x coordinate in the figure. Rows with the same `what` form a curve
    std::string grid = {};   ///< name of the grid in which this is a cell, in row `size`; empty: a line of the table
    std::string column = {}; ///< the cell's column in the grid

    bool isTime() const
    {
        return unit == "ms" || unit == "us";
    }
};

/// How much to measure, and where.
struct Effort
{
    bool isQuick = false; ///< small sizes and no times: checks that every row is right
    int threads = 0;      ///< of the library; 0: one for each processor
    bool hasCuda = false; ///< measure a CUDA device as well
    command::Progress* progress = nullptr;
};

constexpr int untimedSteps = 3;
constexpr int timedSteps = 9;

/// The rows of a table while it is measured.
struct TableBuilder
{
    const Effort effort;
    std::vector<Row> rows = {};

    bool isQuick() const
    {
        return effort.isQuick;
    }

    /// Shows what is being measured.
    void detail( const std::string& text ) const
    {
        effort.progress->detail( text );
    }

    /// Adds a figure measured on the CPU only.
    Row& add( const std::string& size, const std::string& what, const char* unit, Figure paper, Figure cpu,
              bool isRight )
    {
        return rows.emplace_back( Row{ size, what, unit, paper, cpu, isRight ? Tick::yes : Tick::no } );
    }

    /// Adds a figure that only the paper has.
    void addPaper( const std::string& size, const std::string& what, const char* unit, double paper )
    {
        rows.emplace_back( Row{ size, what, unit, paper, {}, Tick::none } );
    }

    /// Adds a cell of a grid, for figures that the paper shows in colors, without numbers.
    void addCell( const std::string& grid, const std::string& size, const std::string& column, const char* unit,
                  Figure cpu, bool isRight )
    {
        Row& row = add( size, grid + ", " + column, unit, {}, cpu, isRight );
        row.grid = grid;
        row.column = column;
    }

    /// Sets the x coordinate of the rows that have none yet.
    void setX( double x )
    {
        for ( Row& row : rows )
        {
            row.x = row.x ? row.x : Figure( x );
        }
    }

    /// Whether no row is wrong.
    bool areRight() const
    {
        return std::none_of( rows.begin(), rows.end(), []( const Row& row ) { return row.tick == Tick::no; } );
    }

    /// The milliseconds of one run of `work`, for work that takes seconds. A quick run has no time.
    template <typename Work>
    Figure onceMs( Work&& work ) const
    {
        const double milliseconds = compare::millisecondsOf( work );
        return isQuick() ? Figure() : milliseconds;
    }

    /// The median milliseconds of nine runs of `work` after an untimed one. A quick run makes only the untimed one.
    template <typename Work>
    Figure medianMs( Work&& work ) const
    {
        std::vector<double> times;
        onceMs( work );
        for ( int repeat = 0; repeat < timedSteps && !isQuick(); ++repeat )
        {
            times.push_back( *onceMs( work ) );
        }
        return compare::medianIfAny( times );
    }

    /// The sizes in `all`, without the larger ones in a quick run.
    std::vector<std::uint32_t> sizes( std::vector<std::uint32_t> all ) const
    {
        constexpr std::uint32_t mostQuickBodies = 2000;
        const auto isOut = [this]( std::uint32_t size ) { return isQuick() && size > mostQuickBodies; };
        all.erase( std::remove_if( all.begin(), all.end(), isOut ), all.end() );
        return all;
    }

    /// As sizes(), for entries with a member `size`.
    template <typename Published>
    std::vector<Published> published( std::vector<Published> all ) const
    {
        const auto isOut = [this]( const Published& entry ) { return sizes( { entry.size } ).empty(); };
        all.erase( std::remove_if( all.begin(), all.end(), isOut ), all.end() );
        return all;
    }
};

struct Paper
{
    const char* name;
    const char* title;
    const char* machine; ///< the machine on which the paper's figures were measured
};

struct Table
{
    const char* id;
    const Paper* paper;
    const char* place; ///< the table's place in the paper, for example "table 2"
    const char* title;
    const char* note; ///< errors of the paper, and the meaning of our rows
    void ( *measure )( TableBuilder& table );
    const char* xTitle = nullptr; ///< title of the figure's x axis; NULL: the table has no figure
    bool isLogarithmic = true;    ///< whether the x axis is logarithmic; the y axis always is
};

/// All tables, in the order of the papers.
std::vector<Table> allTables();

/// A part of a paper that no table measures.
struct Absent
{
    const char* paper;
    const char* what;
    const char* why;
};

std::vector<Absent> absentTables();

/// The table as text: heading, rows, grids and note.
std::string tableText( const Table& table, const std::vector<Row>& rows );

/// Writes <folder>/<id>.png, unless the table has no figure or no times. Throws std::runtime_error if gnuplot fails.
void plotTable( const std::string& folder, const Table& table, const std::vector<Row>& rows );

// ------------------------------------------------------------------------------------------ what measures each table

// Avril 2012
void measureWorlds( TableBuilder& table );       ///< figure 1, avril_bullet.cpp
void measurePairMaps( TableBuilder& table );     ///< table 2, avril_maps.cpp
void measureRootErrors( TableBuilder& table );   ///< table 3, avril_roots.cpp
void measureRoots( TableBuilder& table );        ///< table 4, avril_roots.cpp
void measureOutput( TableBuilder& table );       ///< table 5 and figure 3, avril_maps.cpp
void measureTraffic( TableBuilder& table );      ///< figure 4, avril_maps.cpp
void measureStages( TableBuilder& table );       ///< table 6, avril_grid.cpp
void measureCrossover( TableBuilder& table );    ///< table 7, avril_grid.cpp
void measureCellSize( TableBuilder& table );     ///< section 4.1, avril_cells.cpp
void measureOtherSystems( TableBuilder& table ); ///< section 6, avril_grid.cpp
void measureBullet( TableBuilder& table );       ///< figure 5, avril_bullet.cpp
void measureMoving( TableBuilder& table );       ///< figure 6, avril_bullet.cpp

// Karras 2012, karras.cpp
void measureWalks( TableBuilder& table );        ///< Part II
void measureBuild( TableBuilder& table );        ///< Part III
void measureBuildsBySize( TableBuilder& table ); ///< Part III, from few bodies to many

// Chitalu 2018, chitalu.cpp
void measureSearchTimes( TableBuilder& table ); ///< table 1
void measureSpeedups( TableBuilder& table );    ///< figure 7
void measureEntryLevels( TableBuilder& table ); ///< figure 8
void measureQueues( TableBuilder& table );      ///< figure 9

// The thesis
void measureDopBuild( TableBuilder& table );     ///< tables 4.2 and 4.3, thesis_trees.cpp
void measureDopUpdate( TableBuilder& table );    ///< table 4.4, thesis_trees.cpp
void measureDopLevels( TableBuilder& table );    ///< figures 3.3 and 4.10, thesis_trees.cpp
void measureClothDrop( TableBuilder& table );    ///< figure 4.6, thesis_trees.cpp
void measureFront( TableBuilder& table );        ///< figure 4.8, thesis_front.cpp
void measureNarrowPhase( TableBuilder& table );  ///< figure 4.9, thesis_narrow.cpp
void measureKdops( TableBuilder& table );        ///< section 2.2.2.1, thesis_narrow.cpp
void measureRebuildRules( TableBuilder& table ); ///< section 2.2.2.4, thesis_rebuild.cpp

} // namespace cullet::papers

#endif
