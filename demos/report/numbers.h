// SPDX-License-Identifier: Zlib
/// \file numbers.h
/// Numbers as people read them.
#ifndef CLT_REPORT_NUMBERS_H
#define CLT_REPORT_NUMBERS_H

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
