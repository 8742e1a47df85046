// SPDX-License-Identifier: Zlib
// What comes out of a recording is what went in, and a sink that fails is noticed. No damaged file is taken for a good
// one: cut off anywhere, any byte changed, anything behind the end; and no file whose checksums are right but whose
// events are forged does harm.
#include "demos/recording/packed_record_file.h"
#include "demos/recording/recording_reader.h"
#include "plugin/recorder/CulletChecksum.h"
#include "plugin/recorder/CulletRecordFile.h"
#include "plugin/recorder/CulletRecorder.h"
#include "tests/support/random.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <unistd.h>
#include <xxhash.h>

using namespace cullet::recording;
using test::Random;

namespace
{

using Bytes = std::vector<unsigned char>;

struct Ignore : public btBroadphaseRayCallback
{
    bool process( const btBroadphaseProxy* ) override
    {
        return true;
    }
};

/// A name in the folder for temporary files that no other test uses.
std::string temporaryPath()
{
    static int count = 0;
    return testing::TempDir() + "cullet-" + std::to_string( getpid() ) + "-" + std::to_string( ++count );
}

Bytes readFile( const std::string& path )
{
    std::ifstream file( path, std::ios::binary );
    return Bytes( std::istreambuf_iterator<char>( file ), {} );
}

void writeFile( const std::string& path, const Bytes& bytes )
{
    std::ofstream file( path, std::ios::binary );
    file.write( reinterpret_cast<const char*>( bytes.data() ), std::streamsize( bytes.size() ) );
}

/// Two bodies, moves, an edited filter, a ray, a box query, a step and a destroyed body.
/// \param packed  with Zstandard, or as the plugin alone writes it
void recordLittle( const std::string& path, bool packed )
{
    btDbvtBroadphase broadphase;
    std::unique_ptr<CulletRecordFile> file;
    file.reset( packed ? new PackedRecordFile( path ) : new CulletRecordFile( path.c_str() ) );
    CulletRecorder recorder( &broadphase, file.get() );
    const btVector3 low( 0, 0, 0 ), high( 1, 1, 1 ), shift( btScalar( 0.5 ), 0, 0 );
    btBroadphaseProxy* first = recorder.createProxy( low, high, 0, nullptr, 1, -1, nullptr );
    btBroadphaseProxy* second = recorder.createProxy( low + shift, high + shift, 0, nullptr, 2, 3, nullptr );
    recorder.setAabb( first, low, high, nullptr );
    recorder.setAabb( second, low, high + shift, nullptr );
    first->m_collisionFilterMask = 5;
    recorder.calculateOverlappingPairs( nullptr );
    Ignore callback;
    callback.m_rayDirectionInverse = btVector3( 1, -2, 4 );
    callback.m_signs[0] = callback.m_signs[2] = 0;
    callback.m_signs[1] = 1;
    callback.m_lambda_max = 7;
    recorder.rayTest( low, high, callback, -shift, shift );
    recorder.aabbTest( low, high, callback );
    recorder.destroyProxy( first, nullptr );
    recorder.resetPool( nullptr );
    EXPECT_TRUE( recorder.close() );
    recorder.destroyProxy( second, nullptr ); // behind the end: passed on, not recorded
}

std::vector<Event> eventsOf( const std::string& path )
{
    RecordingReader reader( path );
    std::vector<Event> events;
    Event event{};
    while ( reader.next( event ) )
    {
        events.push_back( event );
    }
    return events;
}

/// Whether the reader refuses such a file, in one line.
bool isRefused( const std::string& path, const Bytes& bytes )
{
    writeFile( path, bytes );
    try
    {
        eventsOf( path );
        return false;
    }
    catch ( const RecordingError& error )
    {
        return std::string( error.what() ).find( '\n' ) == std::string::npos;
    }
}

} // namespace

class Recorder : public testing::TestWithParam<bool>
{
};

INSTANTIATE_TEST_SUITE_P(, Recorder, testing::Bool() );

TEST_P( Recorder, EveryCallComesBack )
{
    const std::string path = temporaryPath();
    recordLittle( path, GetParam() );
    const std::vector<Event> events = eventsOf( path );
    std::remove( path.c_str() );
    std::vector<EventKind> kinds;
    for ( const Event& event : events )
    {
        kinds.push_back( event.kind );
    }
    const std::vector<EventKind> expected = {
        EventKind::create, EventKind::create, EventKind::move,     EventKind::move,    EventKind::filter,
        EventKind::step,   EventKind::ray,    EventKind::boxQuery, EventKind::destroy, EventKind::resetPool };
    ASSERT_EQ( expected, kinds );
    EXPECT_EQ( 2, events[1].group );
    EXPECT_EQ( 3, events[1].mask );
    EXPECT_EQ( 0.5, events[1].box.lower[0] );
    EXPECT_FALSE( events[2].changed );
    EXPECT_TRUE( events[3].changed );
    EXPECT_EQ( 1u, events[3].number );
    EXPECT_EQ( 1.5, events[3].box.upper[0] );
    EXPECT_EQ( 5, events[4].mask );
    EXPECT_EQ( 1u, events[5].pairCount );
    EXPECT_EQ( -2, events[6].ray.inverseDirection[1] );
    EXPECT_EQ( 1u, events[6].ray.signs[1] );
    EXPECT_EQ( 7, events[6].ray.length );
    EXPECT_EQ( -0.5, events[6].ray.swept.lower[0] );
    EXPECT_EQ( 0u, events[8].number );
}

/// Takes so many blocks and no more.
class FullSink : public CulletRecordSink
{
public:
    bool begin( uint32_t ) override
    {
        return true;
    }

    bool writeBlock( const unsigned char*, uint32_t ) override
    {
        return false;
    }

    bool end( uint64_t ) override
    {
        ADD_FAILURE() << "called after a write that failed";
        return true;
    }
};

TEST( RecorderFailure, IsRememberedAndTheCallsGoOn )
{
    btDbvtBroadphase broadphase;
    FullSink sink;
    CulletRecorder recorder( &broadphase, &sink );
    const btVector3 low( 0, 0, 0 ), high( 1, 1, 1 );
    btBroadphaseProxy* proxy = recorder.createProxy( low, high, 0, nullptr, 1, -1, nullptr );
    for ( int i = 0; i < CULLET_RECORD_FLUSH_BYTES; ++i )
    {
        recorder.setAabb( proxy, low, high, nullptr );
    }
    EXPECT_FALSE( recorder.isGood() );
    recorder.setAabb( proxy, low, high + high, nullptr );
    EXPECT_EQ( 2, proxy->m_aabbMax.x() );
    EXPECT_FALSE( recorder.close() );
    recorder.destroyProxy( proxy, nullptr );
}

class RecordFile : public testing::TestWithParam<bool>
{
public:
    RecordFile() : m_path( temporaryPath() )
    {
        recordLittle( m_path, GetParam() );
        m_bytes = readFile( m_path );
    }

    ~RecordFile() override
    {
        std::remove( m_path.c_str() );
    }

    std::string m_path;
    Bytes m_bytes;
};

INSTANTIATE_TEST_SUITE_P(, RecordFile, testing::Bool() );

TEST_P( RecordFile, CutAnywhereIsRefused )
{
    EXPECT_FALSE( isRefused( m_path, m_bytes ) );
    for ( size_t size = 0; size < m_bytes.size(); ++size )
    {
        EXPECT_TRUE( isRefused( m_path, Bytes( m_bytes.begin(), m_bytes.begin() + std::ptrdiff_t( size ) ) ) ) << size;
    }
}

TEST_P( RecordFile, AnyFlippedBitIsRefused )
{
    for ( size_t bit = 0; bit < 8 * m_bytes.size(); ++bit )
    {
        Bytes flipped = m_bytes;
        flipped[bit / 8] ^= (unsigned char)( 1 << bit % 8 );
        EXPECT_TRUE( isRefused( m_path, flipped ) ) << bit;
    }
}

TEST_P( RecordFile, AnythingBehindTheEndIsRefused )
{
    m_bytes.push_back( 0 );
    EXPECT_TRUE( isRefused( m_path, m_bytes ) );
}

/// Random events under right checksums: refused or read, under the sanitizers without a complaint.
TEST( ForgedEvents, DoNoHarm )
{
    const std::string path = temporaryPath();
    Random random( 77 );
    int refused = 0;
    for ( int round = 0; round < 600; ++round )
    {
        Bytes block( 1 + random.below( 200 ) );
        for ( unsigned char& byte : block )
        {
            byte = (unsigned char)( random.below( 3 ) == 0 ? random.below( 256 ) : random.below( 64 ) );
        }
        {
            CulletRecordFile file( path.c_str() );
            ASSERT_TRUE( file.begin( 4 ) && file.writeBlock( block.data(), uint32_t( block.size() ) ) &&
                         file.end( 1 ) );
        }
        refused += isRefused( path, readFile( path ) );
    }
    std::remove( path.c_str() );
    EXPECT_GT( refused, 300 );
}

TEST( Checksum, IsThatOfTheLibrary )
{
    Bytes bytes;
    for ( int size = 0; size < 200; ++size )
    {
        const auto seed = uint64_t( size ) * 0x9e3779b97f4a7c15u;
        EXPECT_EQ( XXH64( bytes.data(), bytes.size(), seed ), CulletChecksum::of( bytes.data(), bytes.size(), seed ) );
        bytes.push_back( (unsigned char)( 37 * size ) );
    }
}
