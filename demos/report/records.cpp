// SPDX-License-Identifier: Zlib
/// \file records.cpp
/// CSV as in RFC 4180.
#include "records.h"

#include "numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <regex>

namespace cullet::compare
{

/// A table that would be wider has one blank between columns, others two.
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
