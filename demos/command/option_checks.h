// SPDX-License-Identifier: Zlib
/// \file option_checks.h
/// Checks of option values, shared by the subcommands. An invalid value is refused with one line before anything runs.
#ifndef CLT_COMMAND_OPTION_CHECKS_H
#define CLT_COMMAND_OPTION_CHECKS_H

#include "cullet.h"

#include <CLI/App.hpp>
#include <CLI/Error.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cullet::command
{

/// \param fits  whether a text is valid
/// \param rule  the end of the message about an invalid text, after that text in quotes
CLI::Validator require( const std::function<bool( const std::string& text )>& fits, const std::string& rule );

enum class Number
{
    whole,
    real
};

/// Accepts numbers from `least` to `most`. Refuses other text, NaN and infinities.
CLI::Validator between( double least, double most, Number number );

/// Accepts numbers greater than 0, up to `most`.
CLI::Validator positive( double most );

struct PictureSize
{
    int width = 1280; ///< pixels
    int height = 800;
};

/// \throws CLI::ValidationError about --size, if the text is not WIDTHxHEIGHT
PictureSize parseSize( const std::string& text );

CLI::Validator oneOf( const std::vector<std::string>& names );

/// The names of an enumeration's values, from 0 to the last.
template <typename Enum>
std::vector<std::string> namesOf( const char* ( *nameOf )( Enum ), Enum last )
{
    std::vector<std::string> names;
    for ( int value = 0; value <= int( last ); ++value )
    {
        names.push_back( nameOf( Enum( value ) ) );
    }
    return names;
}

/// The value with a name that `oneOf( namesOf( nameOf, last ) )` accepted.
template <typename Enum>
Enum valueNamed( const std::string& name, const char* ( *nameOf )( Enum ), Enum last )
{
    const std::vector<std::string> names = namesOf( nameOf, last );
    return Enum( std::find( names.begin(), names.end(), name ) - names.begin() );
}

template <typename Value>
void refuseRepeats( const char* option, std::vector<Value> values )
{
    std::sort( values.begin(), values.end() );
    const auto repeated = std::adjacent_find( values.begin(), values.end() );
    if ( repeated != values.end() )
    {
        throw CLI::ValidationError( option, fmt::format( "{} is named twice", *repeated ) );
    }
}

} // namespace cullet::command

#endif
