// SPDX-License-Identifier: Zlib
/// \file data.cpp
/// The result for programs: JSON, and CSV made from the same objects, so that the two cannot drift apart.
#include "report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace cullet::compare
{

namespace
{

using Json = nlohmann::ordered_json;

template <typename Value>
Json orNull( const std::optional<Value>& value )
{
    return value ? Json( *value ) : Json();
}

Json orNull( const std::string& text )
{
    return text.empty() ? Json() : Json( text );
}

Json runObject( const Run& run )
{
    return {
        { "scene", run.scene },
        { "bodies", run.bodies },
        { "moving", run.moving },
        { "speed", orNull( run.speed ) },
        { "jumping", orNull( run.jumping ) },
        { "notes", orNull( fmt::format( "{}", fmt::join( run.notes, "; " ) ) ) },
        { "engine", run.engine },
        { "algorithm", orNull( run.facts.algorithm ) },
        { "simd", orNull( run.facts.simd ) },
        { "device", run.facts.device },
        { "threads", run.facts.threads },
        { "precision", orNull( run.facts.precision ) },
        { "steps", run.steps },
        { "set_ms", orNull( run.setMs ) },
        { "pairs_ms", orNull( run.pairsMs ) },
        { "cache_ms", orNull( run.cacheMs ) },
        { "kernel_ms", orNull( run.kernelMs ) },
        { "update_ms", orNull( run.updateMs ) },
        { "query_ms", orNull( run.queryMs ) },
        { "total_ms", orNull( run.totalMs ) },
        { "pairs", orNull( run.pairs ) },
        { "began", orNull( run.began ) },
        { "ended", orNull( run.ended ) },
        { "peak_mib", orNull( run.peakMib ) },
        { "ratio_to_dbvt", orNull( run.ratioToDbvt ) },
        { "device_failures", run.facts.deviceFailures },
        { "checked", run.checked },
        { "capped", orNull( run.capped ) },
        { "wrong", orNull( run.wrong ) },
    };
}

Json machineObject( const Machine& machine )
{
    return {
        { "processor", machine.processor },  { "processors", machine.processorCount },
        { "memory_gib", machine.memoryGib }, { "system", machine.system },
        { "compiler", machine.compiler },    { "bullet", machine.bullet },
    };
}

/// Texts quoted where a comma is in them, as RFC 4180 has it.
std::string csvField( const Json& value )
{
    if ( value.is_null() )
    {
        return "";
    }
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if ( text.find_first_of( ",\"\n" ) == std::string::npos )
    {
        return text;
    }
    for ( std::size_t quote = text.find( '"' ); quote != std::string::npos; quote = text.find( '"', quote + 2 ) )
    {
        text.insert( quote, 1, '"' );
    }
    return fmt::format( "\"{}\"", text );
}

} // namespace

std::string jsonReport( const Machine& machine, const std::vector<Run>& runs )
{
    Json report = { { "machine", machineObject( machine ) },
                    { "date", machine.date },
                    { "commit", machine.commit },
                    { "runs", Json::array() } };
    for ( const Run& run : runs )
    {
        report["runs"].push_back( runObject( run ) );
    }
    return report.dump( 2 ) + "\n";
}

std::string csvReport( const std::vector<Run>& runs )
{
    std::string report;
    const auto addLine = [&report]( const Json& object, const auto& field )
    {
        const char* separator = "";
        for ( const auto& item : object.items() )
        {
            report += separator + field( item );
            separator = ",";
        }
        report += "\n";
    };
    addLine( runObject( Run() ), []( const auto& item ) { return std::string( item.key() ); } );
    for ( const Run& run : runs )
    {
        addLine( runObject( run ), []( const auto& item ) { return csvField( item.value() ); } );
    }
    return report;
}

} // namespace cullet::compare
