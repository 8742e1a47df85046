// SPDX-License-Identifier: Zlib
// Names and messages: every value has a different one, and invalid values have one, too.
#include "cullet.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

TEST( Names, EveryStatusHasTheNameOfItsEnumeratorAndAMessageOfItsOwn )
{
    const std::pair<int, const char*> statuses[] = { { clt_ok, "clt_ok" },
                                                     { clt_invalidArgument, "clt_invalidArgument" },
                                                     { clt_unknownProxy, "clt_unknownProxy" },
                                                     { clt_wrongPrecision, "clt_wrongPrecision" },
                                                     { clt_tooManyProxies, "clt_tooManyProxies" },
                                                     { clt_hostMemory, "clt_hostMemory" },
                                                     { clt_deviceMemory, "clt_deviceMemory" },
                                                     { clt_noDevice, "clt_noDevice" },
                                                     { clt_deviceFailed, "clt_deviceFailed" },
                                                     { 30, "clt_unknownStatus" } };
    std::set<std::string> messages = { "" };
    for ( const auto& [status, name] : statuses )
    {
        EXPECT_STREQ( name, cltStatusName( cltStatus( status ) ) );
        ASSERT_NE( nullptr, cltStatusMessage( cltStatus( status ) ) );
        EXPECT_TRUE( messages.insert( cltStatusMessage( cltStatus( status ) ) ).second ) << name;
    }
}

template <typename Value>
static void expectNames( const char* ( *nameOf )( Value ), std::initializer_list<const char*> names )
{
    int value = 0;
    for ( const char* name : names )
    {
        EXPECT_STREQ( name, nameOf( static_cast<Value>( value++ ) ) );
    }
    EXPECT_STREQ( "unknown", nameOf( static_cast<Value>( value ) ) );
    EXPECT_STREQ( "unknown", nameOf( static_cast<Value>( -1 ) ) );
}

TEST( Names, OfOptionsAreThoseOfTheHeader )
{
    expectNames( cltDeviceName, { "auto", "cpu", "cuda" } );
    expectNames( cltAlgorithmName, { "auto", "bruteForce", "grid", "lbvh", "wide", "frontier" } );
    expectNames( cltSimdName, { "auto", "plain", "sse2", "avx2", "avx512", "neon" } );
}

TEST( Names, VersionIsThatOfTheHeader )
{
    const cltVersion version = cltGetVersion();
    EXPECT_EQ( CLT_VERSION_MAJOR, version.major );
    EXPECT_EQ( CLT_VERSION_MINOR, version.minor );
    EXPECT_EQ( CLT_VERSION_PATCH, version.patch );
}
