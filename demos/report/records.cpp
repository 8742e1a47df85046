// SPDX-License-Identifier: Zlib
/// \file records.cpp
/// CSV as in RFC 4180.
#include "records.h"

#include "numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

namespace cullet::compare
{

/// Quotes texts that contain a comma, a quote or a newline.
std::string csvField( const Record& value )
{
    if ( value.is_null() )
    {
        return "";
    }
    const std::string text = value.is_string()         ? value.get<std::string>()
                             : value.is_number_float() ? fmt::format( "{:.6g}", value.get<double>() )
                                                       : value.dump();
    if ( text.find_first_of( ",\"\n" ) == std::string::npos )
    {
        return text;
    }
    return "\"" + std::regex_replace( text, std::regex( "\"" ), "\"\"" ) + "\"";
}

std::string csvText( const std::vector<Record>& records )
{
    std::vector<std::string> names;
    for ( const auto& item : records.front().items() )
    {
        names.push_back( item.key() );
    }
    std::string text = fmt::format( "{}\n", fmt::join( names, "," ) );
    for ( const Record& record : records )
    {
        std::vector<std::string> fields( record.size() );
        std::transform( record.begin(), record.end(), fields.begin(), csvField );
        text += fmt::format( "{}\n", fmt::join( fields, "," ) );
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

std::string cellOf( const Record& value )
{
    return value.is_null()           ? unknownCell
           : value.is_number_float() ? threeDigits( value.get<double>() )
                                     : grouped( value.get<std::uint64_t>() );
}

static std::string tableText( const Machine& machine, const Cells& headings, const std::vector<Entry>& entries )
{
    constexpr std::size_t textColumns = 2;
    std::vector<Cells> rows = { headings };
    for ( const Entry& entry : entries )
    {
        rows.insert( rows.end(), entry.rows.begin(), entry.rows.end() );
    }
    const std::vector<std::string> lines = tableLines( rows, textColumns );
    auto line = lines.begin() + 1;
    std::string text = machineText( machine );
    std::string block;
    for ( const Entry& entry : entries )
    {
        text += entry.block == block ? "" : "\n" + entry.block + "\n" + lines[0];
        block = entry.block;
        for ( std::size_t row = 0; row < entry.rows.size(); ++row )
        {
            text += *line++;
        }
        text += entry.remarks;
    }
    return text;
}

void printEntries( const std::string& format, const Cells& headings, const std::vector<Entry>& entries )
{
    std::vector<Record> records;
    std::transform( entries.begin(), entries.end(), std::back_inserter( records ),
                    []( const Entry& entry ) { return entry.record; } );
    fmt::print( "{}", format == "json"  ? jsonText( describeMachine(), records )
                      : format == "csv" ? csvText( records )
                                        : tableText( describeMachine(), headings, entries ) );
    std::fflush( stdout );
}

} // namespace cullet::compare
