// SPDX-License-Identifier: Zlib
// Runs parts of the contract on some contestants:
//
//     cullet_test_contract_float CT-12              all of cullet's, and Bullet's that are expected to keep CT-12
//     cullet_test_contract_float CT-12 btDbvt       only this contestant, whatever is expected; patterns may have a *
//     cullet_test_contract_float CT-12-large        the tests of CT-12 that take long
//     cullet_test_contract_float --exceptions       what is not expected, one a line
//     cullet_test_contract_float --gtest_…          as any GoogleTest program
//
// Exit code 0: all passed, 1: some failed, 2: nothing was there to run, 77: all were skipped.
#include "expectations.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <vector>

using namespace test;

namespace
{
enum ExitCode
{
    exitPassed = 0,
    exitFailed = 1,
    exitNothingToRun = 2,
    exitSkipped = 77 // what automake's and CMake's users take for "skipped"
};

/// How the names of a part's tests begin: CT12_ for CT-12, CT12Large_ for CT-12-large. Empty if it names no part.
std::string testPrefix( const std::string& part )
{
    std::smatch match;
    const bool isPart = std::regex_match( part, match, std::regex( "CT-(\\d+)(-large)?" ) );
    return !isPart ? "" : "CT" + match.str( 1 ) + ( match.length( 2 ) > 0 ? "Large_" : "_" );
}

/// In GoogleTest's language: patterns that may run, then after a minus those that may not, each with colons between.
std::string filterFor( const std::vector<std::string>& prefixes, const std::vector<std::string>& contestants )
{
    const bool everyone = contestants.empty();
    std::string filter;
    for ( const std::string& prefix : prefixes )
    {
        for ( const std::string& contestant : everyone ? std::vector<std::string>{ "*" } : contestants )
        {
            filter += ":Contract." + prefix + "*/" + contestant;
        }
    }
    filter += "-";
    for ( const Exception& exception : exceptions )
    {
        filter += everyone ? std::string( ":Contract." ) + exception.tests + "*/" + exception.contestant : "";
    }
    return filter;
}

void printExceptions()
{
    for ( const Exception& exception : exceptions )
    {
        std::printf( "%s\t%s\t%s\n", exception.tests, exception.contestant, exception.reason );
    }
}

/// A misspelt name must not pass for a test that passed.
int verdict( int failed )
{
    const testing::UnitTest& unitTest = *testing::UnitTest::GetInstance();
    if ( unitTest.test_to_run_count() == 0 )
    {
        std::fprintf( stderr, "No test is called that\n" );
        return exitNothingToRun;
    }
    if ( failed != 0 )
    {
        return exitFailed;
    }
    return unitTest.skipped_test_count() == unitTest.test_to_run_count() ? exitSkipped : exitPassed;
}
} // namespace

int main( int argc, char** argv )
{
    testing::InitGoogleTest( &argc, argv );
    if ( argc == 2 && std::string( argv[1] ) == "--exceptions" )
    {
        printExceptions();
        return exitPassed;
    }
    std::vector<std::string> prefixes, contestants;
    for ( const std::string& argument : std::vector<std::string>( argv + 1, argv + argc ) )
    {
        const std::string prefix = testPrefix( argument );
        ( prefix.empty() ? contestants : prefixes ).push_back( prefix.empty() ? argument : prefix );
    }
    if ( !prefixes.empty() )
    {
        testing::GTEST_FLAG( filter ) = filterFor( prefixes, contestants );
    }
    else if ( !contestants.empty() )
    {
        std::fprintf( stderr, "Which part of the contract? Say for example CT-12\n" );
        return exitNothingToRun;
    }
    return verdict( RUN_ALL_TESTS() );
}
