// SPDX-License-Identifier: Zlib
/// \file grid.h
/// Figures over two things at a time, which papers show in colors: a grid of numbers, the smallest one marked.
#ifndef CLT_PAPERS_GRID_H
#define CLT_PAPERS_GRID_H

#include "papers.h"

namespace cullet::papers
{

struct Grid
{
    std::string name, unit;
    std::vector<std::string> rows, columns;
    std::vector<std::vector<double>> cells; ///< by row, by column; NaN: nothing is known
    bool isRight = true;                    ///< all of it

    /// Of all cells; NaN if nothing is known.
    double smallest() const;
};

/// Of all rows of a table that are cells, in their order. A grid has one unit, and something is known in it.
std::vector<Grid> gridsOf( const std::vector<Row>& rows );

/// For people, with a star at the smallest number.
std::string gridsText( const std::vector<Row>& rows );

/// Draws into a file what is of the first grid's unit. Throws std::runtime_error if gnuplot fails.
/// \param heading  lines with \n between them
void plotGrids( const std::string& path, const std::string& name, const std::string& heading,
                const std::vector<Grid>& grids );

} // namespace cullet::papers

#endif
