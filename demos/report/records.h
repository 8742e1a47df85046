// SPDX-License-Identifier: Zlib
/// \file records.h
/// Results as records of named values, and their text as CSV and JSON. Both formats come from the same records, so that
/// they have the same values.
#ifndef CLT_REPORT_RECORDS_H
#define CLT_REPORT_RECORDS_H

#include "machine.h"

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

/// A line of names, then a line for each record. Unknown values are empty.
/// \param records  not empty, all with the same names
std::string csvText( const std::vector<Record>& records );

/// {"machine": {…}, "date": "…", "commit": "…", "runs": [records]}
std::string jsonText( const Machine& machine, const std::vector<Record>& records );

} // namespace cullet::compare

#endif
