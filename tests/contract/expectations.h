// SPDX-License-Identifier: Zlib
/// \file expectations.h
/// Which of Bullet's own broadphases are known not to keep which part of the contract, and why. These are left out of
/// the tests' verdict; table.sh runs them all the same, and complains if one of them keeps it after all. Cullet has no
/// entry here.
#ifndef CULLET_TESTS_EXPECTATIONS_H
#define CULLET_TESTS_EXPECTATIONS_H

#include <vector>

namespace test
{

struct Exception
{
    const char* tests;      ///< how the names of the tests begin: "CT12" for all of CT-12, "CT12_Hits" for some
    const char* contestant; ///< its name, see contestants.h
    const char* reason;     ///< for people; ends up under the table
};

const std::vector<Exception>& exceptions();

} // namespace test

#endif
