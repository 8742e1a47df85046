// SPDX-License-Identifier: Zlib
/// \file option_checks.cpp
/// Reads every number as a double, so that a number out of range gets another message than text that is no number.
/// CLI11's own range check accepts NaN.
#include "option_checks.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdio>

namespace cullet::command
{

/// The number in a text; NaN if the text is no number.
static double numberIn( const std::string& text )
{
    double value = 0;
    return CLI::detail::lexical_cast( text, value ) ? value : NAN;
}

CLI::Validator require( const std::function<bool( const std::string& text )>& fits, const std::string& rule )
{
    return CLI::Validator( [=]( std::string& text )
                           { return fits( text ) ? std::string() : fmt::format( "'{}' {}", text, rule ); },
                           "", "" );
}

CLI::Validator between( double least, double most, Number number )
{
    const bool isInteger = number == Number::whole;
    return require(
        [=]( const std::string& text )
        {
            const double value = numberIn( text );
            return value >= least && value <= most && ( !isInteger || value == std::floor( value ) );
        },
        fmt::format( "is not a {} from {} to {}", isInteger ? "whole number" : "number", least, most ) );
}

CLI::Validator positive( double most )
{
    return require( [=]( const std::string& text ) { return numberIn( text ) > 0 && numberIn( text ) <= most; },
                    fmt::format( "is not a number above 0, at most {}", most ) );
}

PictureSize parseSize( const std::string& text )
{
    constexpr int least = 16;
    constexpr int most = 4096;
    PictureSize size;
    char rest;
    const int count = std::sscanf( text.c_str(), "%4dx%4d%c", &size.width, &size.height, &rest );
    if ( count != 2 || std::min( size.width, size.height ) < least || std::max( size.width, size.height ) > most )
    {
        throw CLI::ValidationError( "--size",
                                    fmt::format( "'{}' is not WIDTHxHEIGHT, each from {} to {}", text, least, most ) );
    }
    return size;
}

CLI::Validator oneOf( const std::vector<std::string>& names )
{
    return require( [=]( const std::string& text )
                    { return std::find( names.begin(), names.end(), text ) != names.end(); },
                    fmt::format( "is none of {}", fmt::join( names, ", " ) ) );
}

} // namespace cullet::command
