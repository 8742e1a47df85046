// SPDX-License-Identifier: Zlib
// Reading a recording returns the recorded events, and failed writes are reported. A file that is cut off is read up to
// its last whole step. The reader refuses every damaged file: with a changed bit, lost bytes, or data after its end.
// Forged events with valid checksums do no harm.
#include "demos/recording/packed_record_file.h"
#include "demos/recording/recording_reader.h"
#include "plugin/recorder/CulletChecksum.h"
#include "plugin/recorder/CulletRecordFile.h"
#include "plugin/recorder/CulletRecorder.h"
#include "tests/support/random.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <atomic>
#include <cstdio>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <thread>
#include <unistd.h>
#include <xxhash.h>

using namespace cullet::recording;
using test::Random;
using Bytes = std::vector<unsigned char>;

struct AnyRay : public btBroadphaseRayCallback
{
    bool process( const btBroadphaseProxy* ) override
    {
        return true;
    }
};

/// A file of its own for each test. The parameter says whether it is compressed with Zstandard.
class RecordFile : public testing::TestWithParam<bool>
{
public:
    ~RecordFile() override
    {
        std::remove( m_path.c_str() );
    }

    std::unique_ptr<CulletRecordFile> create() const
    {
        if ( GetParam() )
        {
            return std::make_unique<PackedRecordFile>( m_path );
        }
        return std::make_unique<CulletRecordFile>( m_path.c_str() );
    }

    /// Two bodies, moves, an edited filter, a ray, a box query, a step and a destroyed body.
    Bytes recordSample() const
    {
        btDbvtBroadphase broadphase;
        const std::unique_ptr<CulletRecordFile> file = create();
        CulletRecorder recorder( &broadphase, file.get() );
        const btVector3 low( 0, 0, 0 ), high( 1, 1, 1 ), shift( btScalar( 0.5 ), 0, 0 );
        btBroadphaseProxy* first = recorder.createProxy( low, high, 0, nullptr, 1, -1, nullptr );
        btBroadphaseProxy* second = recorder.createProxy( low + shift, high + shift, 0, nullptr, 2, 3, nullptr );
        recorder.setAabb( first, low, high, nullptr );
        recorder.setAabb( second, low, high + shift, nullptr );
        first->m_collisionFilterMask = 5;
        recorder.calculateOverlappingPairs( nullptr );
        AnyRay callback;
        callback.m_rayDirectionInverse = btVector3( 1, -2, 4 );
        callback.m_signs[0] = callback.m_signs[2] = 0;
        callback.m_signs[1] = 1;
        callback.m_lambda_max = 7;
        recorder.rayTest( low, high, callback, -shift, shift );
        recorder.aabbTest( low, high, callback );
        recorder.destroyProxy( first, nullptr );
        recorder.resetPool( nullptr );
        EXPECT_TRUE( recorder.close() );
        recorder.destroyProxy( second, nullptr ); // after close: forwarded, not recorded
        return bytes();
    }

    Bytes bytes() const
    {
        std::ifstream written( m_path, std::ios::binary );
        return Bytes( std::istreambuf_iterator<char>( written ), {} );
    }

    void write( const Bytes& bytes ) const
    {
        std::ofstream file( m_path, std::ios::binary );
        file.write( reinterpret_cast<const char*>( bytes.data() ), std::streamsize( bytes.size() ) );
    }

    std::vector<Event> events( std::uint64_t limit = UINT64_MAX ) const
    {
        RecordingReader reader( m_path, limit );
        std::vector<Event> events;
        for ( Event event{}; reader.next( event ); )
        {
            events.push_back( event );
        }
        return events;
    }

    /// Whether the reader refuses the file with a message of one line. Also removes the file: the next test case writes
    /// a new file faster than it would replace this one.
    bool isRefused() const
    {
        std::string reason;
        try
        {
            events();
        }
        catch ( const RecordingError& error )
        {
            reason = error.what();
        }
        std::remove( m_path.c_str() );
        return !reason.empty() && reason.find( '\n' ) == std::string::npos;
    }

    bool isRefused( const Bytes& bytes ) const
    {
        write( bytes );
        return isRefused();
    }

    const std::string m_path = testing::TempDir() + "cullet-recording-" + std::to_string( getpid() );
};

INSTANTIATE_TEST_SUITE_P(, RecordFile, testing::Bool() );

TEST_P( RecordFile, ReadingReturnsEveryRecordedCall )
{
    recordSample();
    const std::vector<Event> events = this->events();
    const std::vector<EventKind> expected = {
        EventKind::create, EventKind::create, EventKind::move,     EventKind::move,    EventKind::filter,
        EventKind::step,   EventKind::ray,    EventKind::boxQuery, EventKind::destroy, EventKind::resetPool };
    ASSERT_EQ( expected.size(), events.size() );
    for ( size_t i = 0; i < events.size(); ++i )
    {
        EXPECT_EQ( expected[i], events[i].kind ) << i;
    }
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

/// Calls functions while a proxy is created or destroyed, as callbacks about pairs do.
struct NestingBroadphase : btDbvtBroadphase
{
    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int group, int mask, btDispatcher* dispatcher ) override
    {
        btBroadphaseProxy* proxy =
            btDbvtBroadphase::createProxy( aabbMin, aabbMax, shapeType, userPtr, group, mask, dispatcher );
        whileCreating( proxy );
        return proxy;
    }

    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        whileDestroying( proxy );
        btDbvtBroadphase::destroyProxy( proxy, dispatcher );
    }

    using Function = std::function<void( btBroadphaseProxy* )>;
    Function whileCreating = []( btBroadphaseProxy* ) {};
    Function whileDestroying = []( btBroadphaseProxy* ) {};
};

/// Each time one body is created that remains, and one that does not.
TEST_P( RecordFile, HasTheBodiesThatRemainAfterNestedCalls )
{
    for ( const bool isDestroyedAtOnce : { false, true } )
    {
        NestingBroadphase broadphase;
        const std::unique_ptr<CulletRecordFile> file = create();
        CulletRecorder recorder( &broadphase, file.get() );
        const btVector3 low( 0, 0, 0 ), high( 1, 1, 1 );
        const auto move = [&]( btBroadphaseProxy* proxy ) { recorder.setAabb( proxy, high, high + high, nullptr ); };
        broadphase.whileDestroying = move;
        broadphase.whileCreating = [&]( btBroadphaseProxy* proxy )
        {
            move( proxy );
            recorder.calculateOverlappingPairs( nullptr ); // within another call: no step
        };
        btBroadphaseProxy* const lasting = recorder.createProxy( low, high, 0, nullptr, 1, -1, nullptr );
        if ( isDestroyedAtOnce )
        {
            broadphase.whileCreating = [&]( btBroadphaseProxy* proxy ) { recorder.destroyProxy( proxy, nullptr ); };
        }
        btBroadphaseProxy* const brief = recorder.createProxy( low, high, 0, nullptr, 1, -1, nullptr );
        if ( !isDestroyedAtOnce )
        {
            recorder.destroyProxy( brief, nullptr );
        }
        recorder.calculateOverlappingPairs( nullptr );
        ASSERT_TRUE( recorder.close() );
        int bodyCount = 0, stepCount = 0;
        for ( const Event& event : events() )
        {
            bodyCount += int( event.kind == EventKind::create ) - int( event.kind == EventKind::destroy );
            stepCount += event.kind == EventKind::step;
        }
        EXPECT_EQ( 1, bodyCount );
        EXPECT_EQ( 1, stepCount );
        broadphase.whileDestroying = []( btBroadphaseProxy* ) {};
        broadphase.destroyProxy( lasting, nullptr );
    }
}

/// As when a program exits while another thread is in a step.
TEST_P( RecordFile, IsWholeIfClosedWhileAThreadRecords )
{
    for ( int repeat = 0; repeat < 30; ++repeat )
    {
        btDbvtBroadphase broadphase;
        const std::unique_ptr<CulletRecordFile> file = create();
        CulletRecorder recorder( &broadphase, file.get() );
        std::atomic<bool> isBusy{ true };
        std::atomic<int> stepCount{ 0 };
        std::thread thread(
            [&]
            {
                btBroadphaseProxy* const proxy =
                    recorder.createProxy( btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ), 0, nullptr, 1, -1, nullptr );
                for ( ; isBusy; ++stepCount )
                {
                    const btVector3 place( btScalar( stepCount % 7 ), 0, 0 );
                    recorder.setAabb( proxy, place, place + btVector3( 1, 1, 1 ), nullptr );
                    recorder.calculateOverlappingPairs( nullptr );
                }
                recorder.destroyProxy( proxy, nullptr );
            } );
        while ( stepCount < 200 )
        {
            std::this_thread::yield();
        }
        EXPECT_TRUE( recorder.close() );
        isBusy = false;
        thread.join();
        EXPECT_LT( 300u, events().size() );
    }
}

class FailingRecordFile : public CulletRecordFile
{
public:
    using CulletRecordFile::CulletRecordFile;

    bool writeBlock( const unsigned char*, uint32_t ) override
    {
        return false;
    }

    bool end( uint64_t ) override
    {
        ADD_FAILURE() << "called after a failed write";
        return true;
    }
};

TEST( RecorderFailure, IsReportedAndCallsAreStillForwarded )
{
    btDbvtBroadphase broadphase;
    FailingRecordFile file( "/dev/null" );
    CulletRecorder recorder( &broadphase, &file );
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

TEST_P( RecordFile, CutAnywhereIsReadUpToItsLastWholeStep )
{
    constexpr unsigned char call = CULLET_EVENT_RESET_POOL, step = CULLET_EVENT_STEP, pairs = 0;
    const Bytes blocks[] = { { call, step, pairs, call }, { call }, { step, pairs, call, step, pairs, call } };
    const std::uint64_t eventsBefore[] = { 0, 2, 2 }; // up to the last step in all previous blocks
    std::vector<std::uint64_t> expected;              // number of events, by the size at which the file is cut
    const std::unique_ptr<CulletRecordFile> file = create();
    ASSERT_TRUE( file->begin( 4 ) );
    for ( size_t i = 0; i < 3; ++i )
    {
        ASSERT_TRUE( file->writeBlock( blocks[i].data(), std::uint32_t( blocks[i].size() ) ) );
        expected.resize( file->getSize(), eventsBefore[i] );
    }
    ASSERT_TRUE( file->end( 8 ) );
    expected.resize( file->getSize(), 7 );
    expected.push_back( 8 );
    const Bytes whole = bytes();
    for ( size_t size = 0; size < expected.size(); ++size )
    {
        write( Bytes( whole.data(), whole.data() + size ) );
        std::uint64_t count = 0;
        try
        {
            const Statistics statistics = readStatistics( m_path );
            EXPECT_EQ( size < whole.size(), statistics.isCutOff );
            count = statistics.eventCount();
            EXPECT_EQ( count, events( count ).size() );
        }
        catch ( const RecordingError& error )
        {
            EXPECT_EQ( std::string::npos, std::string( error.what() ).find( '\n' ) );
        }
        EXPECT_EQ( expected[size], count ) << "cut at " << size;
        std::remove( m_path.c_str() );
    }
}

TEST_P( RecordFile, DamageAnywhereIsRefused )
{
    constexpr size_t lastFrameBytes = CULLET_RECORD_HEADER_BYTES + 8;
    constexpr size_t lostBytes = lastFrameBytes + 1; // so that a block may be incomplete
    Bytes bytes = recordSample();
    EXPECT_FALSE( isRefused() );
    for ( size_t at = 0; at < bytes.size(); ++at )
    {
        for ( int bit = 0; bit < 8; ++bit )
        {
            Bytes flipped = bytes;
            flipped[at] ^= (unsigned char)( 1 << bit );
            EXPECT_TRUE( isRefused( flipped ) ) << "bit " << bit << " of byte " << at;
            flipped.pop_back();
            EXPECT_TRUE( at + lastFrameBytes >= bytes.size() || isRefused( flipped ) )
                << "cut off, bit " << bit << " of byte " << at;
        }
        if ( at + lostBytes + lastFrameBytes <= bytes.size() )
        {
            Bytes lost = bytes;
            lost.erase( lost.begin() + std::ptrdiff_t( at ), lost.begin() + std::ptrdiff_t( at + lostBytes ) );
            EXPECT_TRUE( isRefused( lost ) ) << "bytes lost at " << at;
        }
    }
    bytes.push_back( 0 );
    EXPECT_TRUE( isRefused( bytes ) ) << "data after its end";
}

/// Random events with valid checksums are refused or read. Sanitizers report no error.
TEST_P( RecordFile, ForgedEventsDoNoHarm )
{
    Random random( 77 );
    int refused = 0;
    for ( int round = 0; round < 600; ++round )
    {
        Bytes block( 1 + random.below( 200 ) );
        for ( unsigned char& byte : block )
        {
            byte = (unsigned char)( random.below( 3 ) == 0 ? random.below( 256 ) : random.below( 64 ) );
        }
        const std::unique_ptr<CulletRecordFile> file = create();
        ASSERT_TRUE( file->begin( 4 ) && file->writeBlock( block.data(), uint32_t( block.size() ) ) && file->end( 1 ) );
        refused += isRefused();
    }
    EXPECT_GT( refused, 300 );
}

TEST( Checksum, EqualsXxh64OfTheLibrary )
{
    Bytes bytes;
    for ( int size = 0; size < 200; ++size )
    {
        const auto seed = uint64_t( size ) * 0x9e3779b97f4a7c15u;
        EXPECT_EQ( XXH64( bytes.data(), bytes.size(), seed ), CulletChecksum::of( bytes.data(), bytes.size(), seed ) );
        bytes.push_back( (unsigned char)( 37 * size ) );
    }
}
