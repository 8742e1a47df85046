// SPDX-License-Identifier: Zlib
/// \file table.cpp
/// Puts two blanks between columns, or one if the table would be wider than a page.
#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cullet::compare
{

static constexpr std::size_t mostWidth = 100;

/// The width of each column, including its heading; 0 if the column has no known cell.
static std::vector<std::size_t> widthsOf( const std::vector<Cells>& rows )
{
    std::vector<std::size_t> widths( rows[0].size(), 0 );
    for ( std::size_t row = 1; row < rows.size(); ++row )
    {
        for ( std::size_t column = 0; column < widths.size(); ++column )
        {
            const std::string& cell = rows[row][column];
            const std::size_t least = std::max( rows[0][column].size(), cell.size() );
            widths[column] = std::max( widths[column], cell == unknownCell ? 0 : least );
        }
    }
    return widths;
}

std::vector<std::string> tableLines( const std::vector<Cells>& rows, std::size_t textColumns )
{
    const std::vector<std::size_t> widths = widthsOf( rows );
    const auto shown = widths.size() - std::size_t( std::count( widths.begin(), widths.end(), 0u ) );
    const std::size_t width = std::accumulate( widths.begin(), widths.end(), 2 * ( shown - 1 ) );
    const std::size_t gap = width <= mostWidth ? 2 : 1;
    std::vector<std::string> lines( rows.size() );
    for ( std::size_t row = 0; row < rows.size(); ++row )
    {
        for ( std::size_t column = 0; column < widths.size(); ++column )
        {
            if ( widths[column] > 0 )
            {
                lines[row] += std::string( lines[row].empty() ? 0 : gap, ' ' );
                lines[row] +=
                    fmt::format( column < textColumns ? "{:<{}}" : "{:>{}}", rows[row][column], widths[column] );
            }
        }
        lines[row] += "\n";
    }
    return lines;
}

} // namespace cullet::compare
