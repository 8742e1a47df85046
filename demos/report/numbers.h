// SPDX-License-Identifier: Zlib
/// \file numbers.h
/// Numbers as text.
#ifndef CLT_REPORT_NUMBERS_H
#define CLT_REPORT_NUMBERS_H

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace cullet::compare
{

/// Three significant digits, which is the accuracy of our measurements, and at most five decimals.
inline std::string threeDigits( double value )
{
    constexpr int mostDecimals = 5;
    int decimals = 0;
    for ( double bound = 100; value < bound && decimals < mostDecimals; bound /= 10 )
    {
        ++decimals;
    }
    return value == 0 ? "0" : fmt::format( "{:.{}f}", value, decimals );
}

/// The number with commas: 1,234,567.
inline std::string grouped( std::uint64_t value )
{
    std::string digits = std::to_string( value );
    for ( std::size_t place = digits.size(); place > 3; place -= 3 )
    {
        digits.insert( place - 3, "," );
    }
    return digits;
}

} // namespace cullet::compare

#endif
