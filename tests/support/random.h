// SPDX-License-Identifier: Zlib
/// \file random.h
/// The random numbers of the tests are those of the oracle.
#ifndef CLT_TESTS_RANDOM_H
#define CLT_TESTS_RANDOM_H

#include "demos/oracle/random.h"

namespace test
{

using cullet::Random;

} // namespace test

#endif
