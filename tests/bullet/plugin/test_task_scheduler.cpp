// SPDX-License-Identifier: Zlib
// culletParallelFor, the parallelFor hook on a scheduler of Bullet.
#include "CulletTaskScheduler.h"
#include "couple.h"

#include <thread>

using namespace test;

namespace
{
/// Splits every loop unevenly, and runs each part in a thread of its own.
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

std::vector<IdPair> pairsWith( const cltBroadphaseDef& def )
{
    CulletBroadphase broadphase( def );
    EXPECT_EQ( clt_ok, broadphase.getCreationStatus() );
    broadphase.m_deferedcollide = true;
    return arrayAfterSteps( broadphase, 6000, 6000, 3 );
}
} // namespace

TEST( TaskScheduler, GivesTheSamePairsInTheSameOrder )
{
    UnevenScheduler scheduler;
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = 1;
    const std::vector<IdPair> alone = pairsWith( def );
    def.hooks.parallelFor = culletParallelFor;
    def.hooks.userContext = &scheduler;
    EXPECT_EQ( alone, pairsWith( def ) );
    EXPECT_GT( alone.size(), 100u );
    EXPECT_GT( scheduler.m_loopCount, 3 );
}
