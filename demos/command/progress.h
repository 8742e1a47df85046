// SPDX-License-Identifier: Zlib
/// \file progress.h
/// Progress output on stderr: on a terminal one line that changes, in a file a few lines, so that logs stay short.
#ifndef CLT_COMMAND_PROGRESS_H
#define CLT_COMMAND_PROGRESS_H

#include <chrono>
#include <cstddef>
#include <string>

namespace cullet::command
{

class Progress
{
public:
    Progress();

    /// Clears the line.
    ~Progress();

    Progress( const Progress& ) = delete;
    Progress& operator=( const Progress& ) = delete;

    /// Starts a stage, such as a scene at one size.
    void stage( const std::string& text );

    /// Shows the current work of the stage, on terminals only.
    void detail( const std::string& text );

    /// Shows one of many short steps: on a terminal at most ten times a second; in a file one line for each tenth of
    /// the steps.
    /// \param step  counted from 1
    void step( int step, int stepCount, const std::string& text );

private:
    void rewrite( const std::string& line );

    bool m_isTerminal;
    std::string m_stage;
    std::size_t m_shownWidth = 0;
    std::chrono::steady_clock::time_point m_shownAt; ///< when the last step was shown
};

} // namespace cullet::command

#endif
