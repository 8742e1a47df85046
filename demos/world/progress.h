// SPDX-License-Identifier: Zlib
/// \file progress.h
/// Tells on stderr how far the demo is: one line that is written over on a terminal, a line every tenth of the way in a
/// file or a pipe.
#ifndef CLT_DEMO_PROGRESS_H
#define CLT_DEMO_PROGRESS_H

#include "world.h"

#include <chrono>

namespace cullet::demo
{

class Progress
{
public:
    explicit Progress( int stepCount );

    /// After each step; most calls print nothing.
    /// \param step  counted from 1
    void report( int step, const StepRecord& record );

private:
    bool isDue( int step ) const;

    int m_stepCount;
    bool m_terminal;
    int m_stepsSince = 0;           ///< steps since the last line
    double m_millisecondsSince = 0; ///< what they took
    std::chrono::steady_clock::time_point m_lastLine;
};

} // namespace cullet::demo

#endif
