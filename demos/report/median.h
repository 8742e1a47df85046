// SPDX-License-Identifier: Zlib
/// \file median.h
/// The middle of what was measured, and of nothing where nothing was: on a shared machine the mean belongs to the other
/// processes.
#ifndef CLT_REPORT_MEDIAN_H
#define CLT_REPORT_MEDIAN_H

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace cullet::compare
{

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

inline void addIfKnown( std::vector<double>& values, const std::optional<double>& value )
{
    if ( value )
    {
        values.push_back( *value );
    }
}

} // namespace cullet::compare

#endif
