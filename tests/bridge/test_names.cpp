// SPDX-License-Identifier: Zlib
// Names and messages: there for every value, different from each other, and for nonsense too.
#include "cullet.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

static const cltStatus allStatuses[] = { clt_ok,         clt_invalidArgument, clt_unknownProxy,
                                         clt_hostMemory, clt_wrongPrecision,  clt_tooManyProxies,
                                         clt_noDevice,   clt_deviceMemory,    clt_deviceFailed };

TEST( Names, EveryStatusHasItsOwnNameAndMessage )
{
    std::set<std::string> names;
    std::set<std::string> messages;
    for ( cltStatus status : allStatuses )
    {
        ASSERT_NE( nullptr, cltStatusName( status ) );
        ASSERT_NE( nullptr, cltStatusMessage( status ) );
        names.insert( cltStatusName( status ) );
        messages.insert( cltStatusMessage( status ) );
    }
    EXPECT_EQ( std::size( allStatuses ), names.size() );
    EXPECT_EQ( std::size( allStatuses ), messages.size() );
    EXPECT_EQ( 0u, names.count( "" ) );
    EXPECT_EQ( 0u, messages.count( "" ) );
}

TEST( Names, StatusNamesAreTheEnumerators )
{
    EXPECT_STREQ( "clt_ok", cltStatusName( clt_ok ) );
    EXPECT_STREQ( "clt_invalidArgument", cltStatusName( clt_invalidArgument ) );
    EXPECT_STREQ( "clt_unknownProxy", cltStatusName( clt_unknownProxy ) );
    EXPECT_STREQ( "clt_wrongPrecision", cltStatusName( clt_wrongPrecision ) );
    EXPECT_STREQ( "clt_tooManyProxies", cltStatusName( clt_tooManyProxies ) );
    EXPECT_STREQ( "clt_hostMemory", cltStatusName( clt_hostMemory ) );
    EXPECT_STREQ( "clt_deviceMemory", cltStatusName( clt_deviceMemory ) );
    EXPECT_STREQ( "clt_noDevice", cltStatusName( clt_noDevice ) );
    EXPECT_STREQ( "clt_deviceFailed", cltStatusName( clt_deviceFailed ) );
}

TEST( Names, UnknownValuesAreNamedToo )
{
    for ( int value : { -1, 1, 9, 14, 30, 1000 } )
    {
        EXPECT_STREQ( "clt_unknownStatus", cltStatusName( static_cast<cltStatus>( value ) ) );
        ASSERT_NE( nullptr, cltStatusMessage( static_cast<cltStatus>( value ) ) );
        EXPECT_STRNE( "", cltStatusMessage( static_cast<cltStatus>( value ) ) );
    }
    ASSERT_NE( nullptr, cltDeviceName( static_cast<cltDevice>( 99 ) ) );
    ASSERT_NE( nullptr, cltAlgorithmName( static_cast<cltAlgorithm>( 99 ) ) );
}

TEST( Names, DevicesAndAlgorithms )
{
    EXPECT_STREQ( "auto", cltDeviceName( clt_deviceAuto ) );
    EXPECT_STREQ( "cpu", cltDeviceName( clt_deviceCpu ) );
    EXPECT_STREQ( "cuda", cltDeviceName( clt_deviceCuda ) );
    EXPECT_STREQ( "auto", cltAlgorithmName( clt_algorithmAuto ) );
    EXPECT_STREQ( "bruteForce", cltAlgorithmName( clt_algorithmBruteForce ) );
    EXPECT_STREQ( "grid", cltAlgorithmName( clt_algorithmGrid ) );
    EXPECT_STREQ( "lbvh", cltAlgorithmName( clt_algorithmLbvh ) );
    EXPECT_STREQ( "wide", cltAlgorithmName( clt_algorithmWide ) );
}

TEST( Names, InstructionSets )
{
    const char* const names[] = { "auto", "plain", "sse2", "avx2", "avx512", "neon" };
    for ( int simd = clt_simdAuto; simd <= clt_simdNeon; ++simd )
    {
        EXPECT_STREQ( names[simd], cltSimdName( static_cast<cltSimd>( simd ) ) );
    }
    EXPECT_STREQ( "unknown", cltSimdName( static_cast<cltSimd>( 99 ) ) );
}

TEST( Names, VersionIsThatOfTheHeader )
{
    cltVersion version = cltGetVersion();
    EXPECT_EQ( CLT_VERSION_MAJOR, version.major );
    EXPECT_EQ( CLT_VERSION_MINOR, version.minor );
    EXPECT_EQ( CLT_VERSION_PATCH, version.patch );
}
