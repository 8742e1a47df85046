// SPDX-License-Identifier: Zlib
/// \file progress.h
/// Says on stderr what is going on: in place on a terminal, in few lines in a file, so that logs stay short.
#ifndef CLT_COMMAND_PROGRESS_H
#define CLT_COMMAND_PROGRESS_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cullet::command
{

class Progress
{
public:
    Progress();

    /// Leaves a clean line behind.
    ~Progress();

    Progress( const Progress& ) = delete;
    Progress& operator=( const Progress& ) = delete;

    /// Begins something that takes a while, such as a scene at one size.
    void stage( const std::string& text );

    /// What the stage is at. Shown on terminals only.
    void detail( const std::string& text );

    /// One of many short steps: a detail, not more often than one can read; in a file a line for every tenth of the
    /// way.
    /// \param step  counted from 1
    void step( int step, int stepCount, const std::string& text );

private:
    using Clock = std::chrono::steady_clock;

    void rewrite( const std::string& line );

    bool m_isTerminal;
    std::string m_stage;
    std::size_t m_shownWidth = 0;
    Clock::time_point m_shownAt; ///< the last step
};

} // namespace cullet::command

#endif
