// SPDX-License-Identifier: Zlib
/// \file records.h
/// Results as records of named values, and their text as a table, CSV and JSON. All formats have the same values.
#ifndef CLT_REPORT_RECORDS_H
#define CLT_REPORT_RECORDS_H

#include "machine.h"
#include "table.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cullet::compare
{

/// One line of a result, with its values in order. null: unknown.
using Record = nlohmann::ordered_json;

template <typename Value>
Record orNull( const std::optional<Value>& value )
{
    return value ? Record( *value ) : Record();
}

inline Record orNull( const std::string& text )
{
    return text.empty() ? Record() : Record( text );
}

/// A value as a cell: "-" if unknown, three digits of a real number, a whole number with commas.
std::string cellOf( const Record& value );

/// A value as a field of CSV: empty if unknown, six significant digits of a real number.
std::string csvField( const Record& value );

/// A line of names, then a line for each record. Unknown values are empty.
/// \param records  not empty, all with the same names
std::string csvText( const std::vector<Record>& records );

/// {"machine": {…}, "date": "…", "commit": "…", "runs": [records]}
std::string jsonText( const Machine& machine, const std::vector<Record>& records );

/// A record and its place in the table.
struct Entry
{
    Record record;
    std::string block; ///< the title of the record's block, then lines with remarks on the block
    std::vector<Cells> rows;
    std::string remarks; ///< lines below the rows, each ending with a newline
};

/// Prints the records.
/// \param format    "table", "csv" or "json". A table has the machine, then a block for each title
/// \param headings  of the table's columns; the first two columns are texts
void printEntries( const std::string& format, const Cells& headings, const std::vector<Entry>& entries );

} // namespace cullet::compare

#endif
