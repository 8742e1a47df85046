// SPDX-License-Identifier: Zlib
/// \file numbers.cpp
/// As many decimals as there are digits left.
#include "numbers.h"

#include <fmt/format.h>

namespace cullet::compare
{

std::string threeDigits( double value )
{
    constexpr int mostDecimals = 5;
    int decimals = 0;
    for ( double bound = 100; value < bound && decimals < mostDecimals; bound /= 10 )
    {
        ++decimals;
    }
    return value == 0 ? "0" : fmt::format( "{:.{}f}", value, decimals );
}

std::string grouped( std::uint64_t value )
{
    std::string digits = fmt::format( "{}", value );
    for ( std::size_t place = digits.size(); place > 3; place -= 3 )
    {
        digits.insert( place - 3, "," );
    }
    return digits;
}

} // namespace cullet::compare
