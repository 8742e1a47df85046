// SPDX-License-Identifier: Zlib
/// \file digits.h
/// Numbers as people read them.
#ifndef CLT_COMMAND_DIGITS_H
#define CLT_COMMAND_DIGITS_H

#include <cstdint>
#include <string>

namespace cullet::compare
{

/// Three significant digits: no measurement here is worth more. Nothing smaller than 0.00001 is told from 0.
std::string threeDigits( double value );

/// 1,234,567.
std::string grouped( std::uint64_t value );

} // namespace cullet::compare

#endif
