// SPDX-License-Identifier: Zlib
/// \file manual.cpp
/// The manual page that `cullet --manual` prints: the help of the program and of each subcommand, in the language of
/// man(7). help2man knows no subcommands: it would give each a page of its own, or a single line.
#include "commands.h"

#include "cullet.h"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <sstream>

namespace
{

/// Escapes text for roff: hyphens, backslashes, and the characters that begin a request. Allows line breaks after
/// commas, because the list of engines is longer than a line.
std::string escaped( const std::string& text )
{
    std::string result = text.empty() || ( text[0] != '.' && text[0] != '\'' ) ? "" : "\\&";
    for ( const char letter : text )
    {
        result += letter == '-' ? "\\-" : letter == '\\' ? "\\e" : std::string( 1, letter );
        result += letter == ',' ? "\\:" : "";
    }
    return result;
}

/// Text that man may wrap, except for lines that begin with a space: they belong to tables.
std::string wrappableText( const std::string& text )
{
    std::string result;
    bool inTable = false;
    std::istringstream lines( text );
    for ( std::string line; std::getline( lines, line ); )
    {
        const bool isTable = !line.empty() && line[0] == ' ';
        result += isTable == inTable ? "" : isTable ? ".nf\n" : ".fi\n";
        result += line.empty() ? ".PP\n" : escaped( line ) + "\n";
        inTable = isTable;
    }
    return result + ( inTable ? ".fi\n" : "" );
}

std::string describeOptions( const CLI::App& app )
{
    const CLI::Formatter formatter;
    std::string result;
    for ( const CLI::Option* option : app.get_options() )
    {
        const bool isPositional = option->get_positional();
        if ( !option->get_group().empty() && option != app.get_help_ptr() ) // hidden options have no group
        {
            result += fmt::format(
                ".TP\n\\fB{}\\fR{}\n{}\n", escaped( formatter.make_option_name( option, isPositional ) ),
                escaped( formatter.make_option_opts( option ) ), escaped( formatter.make_option_desc( option ) ) );
        }
    }
    return result;
}

std::string describe( const CLI::App& command )
{
    return fmt::format( ".SS {}\n{}{}.PP\n{}", escaped( command.get_name() ),
                        wrappableText( command.get_description() ), describeOptions( command ),
                        wrappableText( command.get_footer() ) );
}

} // namespace

std::string manualPage( const CLI::App& app )
{
    const cltVersion version = cltGetVersion();
    std::string page = fmt::format( ".TH CULLET 1 \"\" \"cullet {}.{}.{}\" \"User Commands\"\n", version.major,
                                    version.minor, version.patch );
    page += ".ad l\n.nh\n"; // no justification or hyphenation, which would break option names
    page += ".SH NAME\ncullet \\- exact broadphase beside Bullet's: comparisons, recordings, checks\n";
    page += ".SH SYNOPSIS\n.B cullet\n.I subcommand\n[\\fIoption\\fR ...]\n";
    page += ".SH DESCRIPTION\n" + wrappableText( app.get_description() );
    page += ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShows the options of a subcommand, or the list of "
            "subcommands\n";
    page += describeOptions( app );
    page += ".SH SUBCOMMANDS\n";
    for ( const CLI::App* command : app.get_subcommands( []( const CLI::App* ) { return true; } ) )
    {
        page += describe( *command );
    }
    page += ".SH EXIT STATUS\n0 for success; 1 if something failed, for example a check; 2 if an option is invalid. "
            "\\fBcullet run\\fR has the exit status of its program.\n";
    return page;
}
