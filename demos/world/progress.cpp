// SPDX-License-Identifier: Zlib
/// \file progress.cpp
/// Decides when a line is due, and prints it.
#include "progress.h"

#include <cstdint>
#include <cstdio>
#include <fmt/format.h>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace cullet::demo
{
namespace
{

constexpr int linesWithoutTerminal = 10;
constexpr std::chrono::milliseconds redrawInterval( 100 );

bool isTerminal( std::FILE* stream )
{
#ifdef _WIN32
    return _isatty( _fileno( stream ) ) != 0;
#else
    return isatty( fileno( stream ) ) != 0;
#endif
}

} // namespace

Progress::Progress( int stepCount ) : m_stepCount( stepCount ), m_terminal( isTerminal( stderr ) )
{
}

bool Progress::isDue( int step ) const
{
    if ( step == m_stepCount )
    {
        return true;
    }
    if ( m_terminal )
    {
        return std::chrono::steady_clock::now() - m_lastLine >= redrawInterval;
    }
    const auto tenth = [this]( int count ) { return std::int64_t( count ) * linesWithoutTerminal / m_stepCount; };
    return tenth( step ) != tenth( step - 1 );
}

void Progress::report( int step, const StepRecord& record )
{
    m_millisecondsSince += record.times.whole;
    ++m_stepsSince;
    if ( !isDue( step ) )
    {
        return;
    }
    const bool last = step == m_stepCount;
    fmt::print( stderr, "{}{:3d} %  step {} of {}  {:7.2f} ms per step  {:8d} pairs{}", m_terminal ? "\r" : "",
                int( std::int64_t( step ) * 100 / m_stepCount ), step, m_stepCount, m_millisecondsSince / m_stepsSince,
                record.pairs, m_terminal && !last ? "  " : "\n" );
    std::fflush( stderr );
    m_lastLine = std::chrono::steady_clock::now();
    m_stepsSince = 0;
    m_millisecondsSince = 0;
}

} // namespace cullet::demo
