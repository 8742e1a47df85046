// SPDX-License-Identifier: Zlib
/// \file timing.h
/// A stopwatch, and quantiles: the median, and those that show how evenly a program runs.
#ifndef CLT_REPORT_TIMING_H
#define CLT_REPORT_TIMING_H

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>
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

/// The smallest value that is larger than this share of the others; the largest value for share 1. Empty if there are
/// no values.
inline std::optional<double> quantileIfAny( std::vector<double> values, double share )
{
    if ( values.empty() )
    {
        return std::nullopt;
    }
    const std::size_t index = std::min( values.size() - 1, std::size_t( share * double( values.size() ) ) );
    const auto found = values.begin() + std::ptrdiff_t( index );
    std::nth_element( values.begin(), found, values.end() );
    return *found;
}

/// The median, the upper one if there are two. Not the mean, which other processes of a shared machine distort.
inline std::optional<double> medianIfAny( std::vector<double> values )
{
    return quantileIfAny( std::move( values ), 0.5 );
}

} // namespace cullet::compare

#endif
