// SPDX-License-Identifier: Zlib
/// \file sibling.h
/// The two programs `cullet` and `cullet-float64`: Bullet in one precision cannot live in one process with Bullet in the
/// other, since both have the same names.
#ifndef CLT_STRESS_SIBLING_H
#define CLT_STRESS_SIBLING_H

#include <string>

namespace cullet::stress
{

/// Replaces this process by the program for that precision, found beside this one, with the same arguments. Does not
/// return; throws std::runtime_error if there is no such program.
/// \param precision  "float" or "double"
[[noreturn]] void becomeProgramFor( const std::string& precision );

} // namespace cullet::stress

#endif
