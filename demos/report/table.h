// SPDX-License-Identifier: Zlib
/// \file table.h
/// Aligned columns for people.
#ifndef CLT_REPORT_TABLE_H
#define CLT_REPORT_TABLE_H

#include <string>
#include <vector>

namespace cullet::compare
{

constexpr const char* unknownCell = "-";

using Cells = std::vector<std::string>;

/// A column in which nothing is known is left out, and all are as wide as what stands in them.
/// \param rows  the headings first; all of them as long
/// \param textColumns  at the left: their cells begin at the left, those of the others end at the right
/// \return a line for each row, with a newline at its end
std::vector<std::string> tableLines( const std::vector<Cells>& rows, std::size_t textColumns );

} // namespace cullet::compare

#endif
