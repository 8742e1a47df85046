// SPDX-License-Identifier: Zlib
/// \file table.h
/// Aligned columns for people. A column in which nothing is known is left out, and all are as wide as what stands in
/// them.
#ifndef CLT_REPORT_TABLE_H
#define CLT_REPORT_TABLE_H

#include <string>
#include <vector>

namespace cullet::compare
{

constexpr const char* unknownCell = "-";

struct Column
{
    std::string heading;
    bool isText; ///< begins at the left
};

class Table
{
public:
    explicit Table( const std::vector<Column>& columns );

    /// \param cells  one for each column
    void add( const std::vector<std::string>& cells );

    /// Lines that end in a newline, as wide as the whole table makes them.
    std::string headings() const;
    std::string row( std::size_t index ) const;

    /// All of them.
    std::string text() const;

private:
    using Cells = std::vector<std::string>;

    std::string line( const Cells& cells ) const;

    std::vector<Column> m_columns;
    std::vector<std::size_t> m_widths; ///< of the widest cell; 0: nothing is known in the column
    std::vector<Cells> m_rows;
};

} // namespace cullet::compare

#endif
