// SPDX-License-Identifier: Zlib
// Prints what it costs to fill a world with objects one by one, to take 1,000 out and to delete it with the rest:
//
//     cullet_measure_crowd_float [OBJECTS [whole]]      100,000 if nothing is said
//
// cullet and btDbvt in the same run, one after the other. Where removing alone took more than a second, deleting would
// take minutes: it is only waited for with "whole".
#include "crowd.h"
#include "stopwatch.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace test;

static void measure( const RigKind& kind, int objectCount, bool whole )
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
    std::printf( "%-20s %10d %10.0f %14.1f", kind.name, pairCount, addMs, removeMs );
    if ( removeMs > 1000 && !whole )
    {
        crowd.forgetPairs();
        std::printf( "%14s\n", "-" );
    }
    else
    {
        const Stopwatch deleting;
        crowd.deleteWorld();
        std::printf( "%14.0f\n", deleting.ms() );
    }
    std::fflush( stdout );
}

int main( int argc, char** argv )
{
    const int objectCount = argc > 1 ? std::atoi( argv[1] ) : 100000;
    const bool whole = argc == 3 && std::strcmp( argv[2], "whole" ) == 0;
    if ( argc > ( whole ? 3 : 2 ) || objectCount < 1000 )
    {
        std::fprintf( stderr, "usage: %s [OBJECTS [whole]], at least 1000 objects\n", argv[0] );
        return 2;
    }
    std::printf( "%d objects; milliseconds\n", objectCount );
    std::printf( "%-20s %10s %10s %14s %14s\n", "", "pairs", "add all", "remove 1,000", "delete world" );
    for ( const RigKind& kind :
          { RigKind{ "cullet, own cache", Engine::cullet, clt_algorithmAuto, 2 },
            RigKind{ "cullet, given cache", Engine::culletHashed, clt_algorithmAuto, 2 }, bulletDbvt } )
    {
        measure( kind, objectCount, whole );
    }
    return 0;
}
