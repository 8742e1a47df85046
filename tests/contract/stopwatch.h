// SPDX-License-Identifier: Zlib
/// \file stopwatch.h
/// Milliseconds since it was made.
#ifndef CULLET_TESTS_STOPWATCH_H
#define CULLET_TESTS_STOPWATCH_H

#include <chrono>

namespace test
{

class Stopwatch
{
public:
    double ms() const
    {
        return std::chrono::duration<double, std::milli>( Clock::now() - m_start ).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point m_start = Clock::now();
};

} // namespace test

#endif
