// SPDX-License-Identifier: Zlib
/// \file manual.cpp
/// The manual page that `cullet --manual` prints: what --help says of the program and of each subcommand, in the
/// language of man(7). Written here and not by help2man, which reads one program's help: a subcommand would be a page
/// of its own, or nothing but a line.
#include "manual.h"

#include "cullet.h"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <sstream>

namespace
{

/// Text as roff takes it literally: a hyphen that is typed, a backslash, and what would begin a request. A line may
/// break behind a comma: a list of engines is longer than any.
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

/// Text that man may wrap, but for lines that begin with a space: they are tables.
std::string flowing( const std::string& text )
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
        if ( !option->get_group().empty() && option != app.get_help_ptr() ) // not a hidden one
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
    return fmt::format( ".SS {}\n{}{}.PP\n{}", escaped( command.get_name() ), flowing( command.get_description() ),
                        describeOptions( command ), flowing( command.get_footer() ) );
}

} // namespace

std::string manualPage( const CLI::App& app )
{
    const cltVersion version = cltGetVersion();
    std::string page = fmt::format( ".TH CULLET 1 \"\" \"cullet {}.{}.{}\" \"User Commands\"\n", version.major,
                                    version.minor, version.patch );
    page += ".ad l\n.nh\n"; // names of options do not stretch
    page += ".SH NAME\ncullet \\- exact broadphase beside Bullet's: comparisons, recordings, checks\n";
    page += ".SH SYNOPSIS\n.B cullet\n.I subcommand\n[\\fIoption\\fR ...]\n";
    page += ".SH DESCRIPTION\n" + flowing( app.get_description() );
    page +=
        ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nWhat a subcommand does and takes, or which there are\n";
    page += describeOptions( app );
    page += ".SH SUBCOMMANDS\n";
    for ( const CLI::App* command : app.get_subcommands( []( const CLI::App* ) { return true; } ) )
    {
        page += describe( *command );
    }
    page +=
        ".SH EXIT STATUS\n0 when all went well; 1 when something failed, for example a check; 2 when an option made "
        "no sense. \\fBcullet run\\fR ends as its program does.\n";
    return page;
}
