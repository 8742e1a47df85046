// SPDX-License-Identifier: Zlib
// The parallelFor hook on a scheduler of Bullet's.
#include "CulletBroadphase.h"
#include "CulletTaskScheduler.h"
#include "tests/support/bullet/bodies.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace test;

namespace
{

/// Cuts every loop in an uneven way and gives each piece a thread of its own.
class UnevenScheduler : public btITaskScheduler
{
public:
    UnevenScheduler() : btITaskScheduler( "uneven" )
    {
    }

    int getMaxNumThreads() const override
    {
        return 3;
    }

    int getNumThreads() const override
    {
        return 3;
    }

    void setNumThreads( int ) override
    {
    }

    void parallelFor( int begin, int end, int, const btIParallelForBody& body ) override
    {
        ++m_loopCount;
        std::vector<std::thread> threads;
        for ( int first = begin; first < end; )
        {
            const int last = std::min( end, first + 1 + ( end - first ) / 2 );
            threads.emplace_back( [=, &body] { body.forLoop( first, last ); } );
            first = last;
        }
        for ( std::thread& thread : threads )
        {
            thread.join();
        }
    }

    btScalar parallelSum( int, int, int, const btIParallelSumBody& ) override
    {
        return 0;
    }

    int m_loopCount = 0;
};

std::vector<IdPair> pairsAfterSteps( const cltBroadphaseDef& def )
{
    CulletBroadphase broadphase( def );
    EXPECT_EQ( clt_ok, broadphase.getCreationStatus() );
    broadphase.m_deferedcollide = true;
    Bodies bodies( broadphase, 46, spreadFor( 6000 ) );
    bodies.createRandom( 6000 );
    for ( int step = 0; step < 3; ++step )
    {
        bodies.update();
        for ( size_t i = 0; i < bodies.size(); ++i )
        {
            bodies.move( bodies.at( i ), bodies.randomBox() );
        }
    }
    bodies.update();
    const std::vector<IdPair> pairs = arrayOf( *broadphase.getOverlappingPairCache() );
    bodies.destroyAll();
    return pairs;
}

} // namespace

TEST( TaskScheduler, SamePairsInTheSameOrder )
{
    UnevenScheduler scheduler;
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = 1;
    const std::vector<IdPair> alone = pairsAfterSteps( def );
    def.parallelFor = culletParallelFor;
    def.userContext = &scheduler;
    EXPECT_EQ( alone, pairsAfterSteps( def ) );
    EXPECT_GT( alone.size(), 100u );
    EXPECT_GT( scheduler.m_loopCount, 3 );
}
