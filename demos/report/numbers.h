// SPDX-License-Identifier: Zlib
/// \file numbers.h
/// Numbers as people read them.
#ifndef CLT_REPORT_NUMBERS_H
#define CLT_REPORT_NUMBERS_H

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace cullet::compare
{

/// Three significant digits: no measurement here is worth more. Nothing smaller than 0.00001 is told from 0.
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

/// 1,234,567.
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
