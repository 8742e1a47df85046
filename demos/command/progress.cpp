// SPDX-License-Identifier: Zlib
/// \file progress.cpp
/// Rewrites a line with a carriage return, padded so that nothing of a longer one stays behind.
#include "progress.h"

#include <fmt/format.h>

#include <unistd.h>

namespace cullet::compare
{

Progress::Progress() : m_isTerminal( isatty( STDERR_FILENO ) == 1 )
{
}

Progress::~Progress()
{
    if ( m_isTerminal )
    {
        rewrite( "" );
    }
}

void Progress::stage( const std::string& text )
{
    m_stage = text;
    if ( m_isTerminal )
    {
        rewrite( text );
    }
    else
    {
        fmt::print( stderr, "{}\n", text );
    }
}

void Progress::detail( const std::string& text )
{
    if ( m_isTerminal )
    {
        rewrite( m_stage.empty() ? text : m_stage + ": " + text );
    }
}

void Progress::rewrite( const std::string& line )
{
    fmt::print( stderr, "\r{:<{}}\r{}", "", m_shownWidth, line );
    std::fflush( stderr );
    m_shownWidth = line.size();
}

} // namespace cullet::compare
