// SPDX-License-Identifier: Zlib
// The first byte of the input chooses: the rest is a whole file, or events, which are put into a file with the right
// checksums, because no random change would keep those right.
#include "demos/recording/recording_reader.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/require.h"

#include <cstring>
#include <xxhash.h>

using namespace cullet::recording;
using test::require;

namespace
{

enum Choice
{
    isFile = 1,
    isOfDoubles = 2,
    hasNoEnd = 4
};

void append( std::string& file, std::uint64_t number, int count )
{
    for ( int k = 0; k < count; ++k )
    {
        file += char( number >> ( 8 * k ) );
    }
}

void appendFrame( std::string& file, CulletFrameKind kind, const std::string& block, unsigned number )
{
    const std::size_t begin = file.size();
    for ( const std::uint64_t field : { std::uint64_t( kind ), block.size(), block.size(), std::uint64_t( number ) } )
    {
        append( file, field, 4 );
    }
    const std::uint64_t seed = XXH64( file.data() + begin, CULLET_RECORD_SUMMED_BYTES, 0 );
    append( file, XXH64( block.data(), block.size(), seed ), 8 );
    file += block;
}

/// A recording with one block of events.
std::string fileWith( const std::string& block, int choice, std::uint64_t eventCount )
{
    std::string file( reinterpret_cast<const char*>( CULLET_RECORD_MAGIC ), sizeof CULLET_RECORD_MAGIC );
    append( file, CULLET_RECORD_VERSION, 4 );
    append( file, choice & isOfDoubles ? sizeof( double ) : sizeof( float ), 4 );
    append( file, XXH64( file.data(), CULLET_RECORD_SUMMED_BYTES, 0 ), 8 );
    appendFrame( file, CULLET_FRAME_PLAIN, block, 0 );
    if ( !( choice & hasNoEnd ) )
    {
        std::string count;
        append( count, eventCount, 8 );
        appendFrame( file, CULLET_FRAME_END, count, 1 );
    }
    return file;
}

/// Reads the file twice. \return the number of events, also if they end in an error
std::uint64_t readEvents( const std::string& file )
{
    const test::MemoryFile memory( file.data(), file.size() );
    std::uint64_t count = 0;
    try
    {
        Event event;
        for ( RecordingReader reader( memory.path() ); reader.next( event ); )
        {
            ++count;
        }
        const Statistics statistics = readStatistics( memory.path() );
        require( statistics.isCutOff || statistics.eventCount() == count );
        require( statistics.mostAlive <= statistics.count( EventKind::create ) );
    }
    catch ( const RecordingError& error )
    {
        require( std::strlen( error.what() ) > 0 );
    }
    return count;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    const int choice = size > 0 ? data[0] : 0;
    const std::string rest( reinterpret_cast<const char*>( data ) + ( size > 0 ), size - ( size > 0 ) );
    if ( choice & isFile )
    {
        readEvents( rest );
        return 0;
    }
    const std::uint64_t count = readEvents( fileWith( rest, choice, 0 ) );
    readEvents( fileWith( rest, choice, count ) );
    return 0;
}
