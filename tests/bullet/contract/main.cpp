// SPDX-License-Identifier: Zlib
// Runs items of the contract:
//
//     cullet_test_contract_float CT-12              on all contestants, except those that expectations.h excludes
//     cullet_test_contract_float CT-12 btDbvt       on this contestant, excluded or not; patterns may have a *
//     cullet_test_contract_float CT-12-large        the slow tests of CT-12
//     cullet_test_contract_float --exceptions       prints expectations.h, one exception a line
//     cullet_test_contract_float --gtest_…          as any GoogleTest program
//
// Exit code 0: all passed, 1: some failed, 2: no test matches, 77: all were skipped.
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
    exitSkipped = 77 // the code by which ctest recognizes skipped tests
};

/// The prefix of an item's test names: CT12_ for CT-12, CT12Large_ for CT-12-large. Empty if `item` names no item.
std::string testPrefix( const std::string& item )
{
    std::smatch match;
    const bool isItem = std::regex_match( item, match, std::regex( "CT-(\\d+)(-large)?" ) );
    return !isItem ? "" : "CT" + match.str( 1 ) + ( match.length( 2 ) > 0 ? "Large_" : "_" );
}

/// The value of --gtest_filter: patterns of tests to run, a minus, patterns of tests to leave out, separated by colons.
std::string filterFor( const std::vector<std::string>& prefixes, const std::vector<std::string>& contestants )
{
    const bool isForAll = contestants.empty();
    std::string filter;
    for ( const std::string& prefix : prefixes )
    {
        for ( const std::string& contestant : isForAll ? std::vector<std::string>{ "*" } : contestants )
        {
            filter += ":Contract." + prefix + "*/" + contestant;
        }
    }
    filter += "-";
    for ( const Exception& exception : exceptions )
    {
        filter += isForAll ? std::string( ":Contract." ) + exception.tests + "*/" + exception.contestant : "";
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

/// The exit code. If no test matches, that is an error: a misspelt name must not count as passed.
int verdict( int failed )
{
    const testing::UnitTest& unitTest = *testing::UnitTest::GetInstance();
    if ( unitTest.test_to_run_count() == 0 )
    {
        std::fprintf( stderr, "There is no such test\n" );
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
        std::fprintf( stderr, "Name an item of the contract, for example CT-12\n" );
        return exitNothingToRun;
    }
    return verdict( RUN_ALL_TESTS() );
}
