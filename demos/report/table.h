// SPDX-License-Identifier: Zlib
/// \file table.h
/// Text tables with aligned columns. fmt aligns single fields only, and Debian has no small table library for C++.
#ifndef CLT_REPORT_TABLE_H
#define CLT_REPORT_TABLE_H

#include <string>
#include <vector>

namespace cullet::compare
{

constexpr const char* unknownCell = "-";

using Cells = std::vector<std::string>;

/// Columns without a known cell are left out. Each column is as wide as its widest cell.
/// \param rows         the headings first, all of the same length
/// \param textColumns  number of columns, from the first on, that are aligned to the left; the others to the right
/// \return a line for each row, ending with a newline
std::vector<std::string> tableLines( const std::vector<Cells>& rows, std::size_t textColumns );

} // namespace cullet::compare

#endif
