// SPDX-License-Identifier: Zlib
/// \file records.h
/// Results as objects of named values, and these as text for spreadsheets and programs: one list of values, so that the
/// formats cannot drift apart.
#ifndef CLT_REPORT_RECORDS_H
#define CLT_REPORT_RECORDS_H

#include "machine.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cullet::compare
{

/// One line of a result. Values in their order; null: not known.
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

/// A line of names, then a line a record; what is not known is empty.
/// \param records  not empty, all of them with the same names
std::string csvText( const std::vector<Record>& records );

/// {"machine": {…}, "date": "…", "commit": "…", "runs": [records]}
std::string jsonText( const Machine& machine, const std::vector<Record>& records );

} // namespace cullet::compare

#endif
