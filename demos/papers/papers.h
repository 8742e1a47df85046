// SPDX-License-Identifier: Zlib
/// \file papers.h
/// The tables and figures of the papers on which cullet is based, measured again on this machine. A table is data: what
/// the paper prints, a note with its errors, and a function that measures the same rows here.
#ifndef CLT_PAPERS_PAPERS_H
#define CLT_PAPERS_PAPERS_H

#include "demos/command/progress.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cullet::papers
{

/// How much to measure, and where.
struct Effort
{
    bool isQuick = false; ///< small sizes and no times: checks that every row is right
    int threads = 0;      ///< of the library; 0: one for each processor
    bool hasCuda = false; ///< measure a CUDA device as well
    command::Progress* progress = nullptr;
};

/// Whether the pairs were those of an independent sweep.
enum class Tick
{
    yes,
    no,
    none ///< not compared: the figure is published by others, or does not come from pairs
};

inline Tick tickOf( bool isRight )
{
    return isRight ? Tick::yes : Tick::no;
}

/// One figure of a table: the paper's and ours.
struct Row
{
    std::string size;
    std::string what;
    std::string unit;
    std::optional<double> paper;  ///< empty: the paper does not print it
    std::optional<double> cpu;    ///< empty: not measured. Times are medians
    std::optional<double> device; ///< the same on a device
    std::optional<double> tests;  ///< pairs tested, or roots computed, in that time: the table shows the rate
    Tick tick = Tick::no;
    std::optional<double> x; ///< x coordinate in the figure. The rows with the same `what` are a curve
    std::string grid = {};   ///< the grid of which the row is a cell, in its row `size`; empty: a line of the table
    std::string column = {}; ///< the cell's column
};

/// Whether no row is wrong.
inline bool areRight( const std::vector<Row>& rows )
{
    return std::none_of( rows.begin(), rows.end(), []( const Row& row ) { return row.tick == Tick::no; } );
}

/// A figure measured on the CPU only.
inline Row cpuRow( const std::string& size, const std::string& what, const char* unit, std::optional<double> paper,
                   std::optional<double> cpu, bool isRight )
{
    return { size, what, unit, paper, cpu, {}, {}, tickOf( isRight ), {} };
}

/// A figure that only the paper has.
inline Row paperRow( const std::string& size, const std::string& what, const char* unit, double paper )
{
    return { size, what, unit, paper, {}, {}, {}, Tick::none, {} };
}

/// A cell of a grid, for figures that the paper shows in colors, without numbers.
inline Row cellRow( const std::string& grid, const std::string& size, const std::string& column, const char* unit,
                    std::optional<double> cpu, bool isRight )
{
    return { size, grid + ", " + column, unit, {}, cpu, {}, {}, tickOf( isRight ), {}, grid, column };
}

struct Paper
{
    const char* name;
    const char* title;
    const char* machine; ///< that its figures were measured on
};

struct Table
{
    const char* id;
    const Paper* paper;
    const char* place; ///< in the paper
    const char* title;
    const char* note; ///< errors of the paper, and the meaning of our rows
    std::vector<Row> ( *measure )( const Effort& effort );
    const char* xTitle = nullptr; ///< of the figure; NULL: the table has no figure
    bool isLogarithmic = true;    ///< the x axis. The y axis always is
};

/// In the order of the papers.
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

} // namespace cullet::papers

#endif
