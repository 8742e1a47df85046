// SPDX-License-Identifier: Zlib
/// \file timing.h
/// How times are taken, and what is shown of many.
#ifndef CLT_REPORT_TIMING_H
#define CLT_REPORT_TIMING_H

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace cullet::compare
{

/// Adds the time between its beginning and its end to a sum of milliseconds.
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

/// The middle of what was measured, the upper one of two, and nothing where nothing was: on a shared machine the mean
/// belongs to the other processes.
inline std::optional<double> medianIfAny( std::vector<double> values )
{
    if ( values.empty() )
    {
        return std::nullopt;
    }
    const auto middle = values.begin() + std::ptrdiff_t( values.size() / 2 );
    std::nth_element( values.begin(), middle, values.end() );
    return *middle;
}

} // namespace cullet::compare

#endif
