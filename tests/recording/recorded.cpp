// SPDX-License-Identifier: Zlib
#include "recorded.h"

#include "demos/recording/packed_record_file.h"
#include "demos/recording/recording_error.h"
#include "demos/recording/recording_reader.h"
#include "plugin/recorder/CulletRecorder.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <unistd.h>

namespace test
{

namespace
{

struct Ignore : public btBroadphaseRayCallback
{
    bool process( const btBroadphaseProxy* ) override
    {
        return true;
    }
};

} // namespace

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

void recordLittle( const std::string& path, bool packed )
{
    btDbvtBroadphase broadphase;
    std::unique_ptr<CulletRecordFile> file;
    file.reset( packed ? new cullet::recording::PackedRecordFile( path ) : new CulletRecordFile( path.c_str() ) );
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

std::vector<cullet::recording::Event> eventsOf( const std::string& path )
{
    cullet::recording::RecordingReader reader( path );
    std::vector<cullet::recording::Event> events;
    cullet::recording::Event event{};
    while ( reader.next( event ) )
    {
        events.push_back( event );
    }
    return events;
}

bool isRefused( const std::string& path, const Bytes& bytes )
{
    writeFile( path, bytes );
    try
    {
        eventsOf( path );
        return false;
    }
    catch ( const cullet::recording::RecordingError& error )
    {
        return std::string( error.what() ).find( '\n' ) == std::string::npos;
    }
}

} // namespace test
