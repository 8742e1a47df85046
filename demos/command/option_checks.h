// SPDX-License-Identifier: Zlib
/// \file option_checks.h
/// What options take, shared by the subcommands: whatever lies outside is refused in one line before anything runs.
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

/// \param fits  whether a text does
/// \param rule  what is said of one that does not
CLI::Validator require( const std::function<bool( const std::string& text )>& fits, const std::string& rule );

enum class Number
{
    whole,
    real
};

/// Refuses what is no number at all, NaN and infinities included. Counts must be whole.
CLI::Validator between( double least, double most, Number number );

/// Greater than 0, however small.
CLI::Validator positive( double most );

CLI::Validator oneOf( const std::vector<std::string>& names );

/// What `nameOf` says of an enumeration's values, from 0 to the last.
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

/// The way back, of a name that the option took.
template <typename Enum>
Enum valueNamed( const std::string& name, cltStatus ( *fromName )( const char*, Enum* ) )
{
    Enum value{};
    if ( fromName( name.c_str(), &value ) != clt_ok )
    {
        throw std::logic_error( name + " was taken for an option and is none of its names" );
    }
    return value;
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
