// SPDX-License-Identifier: Zlib
/// \file records.cpp
/// CSV as in RFC 4180.
#include "records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>

namespace cullet::compare
{

/// Quotes texts that contain a comma, a quote or a newline.
static std::string csvField( const Record& value )
{
    if ( value.is_null() )
    {
        return "";
    }
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if ( text.find_first_of( ",\"\n" ) == std::string::npos )
    {
        return text;
    }
    return "\"" + std::regex_replace( text, std::regex( "\"" ), "\"\"" ) + "\"";
}

static std::string csvLine( const std::vector<std::string>& fields )
{
    return fmt::format( "{}\n", fmt::join( fields, "," ) );
}

std::string csvText( const std::vector<Record>& records )
{
    std::vector<std::string> names;
    for ( const auto& item : records.front().items() )
    {
        names.push_back( item.key() );
    }
    std::string text = csvLine( names );
    for ( const Record& record : records )
    {
        std::vector<std::string> fields;
        for ( const Record& value : record )
        {
            fields.push_back( csvField( value ) );
        }
        text += csvLine( fields );
    }
    return text;
}

std::string jsonText( const Machine& machine, const std::vector<Record>& records )
{
    const Record report = { { "machine",
                              { { "processor", machine.processor },
                                { "processors", machine.processorCount },
                                { "memory_gib", machine.memoryGib },
                                { "system", machine.system },
                                { "compiler", machine.compiler },
                                { "bullet", machine.bullet } } },
                            { "date", machine.date },
                            { "commit", machine.commit },
                            { "runs", records } };
    return report.dump( 2 ) + "\n";
}

} // namespace cullet::compare
