// SPDX-License-Identifier: Zlib
/// \file grid.h
/// Figures with two parameters, which papers show in colors, as a grid of numbers with a mark at the smallest.
#ifndef CLT_PAPERS_GRID_H
#define CLT_PAPERS_GRID_H

#include "papers.h"

namespace cullet::papers
{

struct Grid
{
    std::string name, unit;
    std::vector<std::string> rows, columns;
    std::vector<std::vector<double>> cells; ///< by row, then column; NaN: unknown
    bool isRight = true;                    ///< the results of all cells are right

    /// The smallest known cell; NaN if there is none.
    double smallest() const;
};

/// Collects the rows that are cells. A grid has one unit and at least one known cell.
std::vector<Grid> gridsOf( const std::vector<Row>& rows );

/// The grids as text, with a star at the smallest number.
std::string gridsText( const std::vector<Row>& rows );

} // namespace cullet::papers

#endif
