// SPDX-License-Identifier: Zlib
/// \file option_checks.cpp
/// Reads the text as a double, whatever the option is stored as, so that what does not fit is told apart from what is
/// no number. CLI11's own ranges let NaN pass.
#include "option_checks.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace cullet::command
{

namespace
{

/// \param fits  whether a text does
/// \param rule  what is said of one that does not
template <typename Fits>
CLI::Validator require( const Fits& fits, const std::string& rule )
{
    return CLI::Validator( [=]( std::string& text )
                           { return fits( text ) ? std::string() : fmt::format( "'{}' {}", text, rule ); },
                           "", "" );
}

/// NaN if it is no number.
double numberIn( const std::string& text )
{
    double value = 0;
    return CLI::detail::lexical_cast( text, value ) ? value : NAN;
}

} // namespace

CLI::Validator between( double least, double most, Number number )
{
    const auto fits = [=]( const std::string& text )
    {
        const bool isWhole = text.find_first_not_of( "+-0123456789" ) == std::string::npos;
        return numberIn( text ) >= least && numberIn( text ) <= most && ( number == Number::real || isWhole );
    };
    return require( fits, fmt::format( "is not a {} from {} to {}", number == Number::whole ? "whole number" : "number",
                                       least, most ) );
}

CLI::Validator positive( double most )
{
    return require( [=]( const std::string& text ) { return numberIn( text ) > 0 && numberIn( text ) <= most; },
                    fmt::format( "is not a number above 0, at most {}", most ) );
}

CLI::Validator oneOf( const std::vector<std::string>& names )
{
    return require( [=]( const std::string& text )
                    { return std::find( names.begin(), names.end(), text ) != names.end(); },
                    fmt::format( "is none of {}", fmt::join( names, ", " ) ) );
}

CLI::Validator endingIn( const std::vector<std::string>& endings )
{
    const auto endsIn = []( const std::string& text, const std::string& ending )
    {
        const std::size_t place = text.size() - std::min( text.size(), ending.size() );
        return place > 0 && text.compare( place, ending.size(), ending ) == 0;
    };
    return require(
        [=]( const std::string& text )
        {
            return std::any_of( endings.begin(), endings.end(),
                                [&]( const std::string& ending ) { return endsIn( text, ending ); } );
        },
        fmt::format( "does not end in {}", fmt::join( endings, " or " ) ) );
}

} // namespace cullet::command
