// SPDX-License-Identifier: Zlib
/// \file phases.cpp
/// The table of phases.
#include "phases.h"

namespace cullet
{

// clang-format off
constexpr Phase phases[] = {
    // name       longest popul turnov  churn  drift  jump repeat   odd  edits  swap   cache  crowd  wide
    { "fill",           4,    1,   0.5,     0,     0,    0,     0,    0,     0, false, false, false, false },
    { "rest",           6,    1,     0,     0,     0,    0,     0,    0,     0, false, false, false, false },
    { "rest, reset",    3,    1,     0,     0,     0,    0,     1,    0,     0, false, false, false, false },
    { "flow",          10,    1,  0.05,     0,     1,    0,     0,    0,     0, false, false, false, false },
    { "stir",          10,    1,  0.05,     0,  0.03,    0,   0.5,    0,     0, false, false, false, false },
    { "single moves",   8,    1,     0,     0, 0.001,    0,     0,    0,     0, false, false, false, false },
    { "leap",           5,    1,  0.05,     0,  0.05,  0.1,     0,    0,     0, false, false, false, false },
    { "churn",          6,    1,   0.2,  0.05,   0.3,    0,     0,    0,     0, false, false, false, false },
    { "exodus",         5,    0,   0.5,     0,   0.2,    0,     0,    0,     0, false, false, false, false },
    { "thinning",       4,  0.3,   0.1,     0,   0.5,    0,     0,    0,     0, false, false, false, false },
    { "crowd",          5,    1,  0.05,     0,  0.02,    0,     0,    0,     0, false, false,  true, false },
    { "odd boxes",      6,    1,  0.05, 0.002,   0.1,    0,     0, 0.01,     0, false, false, false,  true },
    { "planes",         5,    1,  0.05,     0,   0.5,    0,     0,    0,     0, false, false, false,  true },
    { "filters",        6,    1,  0.05,     0,   0.1,    0,   0.2,    0,  0.02,  true, false, false, false },
    { "filters, rest",  4,    1,     0,     0,     0,    0,     0,    0,  0.01,  true, false, false, false },
    { "cache edits",    5,    1,     0,     0,  0.02,    0,     0,    0,     0, false,  true, false, false },
    { "everything",     8,    1,   0.1,  0.01,   0.2, 0.01,   0.1, 0.01,  0.01,  true,  true, false,  true },
};
// clang-format on

constexpr std::size_t phaseCount = sizeof( phases ) / sizeof( phases[0] );

} // namespace cullet
