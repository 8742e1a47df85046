// SPDX-License-Identifier: Zlib
// Runs a fuzz target without libFuzzer: on the files of a folder, then on random inputs.
//
//     cullet_replay_TARGET FOLDER
//
// CULLET_SOAK=N makes N random inputs.
#include "demos/oracle/random.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput( const std::uint8_t* data, std::size_t size );
extern "C" __attribute__( ( weak ) ) int LLVMFuzzerInitialize( int* argumentCount, char*** arguments );

namespace
{

std::vector<std::uint8_t> randomInput( std::uint64_t seed )
{
    cullet::Random random( seed );
    std::vector<std::uint8_t> input( random.below( 512 ) );
    for ( std::uint8_t& byte : input )
    {
        byte = std::uint8_t( random.below( 256 ) );
    }
    return input;
}

int replayFolder( const char* folder )
{
    int count = 0;
    for ( const auto& entry : std::filesystem::directory_iterator( folder ) )
    {
        std::printf( "%s\n", entry.path().c_str() ); // the last line names the input that ended the process
        std::fflush( stdout );
        std::ifstream file( entry.path(), std::ios::binary );
        const std::vector<char> bytes( std::istreambuf_iterator<char>( file ), {} );
        LLVMFuzzerTestOneInput( reinterpret_cast<const std::uint8_t*>( bytes.data() ), bytes.size() );
        ++count;
    }
    return count;
}

} // namespace

int main( int argumentCount, char** arguments )
{
    if ( argumentCount != 2 )
    {
        std::fprintf( stderr, "usage: %s FOLDER\n", arguments[0] );
        return 2;
    }
    if ( LLVMFuzzerInitialize != nullptr )
    {
        LLVMFuzzerInitialize( &argumentCount, &arguments );
    }
    const int fileCount = replayFolder( arguments[1] );
    const char* const wanted = std::getenv( "CULLET_SOAK" );
    const std::uint64_t randomCount = wanted != nullptr ? std::strtoull( wanted, nullptr, 10 ) : 300;
    for ( std::uint64_t seed = 0; seed < randomCount; ++seed )
    {
        const std::vector<std::uint8_t> input = randomInput( seed );
        std::printf( "\rrandom input %d", int( seed ) );
        LLVMFuzzerTestOneInput( input.data(), input.size() );
    }
    std::printf( "\n%d files and %d random inputs\n", fileCount, int( randomCount ) );
    return fileCount > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
