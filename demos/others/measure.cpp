// SPDX-License-Identifier: Zlib
/// \file measure.cpp
/// The contestants make each step one after the other, and must find as many pairs as the first contestant.
#include "measure.h"

#include "demos/report/timing.h"

#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace cullet::others
{

namespace
{

constexpr int warmUpCount = 1;
constexpr int timedCount = 10;
constexpr double mostMs = 6000; ///< time after which a contestant makes no more steps

struct Entry
{
    std::unique_ptr<Runner> runner;
    std::vector<double> times;
    bool isAlike = true;
};

/// \return number of pairs found
std::size_t timeStep( Entry& entry, const cltScene& scene )
{
    double milliseconds = 0;
    std::size_t pairCount = 0;
    {
        compare::Stopwatch stopwatch( milliseconds );
        pairCount = entry.runner->step( scene );
    }
    entry.times.push_back( milliseconds );
    return pairCount;
}

/// Makes a step of each contestant, one after the other. The first contestant differs from step to step.
void stepAll( std::vector<Entry>& entries, const cltScene& scene )
{
    std::vector<std::size_t> pairCounts( entries.size() );
    for ( std::size_t turn = 0; turn < entries.size(); ++turn )
    {
        const std::size_t k = ( scene.step + turn ) % entries.size();
        const std::vector<double>& times = entries[k].times;
        if ( std::accumulate( times.begin(), times.end(), 0.0 ) < mostMs )
        {
            pairCounts[k] = timeStep( entries[k], scene );
        }
    }
    for ( std::size_t k = 0; k < entries.size(); ++k )
    {
        const bool hasStepped = entries[k].times.size() == scene.step;
        entries[k].isAlike = entries[k].isAlike && ( !hasStepped || pairCounts[k] == pairCounts[0] );
    }
}

void print( const Contestant& contestant, const Entry& entry )
{
    const auto skipped = std::min<std::ptrdiff_t>( warmUpCount, std::ptrdiff_t( entry.times.size() ) - 1 );
    const double milliseconds = *compare::medianIfAny( { entry.times.begin() + skipped, entry.times.end() } );
    std::printf( "%-26s %9.3g ms%s\n", contestant.name.c_str(), milliseconds,
                 entry.isAlike ? "" : ", but other pairs than the first" );
}

} // namespace

int measure( const std::vector<Contestant>& contestants, int argc, char** argv )
{
    const double bodyCount = argc == 3 ? std::atof( argv[1] ) : 0;
    const double movingPercent = argc == 3 ? std::atof( argv[2] ) : -1;
    if ( !( bodyCount >= 1 && bodyCount <= 1e7 && movingPercent >= 0 && movingPercent <= 100 ) )
    {
        std::fprintf( stderr, "usage: %s BODIES PERCENT-THAT-MOVE\n", argv[0] );
        return 2;
    }
    const cltSceneDef def = { clt_sceneBrownian, std::uint32_t( bodyCount ), movingPercent, 1, CLT_SCENE_SEED, 0 };
    const std::unique_ptr<cltScene, void ( * )( cltScene* )> scene( cltCreateScene( &def ), cltDestroyScene );
    std::vector<Entry> entries( contestants.size() );
    for ( std::size_t k = 0; k < entries.size(); ++k )
    {
        entries[k].runner = contestants[k].create( *scene );
    }
    for ( int step = 0; step < warmUpCount + timedCount; ++step )
    {
        cltScene_Step( scene.get() );
        stepAll( entries, *scene );
    }
    bool areAlike = true;
    for ( std::size_t k = 0; k < entries.size(); ++k )
    {
        print( contestants[k], entries[k] );
        areAlike = areAlike && entries[k].isAlike;
    }
    return areAlike ? 0 : 1;
}

} // namespace cullet::others
