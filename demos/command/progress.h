// SPDX-License-Identifier: Zlib
/// \file progress.h
/// Says on stderr what is going on: in place on a terminal, in one line per stage in a file, so that logs stay short.
#ifndef CLT_COMMAND_PROGRESS_H
#define CLT_COMMAND_PROGRESS_H

#include <cstddef>
#include <string>

namespace cullet::compare
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

private:
    void rewrite( const std::string& line );

    bool m_isTerminal;
    std::string m_stage;
    std::size_t m_shownWidth = 0;
};

} // namespace cullet::compare

#endif
