// SPDX-License-Identifier: Zlib
/// \file timing.h
/// A stopwatch and the median. Every measurement shows medians, so no statistics library is needed.
#ifndef CLT_REPORT_TIMING_H
#define CLT_REPORT_TIMING_H

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace cullet::compare
{

/// Adds its own lifetime to a sum of milliseconds.
class Stopwatch
{
public:
    /// \param milliseconds  the sum to add to; must outlive the stopwatch
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

template <typename Work>
double millisecondsOf( Work&& work )
{
    double milliseconds = 0;
    {
        const Stopwatch stopwatch( milliseconds );
        work();
    }
    return milliseconds;
}

/// The median, the upper one if there are two; empty if there are no values. Not the mean, which other processes of a
/// shared machine distort.
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
