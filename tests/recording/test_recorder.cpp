// SPDX-License-Identifier: Zlib
// What comes out of a recording is what went in, and a sink that fails is noticed.
#include "recorded.h"

#include "demos/recording/recording_reader.h"
#include "plugin/recorder/CulletRecorder.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <cstdio>
#include <gtest/gtest.h>

using namespace test;
using cullet::recording::Event;
using cullet::recording::EventKind;

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
