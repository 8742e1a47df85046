// SPDX-License-Identifier: Zlib
// Names and messages: there for every value, different from each other, and for nonsense too.
#include "cullet.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

TEST( Names, EveryStatusHasTheNameOfItsEnumeratorAndAMessageOfItsOwn )
{
    const std::pair<cltStatus, const char*> statuses[] = {
        { clt_ok, "clt_ok" },
        { clt_invalidArgument, "clt_invalidArgument" },
        { clt_unknownProxy, "clt_unknownProxy" },
        { clt_wrongPrecision, "clt_wrongPrecision" },
        { clt_tooManyProxies, "clt_tooManyProxies" },
        { clt_hostMemory, "clt_hostMemory" },
        { clt_deviceMemory, "clt_deviceMemory" },
        { clt_noDevice, "clt_noDevice" },
        { clt_deviceFailed, "clt_deviceFailed" },
    };
    std::set<std::string> messages = { "" };
    for ( const auto& [status, name] : statuses )
    {
        EXPECT_STREQ( name, cltStatusName( status ) );
        ASSERT_NE( nullptr, cltStatusMessage( status ) );
        EXPECT_TRUE( messages.insert( cltStatusMessage( status ) ).second ) << name;
    }
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

TEST( Names, DevicesAlgorithmsAndInstructionSets )
{
    const char* const devices[] = { "auto", "cpu", "cuda" };
    const char* const algorithms[] = { "auto", "bruteForce", "grid", "lbvh", "wide" };
    const char* const sets[] = { "auto", "plain", "sse2", "avx2", "avx512", "neon" };
    for ( int i = 0; i < 3; ++i )
    {
        EXPECT_STREQ( devices[i], cltDeviceName( static_cast<cltDevice>( i ) ) );
    }
    for ( int i = 0; i < 5; ++i )
    {
        EXPECT_STREQ( algorithms[i], cltAlgorithmName( static_cast<cltAlgorithm>( i ) ) );
    }
    for ( int i = 0; i < 6; ++i )
    {
        EXPECT_STREQ( sets[i], cltSimdName( static_cast<cltSimd>( i ) ) );
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
