// SPDX-License-Identifier: Zlib
/// \file papers.h
/// The tables and figures of the papers that cullet is built from, measured again on this machine. A table is data:
/// what the paper prints, what is wrong with that, and a function that measures the same rows here.
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

/// How much is measured, and where.
struct Effort
{
    bool isQuick = false; ///< small sizes, nothing timed: is everything right?
    int threads = 0;      ///< of the library; 0: one a processor
    bool hasCuda = false; ///< a CUDA device is measured beside the CPU
    command::Progress* progress = nullptr;
};

/// Whether the pairs were those of an independent sweep, after every correction.
enum class Tick
{
    yes,
    no,
    none ///< nothing was compared: the figure is another's, or not one of pairs
};

inline Tick tickOf( bool isRight )
{
    return isRight ? Tick::yes : Tick::no;
}

/// One figure of a table: the paper's, and what it is here.
struct Row
{
    std::string size;
    std::string what;
    std::string unit;
    std::optional<double> paper;  ///< empty: not printed there
    std::optional<double> cpu;    ///< empty: not measured; all that is timed is a median
    std::optional<double> device; ///< the same
    std::optional<double> tests;  ///< pairs tested, or roots taken, in that time: rates show what cannot be
    Tick tick = Tick::no;
    std::optional<double> x; ///< where it is in the figure; a curve is all rows of one `what`
    std::string grid = {};   ///< of which grid it is a cell, in the row `size`; empty: it is a line of its own
    std::string column = {}; ///< of the grid
};

/// None of them is wrong.
inline bool areRight( const std::vector<Row>& rows )
{
    return std::none_of( rows.begin(), rows.end(), []( const Row& row ) { return row.tick == Tick::no; } );
}

/// A figure of the CPU's alone.
inline Row cpuRow( const std::string& size, const std::string& what, const char* unit, std::optional<double> paper,
                   std::optional<double> cpu, bool isRight )
{
    return { size, what, unit, paper, cpu, {}, {}, tickOf( isRight ), {} };
}

/// A figure that is not ours.
inline Row paperRow( const std::string& size, const std::string& what, const char* unit, double paper )
{
    return { size, what, unit, paper, {}, {}, {}, Tick::none, {} };
}

/// A cell of a grid, of what the paper shows in colors and prints no numbers of.
inline Row cellRow( const std::string& grid, const std::string& size, const std::string& column, const char* unit,
                    std::optional<double> cpu, bool isRight )
{
    return { size, grid + ", " + column, unit, {}, cpu, {}, {}, tickOf( isRight ), {}, grid, column };
}

struct Paper
{
    const char* name;
    const char* title;
    const char* machine; ///< on which its figures were measured
};

struct Table
{
    const char* id;
    const Paper* paper;
    const char* place; ///< in the paper
    const char* title;
    const char* note; ///< errata, and what our rows mean; empty if there is nothing to say
    std::vector<Row> ( *measure )( const Effort& effort );
    const char* xTitle = nullptr; ///< of the figure; NULL: there is none
    bool isLogarithmic = true;    ///< its x axis; that of times always is
};

/// In the order of the papers.
std::vector<Table> allTables();

std::vector<Table> avrilTables();
std::vector<Table> karrasTables();
std::vector<Table> chitaluTables();
std::vector<Table> thesisTables();

/// What a paper has and no table here does.
struct Absent
{
    const char* paper;
    const char* what;
    const char* why;
};

std::vector<Absent> absentTables();

/// A heading, the rows in columns, the grids, the note.
std::string tableText( const Table& table, const std::vector<Row>& rows );

/// Writes <folder>/<id>.png, or nothing if the table has no figure or nothing was timed. Throws std::runtime_error if
/// gnuplot fails.
void plotTable( const std::string& folder, const Table& table, const std::vector<Row>& rows );

} // namespace cullet::papers

#endif
