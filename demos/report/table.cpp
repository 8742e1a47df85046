// SPDX-License-Identifier: Zlib
/// \file table.cpp
/// Two blanks between columns, or one where the table would not fit a page otherwise.
#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cullet::compare
{

namespace
{

constexpr std::size_t mostWidth = 100;

} // namespace

Table::Table( const std::vector<Column>& columns ) : m_columns( columns ), m_widths( columns.size(), 0 )
{
}

void Table::add( const Cells& cells )
{
    m_rows.push_back( cells );
    for ( std::size_t k = 0; k < cells.size(); ++k )
    {
        if ( m_widths[k] > 0 || cells[k] != unknownCell )
        {
            m_widths[k] = std::max( { m_widths[k], m_columns[k].heading.size(), cells[k].size() } );
        }
    }
}

std::string Table::headings() const
{
    Cells cells;
    for ( const Column& column : m_columns )
    {
        cells.push_back( column.heading );
    }
    return line( cells );
}

std::string Table::row( std::size_t index ) const
{
    return line( m_rows[index] );
}

std::string Table::text() const
{
    std::string result = headings();
    for ( const Cells& cells : m_rows )
    {
        result += line( cells );
    }
    return result;
}

std::string Table::line( const Cells& cells ) const
{
    const auto shown = m_widths.size() - std::size_t( std::count( m_widths.begin(), m_widths.end(), 0u ) );
    const std::size_t width = std::accumulate( m_widths.begin(), m_widths.end(), 2 * ( shown - 1 ) );
    const std::size_t gap = width <= mostWidth ? 2 : 1;
    std::string result;
    for ( std::size_t k = 0; k < cells.size(); ++k )
    {
        if ( m_widths[k] > 0 )
        {
            result += std::string( result.empty() ? 0 : gap, ' ' );
            result += fmt::format( m_columns[k].isText ? "{:<{}}" : "{:>{}}", cells[k], m_widths[k] );
        }
    }
    return result + "\n";
}

} // namespace cullet::compare
