// SPDX-License-Identifier: Zlib
// Prints what it costs to fill a world with objects one by one, to take 1,000 out and to delete it with the rest:
//
//     cullet_measure_crowd_float [OBJECTS]         100,000 if nothing is said; btDbvt then takes minutes to delete
//
// cullet and btDbvt in the same run, one after the other.
#include "crowd.h"
#include "stopwatch.h"

#include <cstdio>
#include <cstdlib>

using namespace test;

static void measure( const RigKind& kind, int objectCount )
{
    Crowd crowd( kind, objectCount );
    const Stopwatch adding;
    crowd.addAll();
    const double addMs = adding.ms();
    const int pairCount = crowd.pairCount();
    crowd.update();
    const Stopwatch removing;
    for ( int i = 0; i < 1000; ++i )
    {
        crowd.remove( i );
    }
    const double removeMs = removing.ms();
    const Stopwatch deleting;
    crowd.deleteWorld();
    const double deleteMs = deleting.ms();
    std::printf( "%-20s %10d %10.0f %14.1f %14.0f\n", kind.name, pairCount, addMs, removeMs, deleteMs );
    std::fflush( stdout );
}

int main( int argc, char** argv )
{
    const int objectCount = argc > 1 ? std::atoi( argv[1] ) : 100000;
    if ( argc > 2 || objectCount < 1000 )
    {
        std::fprintf( stderr, "usage: %s [OBJECTS], at least 1000\n", argv[0] );
        return 2;
    }
    std::printf( "%d objects; milliseconds\n", objectCount );
    std::printf( "%-20s %10s %10s %14s %14s\n", "", "pairs", "add all", "remove 1,000", "delete world" );
    for ( const RigKind& kind :
          { RigKind{ "cullet, own cache", Engine::cullet, clt_algorithmAuto, 2 },
            RigKind{ "cullet, given cache", Engine::culletHashed, clt_algorithmAuto, 2 }, bulletDbvt } )
    {
        measure( kind, objectCount );
    }
    return 0;
}
