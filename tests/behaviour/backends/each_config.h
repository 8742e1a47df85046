// SPDX-License-Identifier: Zlib
/// \file each_config.h
/// A suite with tests that run once in each configuration.
#ifndef CLT_TESTS_EACH_CONFIG_H
#define CLT_TESTS_EACH_CONFIG_H

#include "tests/support/config.h"
#include "tests/support/world.h"

namespace test
{

class EachConfig : public testing::TestWithParam<Config>
{
protected:
    cltBroadphaseDef def() const
    {
        return defOf( GetParam() );
    }
};

} // namespace test

/// Declares the suite `suite`, with tests that run in every configuration.
#define CLT_EACH_CONFIG( suite )                                                                                       \
    class suite : public test::EachConfig                                                                              \
    {                                                                                                                  \
    };                                                                                                                 \
    INSTANTIATE_TEST_SUITE_P(, suite, testing::ValuesIn( test::allConfigs() ), test::configName )

#endif
