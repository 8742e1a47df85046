// SPDX-License-Identifier: Zlib
// Recordings of earlier formats stay readable. The folder recordings/ has one of each format and kind of frame. Their
// files are never written again.
#include "demos/recording/recording_reader.h"

#include <gtest/gtest.h>

using namespace cullet::recording;

TEST( OldRecordings, OfFormat1AreRead )
{
    for ( const char* name : { "version_1.cullet", "version_1_packed.cullet" } )
    {
        const Statistics statistics = readStatistics( std::string( CLT_OLD_RECORDINGS "/" ) + name );
        EXPECT_FALSE( statistics.isCutOff );
        EXPECT_EQ( 4u, statistics.scalarBytes );
        EXPECT_EQ( 10u, statistics.eventCount() ) << name;
        EXPECT_EQ( 2u, statistics.count( EventKind::create ) );
        EXPECT_EQ( 2u, statistics.count( EventKind::step ) );
        EXPECT_EQ( 1u, statistics.count( EventKind::ray ) );
        EXPECT_EQ( 2u, statistics.mostAlive );
    }
}
