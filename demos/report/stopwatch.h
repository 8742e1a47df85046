// SPDX-License-Identifier: Zlib
/// \file stopwatch.h
/// Adds the time between its beginning and its end to a sum of milliseconds.
#ifndef CLT_REPORT_STOPWATCH_H
#define CLT_REPORT_STOPWATCH_H

#include <chrono>

namespace cullet::compare
{

class Stopwatch
{
public:
    /// \param milliseconds  the sum to add to; outlives the stopwatch
    explicit Stopwatch( double& milliseconds ) : m_milliseconds( milliseconds ), m_begin( Clock::now() )
    {
    }

    ~Stopwatch()
    {
        m_milliseconds += std::chrono::duration<double, std::milli>( Clock::now() - m_begin ).count();
    }

    Stopwatch( const Stopwatch& ) = delete;
    Stopwatch& operator=( const Stopwatch& ) = delete;

private:
    using Clock = std::chrono::steady_clock;

    double& m_milliseconds;
    Clock::time_point m_begin;
};

} // namespace cullet::compare

#endif
