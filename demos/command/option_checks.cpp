// SPDX-License-Identifier: Zlib
/// \file option_checks.cpp
/// Reads the text as a double, whatever the option is stored as, so that what does not fit is told apart from what is no
/// number.
#include "option_checks.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace cullet::command
{

CLI::Validator between( double least, double most, Number number )
{
    const std::string range = fmt::format( "{} to {}", least, most );
    return CLI::Validator(
        [=]( std::string& text ) -> std::string
        {
            double value = 0;
            const bool parsed = CLI::detail::lexical_cast( text, value ) && std::isfinite( value );
            const bool fits = parsed && value >= least && value <= most;
            const bool shaped = number == Number::real || text.find_first_not_of( "+-0123456789" ) == std::string::npos;
            const char* kind = number == Number::whole ? "whole number" : "number";
            return fits && shaped ? "" : fmt::format( "'{}' is not a {} from {}", text, kind, range );
        },
        "", "" );
}

CLI::Validator positive( double most )
{
    return CLI::Validator(
        [=]( std::string& text ) -> std::string
        {
            double value = 0;
            const bool fits = CLI::detail::lexical_cast( text, value ) && value > 0 && value <= most;
            return fits ? "" : fmt::format( "'{}' is not a number above 0, at most {}", text, most );
        },
        "", "" );
}

CLI::Validator oneOf( const std::vector<std::string>& names )
{
    return CLI::Validator(
        [=]( std::string& text ) -> std::string
        {
            const bool known = std::find( names.begin(), names.end(), text ) != names.end();
            return known ? "" : fmt::format( "'{}' is none of {}", text, fmt::join( names, ", " ) );
        },
        "", "" );
}

CLI::Validator endingIn( const std::vector<std::string>& endings )
{
    return CLI::Validator(
        [=]( std::string& text ) -> std::string
        {
            const bool known =
                std::any_of( endings.begin(), endings.end(),
                             [&]( const std::string& ending ) {
                                 return text.size() > ending.size() &&
                                        text.compare( text.size() - ending.size(), ending.size(), ending ) == 0;
                             } );
            return known ? "" : fmt::format( "'{}' does not end in {}", text, fmt::join( endings, " or " ) );
        },
        "", "" );
}

} // namespace cullet::command
