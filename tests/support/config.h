// SPDX-License-Identifier: Zlib
/// \file config.h
/// The configurations of a broadphase. Each behaviour is tested in all configurations.
#ifndef CLT_TESTS_CONFIG_H
#define CLT_TESTS_CONFIG_H

#include "cullet_research.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace test
{

struct Config
{
    cltDevice device;
    cltAlgorithm algorithm;
    cltPrecision precision;
    int threadCount;
    cltSimd simd = clt_simdAuto;
    bool keepFront = false;
};

constexpr cltAlgorithm allAlgorithms[] = { clt_algorithmAuto, clt_algorithmBruteForce, clt_algorithmGrid,
                                           clt_algorithmLbvh, clt_algorithmWide,       clt_algorithmFrontier };
constexpr cltSimd allSimds[] = { clt_simdPlain, clt_simdSse2, clt_simdAvx2, clt_simdAvx512, clt_simdNeon };
constexpr cltPrecision allPrecisions[] = { clt_precisionFloat, clt_precisionDouble };

/// The tests run on the CPU and on every other usable device or, if the build names a device, on that device alone. A
/// def made without a Config is for testDevice.
#if defined( CLT_TEST_DEVICE )
constexpr bool testsOnlyOneDevice = true;
constexpr cltDevice testDevice = CLT_TEST_DEVICE;
#else
constexpr bool testsOnlyOneDevice = false;
constexpr cltDevice testDevice = clt_deviceCpu;
#endif

/// Every algorithm and precision, on the CPU with 1 and 3 threads (test_scenes.cpp has more), and on each other usable
/// device; `frontier` also with a front; `wide` also with every instruction set of this processor. Values of the
/// environment variable CULLET_TEST_CONFIGS leave some configurations out:
///   few      the instruction sets
///   address  3 threads, because they run no code that AddressSanitizer does not see with one thread
///   thread   one thread, the instruction sets, and single precision of all algorithms but `wide`: double precision
///            runs the same code and more
std::vector<Config> allConfigs();

/// The configurations on the CPU with this number of threads, and those on other devices. For tests that take long or
/// start threads.
std::vector<Config> configsWith( int threadCount );

cltBroadphaseDef defOf( const Config& config );

/// True if the device is usable at this moment.
bool isUsable( cltDevice device );

/// True if this processor and this build support the instruction set.
bool isUsable( cltSimd simd );

/// A def with one algorithm and otherwise the defaults, for the test device.
cltBroadphaseDef defOf( cltAlgorithm algorithm, cltPrecision precision = clt_precisionFloat, int threadCount = 1 );

/// For example "cpu_lbvh_float_3threads".
std::string nameOf( const Config& config );

inline std::string configName( const testing::TestParamInfo<Config>& info )
{
    return nameOf( info.param );
}

inline std::string nameOf( cltPrecision precision )
{
    return precision == clt_precisionDouble ? "double" : "float";
}

inline std::string precisionName( const testing::TestParamInfo<cltPrecision>& info )
{
    return nameOf( info.param );
}

/// What GoogleTest shows for a failed test's parameter.
void PrintTo( const Config& config, std::ostream* stream );

} // namespace test

#endif
