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

struct Request
{
    std::vector<std::string> parts; ///< how test names begin: "CT12_"
    std::vector<std::string> contestants;
};

/// "CT-12" becomes "CT12_", "CT-12-large" becomes "CT12Large_".
std::string testPrefix( const std::string& part )
{
    const std::string large = "-large";
    const bool isLarge =
        part.size() > large.size() && part.compare( part.size() - large.size(), large.size(), large ) == 0;
    const std::string number = part.substr( 3, part.size() - 3 - ( isLarge ? large.size() : 0 ) );
    return "CT" + number + ( isLarge ? "Large_" : "_" );
}

Request readArguments( int argc, char** argv )
{
    Request request;
    for ( int i = 1; i < argc; ++i )
    {
        const std::string argument = argv[i];
        if ( argument.compare( 0, 3, "CT-" ) == 0 )
        {
            request.parts.push_back( testPrefix( argument ) );
        }
        else
        {
            request.contestants.push_back( argument );
        }
    }
    return request;
}

/// In GoogleTest's language: patterns that may run, then after a minus those that may not, each with colons between.
std::string filterFor( const Request& request )
{
    const bool everyone = request.contestants.empty();
    std::string filter;
    for ( const std::string& part : request.parts )
    {
        for ( const std::string& contestant : everyone ? std::vector<std::string>{ "*" } : request.contestants )
        {
            filter += ( filter.empty() ? "Contract." : ":Contract." ) + part + "*/" + contestant;
        }
    }
    if ( everyone )
    {
        filter += "-";
        for ( const Exception& exception : exceptions() )
        {
            filter += std::string( ":Contract." ) + exception.tests + "*/" + exception.contestant;
        }
    }
    return filter;
}

void printExceptions()
{
    for ( const Exception& exception : exceptions() )
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
    const Request request = readArguments( argc, argv );
    if ( !request.parts.empty() )
    {
        testing::GTEST_FLAG( filter ) = filterFor( request );
    }
    else if ( !request.contestants.empty() )
    {
        std::fprintf( stderr, "Which part of the contract? Say for example CT-12\n" );
        return exitNothingToRun;
    }
    return verdict( RUN_ALL_TESTS() );
}
