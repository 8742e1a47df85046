// SPDX-License-Identifier: Zlib
/// \file progress.cpp
/// Rewrites the line after a carriage return, and pads it to cover a longer previous one. Lines are cut at the width of
/// the terminal, because a wrapped line cannot be rewritten.
#include "progress.h"

#include "demos/system/system.h"

#include <fmt/format.h>

#include <cstdint>

namespace cullet::command
{

Progress::Progress() : m_isTerminal( system::terminalWidth() > 0 )
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
    m_isTerminal ? rewrite( text ) : fmt::print( stderr, "{}\n", text );
}

void Progress::detail( const std::string& text )
{
    if ( m_isTerminal )
    {
        rewrite( m_stage.empty() ? text : m_stage + ": " + text );
    }
}

void Progress::step( int step, int stepCount, const std::string& text )
{
    constexpr int linesInFiles = 10; // for all steps together
    constexpr std::chrono::milliseconds redrawInterval( 100 );
    const auto now = std::chrono::steady_clock::now();
    const auto linesAt = [stepCount]( int done ) { return std::int64_t( done ) * linesInFiles / stepCount; };
    const bool isDue =
        m_isTerminal ? step == stepCount || now - m_shownAt >= redrawInterval : linesAt( step ) != linesAt( step - 1 );
    if ( isDue )
    {
        const std::string line =
            fmt::format( "{:3d} %  step {} of {}  {}", std::int64_t( step ) * 100 / stepCount, step, stepCount, text );
        m_isTerminal ? detail( line ) : fmt::print( stderr, "{}\n", line );
        m_shownAt = now;
    }
}

void Progress::rewrite( const std::string& line )
{
    const std::string shown = line.substr( 0, system::terminalWidth() - 1 );
    fmt::print( stderr, "\r{:<{}}\r{}", "", m_shownWidth, shown );
    std::fflush( stderr );
    m_shownWidth = shown.size();
}

} // namespace cullet::command
