// SPDX-License-Identifier: Zlib
// Names and messages: there for every value, different from each other, and for nonsense too.
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

/// The names of the values from 0 on, there and back; below and beyond them they are unknown, and so are other names.
template <typename Value>
static void expectNames( const char* ( *nameOf )( Value ), cltStatus ( *fromName )( const char*, Value* ),
                         std::initializer_list<const char*> names )
{
    int value = 0;
    for ( const char* name : names )
    {
        auto found = static_cast<Value>( -1 );
        EXPECT_STREQ( name, nameOf( static_cast<Value>( value ) ) );
        EXPECT_EQ( clt_ok, fromName( name, &found ) );
        EXPECT_EQ( value++, static_cast<int>( found ) ) << name;
        EXPECT_EQ( clt_invalidArgument, fromName( name, nullptr ) );
    }
    for ( const char* odd : { "", "unknown", "Auto", "aut", "autos", static_cast<const char*>( nullptr ) } )
    {
        auto untouched = static_cast<Value>( 1 );
        EXPECT_EQ( clt_invalidArgument, fromName( odd, &untouched ) );
        EXPECT_EQ( 1, static_cast<int>( untouched ) );
    }
    EXPECT_STREQ( "unknown", nameOf( static_cast<Value>( value ) ) );
    EXPECT_STREQ( "unknown", nameOf( static_cast<Value>( -1 ) ) );
}

TEST( Names, EveryEnumerationThereAndBack )
{
    expectNames( cltDeviceName, cltDeviceFromName, { "auto", "cpu", "cuda" } );
    expectNames( cltAlgorithmName, cltAlgorithmFromName, { "auto", "bruteForce", "grid", "lbvh", "wide", "frontier" } );
    expectNames( cltSimdName, cltSimdFromName, { "auto", "plain", "sse2", "avx2", "avx512", "neon" } );
    expectNames( cltPrecisionName, cltPrecisionFromName, { "float", "double" } );
    expectNames( cltRootName, cltRootFromName, { "hardware", "carmack", "lomont", "none" } );
    expectNames( cltOutputName, cltOutputFromName, { "keys", "bits" } );
}

TEST( Names, VersionIsThatOfTheHeader )
{
    const cltVersion version = cltGetVersion();
    EXPECT_EQ( CLT_VERSION_MAJOR, version.major );
    EXPECT_EQ( CLT_VERSION_MINOR, version.minor );
    EXPECT_EQ( CLT_VERSION_PATCH, version.patch );
}
