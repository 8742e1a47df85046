// SPDX-License-Identifier: Zlib
// Runs named worlds on a device and on the CPU, and compares the changes and pairs of every update byte for byte. The
// CPU finds pairs of up to 2,000 bodies by brute force, and of more by `wide`. The program needs no GoogleTest, so it
// also runs where only the library can be built, such as in a simulator of a device:
//
//     gcc -ffp-contract=off -I. -Ibridge tests/device/programs/worlds.c demos/scenes/*.c <libraries>
//     cullet_device_worlds [<algorithm> [<world>]]
//
// Prints a line for each world, with the algorithm that ran, then the number of all differences. Exit codes: 0 no
// differences; 1 differences, or the device failed; 2 wrong arguments.
#include "cullet.h"
#include "demos/scenes/random.h"
#include "demos/scenes/scenes.h"
#include "gpu/core/aabb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UPDATES 5u
#define SMALL_WORLD 2000u ///< bodies
#define CHANGED_ONE_IN 8u ///< of the proxies, if a world replaces proxies or sets filters

/// What the bodies of a world do beside the motion of the scene.
typedef enum Trait
{
    trait_none,
    trait_replaced,  ///< proxies are destroyed and created
    trait_unusual,   ///< some boxes have NaNs or infinities, are very large, are inverted, or touch others
    trait_filters,   ///< filters reject pairs, and change
    trait_unfiltered ///< filters are ignored
} Trait;

typedef struct WorldDef
{
    const char* name;
    cltSceneKind scene;
    uint32_t bodyCount;
    double movingPercent;
    double jumpingPercent;
    Trait trait;
    cltPrecision precision;
} WorldDef;

static const WorldDef worlds[] = {
    { "10", clt_sceneBrownian, 10, 100.0, 0.0, trait_none, clt_precisionFloat },
    { "129", clt_sceneBrownian, 129, 100.0, 0.0, trait_none, clt_precisionFloat },
    { "1000", clt_sceneBrownian, 1000, 100.0, 0.0, trait_none, clt_precisionFloat },
    { "10000", clt_sceneBrownian, 10000, 100.0, 0.0, trait_none, clt_precisionFloat },
    { "33000", clt_sceneBrownian, 33000, 1.0, 0.0, trait_none, clt_precisionFloat }, // a tree of four levels
    { "replaced-300", clt_sceneMixed, 300, 100.0, 0.0, trait_replaced, clt_precisionFloat },
    { "jumping-300", clt_sceneMixed, 300, 100.0, 20.0, trait_none, clt_precisionFloat },
    { "resting-2000", clt_sceneClustered, 2000, 10.0, 0.0, trait_none, clt_precisionFloat },
    { "filters-2000", clt_sceneClustered, 2000, 50.0, 0.0, trait_filters, clt_precisionFloat },
    { "unfiltered-300", clt_sceneColumn, 300, 100.0, 0.0, trait_unfiltered, clt_precisionFloat },
    { "unusual-300", clt_sceneMixed, 300, 100.0, 0.0, trait_unusual, clt_precisionFloat },
    { "double-300", clt_sceneMixed, 300, 100.0, 10.0, trait_unusual, clt_precisionDouble },
    { "double-filters-300", clt_sceneClustered, 300, 30.0, 0.0, trait_filters, clt_precisionDouble } };

static const cltAlgorithm algorithms[] = { clt_algorithmWide, clt_algorithmLbvh, clt_algorithmGrid,
                                           clt_algorithmFrontier, clt_algorithmBruteForce };

/// The same world twice. Both broadphases get the same calls, so their ids are equal.
typedef struct Twins
{
    cltBroadphase* both[2]; ///< on the device, on the CPU
    cltScene* scene;
    cltAabbD* boxes;
    cltProxyId* ids;
} Twins;

static void Check( cltStatus status, const char* what )
{
    if ( status != clt_ok )
    {
        fprintf( stderr, "cullet_device_worlds: %s: %s\n", what, cltStatusMessage( status ) );
        exit( 1 );
    }
}

/// The log hook: the backend logs only failures of the device, after which the CPU would take over.
static void FailOnLog( cltStatus status, const char* message, void* unused )
{
    (void)unused;
    Check( status, message );
}

static void* Allocate( size_t count, size_t size )
{
    void* memory = calloc( count, size );
    Check( memory != NULL ? clt_ok : clt_hostMemory, "boxes and ids" );
    return memory;
}

static cltBroadphase* CreateBroadphase( const WorldDef* world, cltAlgorithm algorithm, cltDevice device )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = device;
    def.algorithm = algorithm;
    def.precision = world->precision;
    def.filterMasks = world->trait != trait_unfiltered;
    def.hooks.log = FailOnLog;
    cltBroadphase* broadphase = NULL;
    Check( cltCreateBroadphase( &def, &broadphase ), cltDeviceName( device ) );
    return broadphase;
}

static cltDraw DrawOf( const Twins* twins, uint32_t body )
{
    const cltDraw draw = { CLT_SCENE_SEED, body, twins->scene->step };
    return draw;
}

static bool IsChanged( const Twins* twins, uint32_t body )
{
    return cltUniform( DrawOf( twins, body ), 0 ) < 1.0f / CHANGED_ONE_IN;
}

/// Each eighth box is unusual in a step.
static void MakeUnusual( const Twins* twins, uint32_t body, cltAabbD* box )
{
    const double lower = box->lower[0];
    switch ( (int)( 5.0f * CHANGED_ONE_IN * cltUniform( DrawOf( twins, body ), 1 ) ) )
    {
    case 0:
        box->upper[1] = (double)NAN;
        break;
    case 1:
        box->lower[2] = -(double)INFINITY;
        break;
    case 2:
        box->upper[0] += 10.0 * (double)twins->scene->extent[0];
        break;
    case 3:
        box->lower[0] = box->upper[0]; // inverted
        box->upper[0] = lower;
        break;
    case 4: // bounds that other boxes have, too
        box->lower[1] = floor( box->lower[1] );
        box->upper[1] = box->lower[1] + 1.0;
        break;
    default:
        break;
    }
}

static void UpdateBoxes( const Twins* twins, const WorldDef* world )
{
    for ( uint32_t body = 0; body < twins->scene->boxCount; ++body )
    {
        twins->boxes[body] = cltAabb_ToDouble( twins->scene->boxes + body );
        if ( world->trait == trait_unusual )
        {
            MakeUnusual( twins, body, twins->boxes + body );
        }
    }
}

static cltFilter RandomFilter( const Twins* twins, uint32_t body )
{
    const uint32_t bits = (uint32_t)( 64.0f * cltUniform( DrawOf( twins, body ), 2 ) );
    const cltFilter filter = { 1 << bits % 3u, (int32_t)( bits / 4u % 8u ) };
    return filter;
}

static cltAabb ToFloat( const cltAabbD* box )
{
    cltAabb rounded;
    for ( int axis = 0; axis < 3; ++axis )
    {
        rounded.lower[axis] = (float)box->lower[axis];
        rounded.upper[axis] = (float)box->upper[axis];
    }
    return rounded;
}

static void Create( Twins* twins, uint32_t body, bool isDouble, const cltFilter* filter )
{
    const cltAabb rounded = ToFloat( twins->boxes + body );
    for ( int i = 0; i < 2; ++i )
    {
        cltProxyId* id = twins->ids + body;
        Check( isDouble ? cltBroadphase_CreateProxyD( twins->both[i], twins->boxes + body, filter, body, id )
                        : cltBroadphase_CreateProxy( twins->both[i], &rounded, filter, body, id ),
               "create" );
    }
}

static void Move( const Twins* twins, uint32_t body, bool isDouble )
{
    const cltAabb rounded = ToFloat( twins->boxes + body );
    for ( int i = 0; i < 2; ++i )
    {
        Check( isDouble ? cltBroadphase_MoveProxyD( twins->both[i], twins->ids[body], twins->boxes + body )
                        : cltBroadphase_MoveProxy( twins->both[i], twins->ids[body], &rounded ),
               "move" );
    }
}

static void SetFilter( const Twins* twins, uint32_t body )
{
    const cltFilter filter = RandomFilter( twins, body );
    for ( int i = 0; i < 2; ++i )
    {
        Check( cltBroadphase_SetFilter( twins->both[i], twins->ids[body], &filter ), "set a filter" );
    }
}

static void Replace( Twins* twins, uint32_t body, bool isDouble )
{
    for ( int i = 0; i < 2; ++i )
    {
        Check( cltBroadphase_DestroyProxy( twins->both[i], twins->ids[body] ), "destroy" );
    }
    Create( twins, body, isDouble, twins->scene->filters + body );
}

static void CreateAll( Twins* twins, const WorldDef* world )
{
    UpdateBoxes( twins, world );
    for ( uint32_t body = 0; body < twins->scene->boxCount; ++body )
    {
        const cltFilter filter =
            world->trait == trait_filters ? RandomFilter( twins, body ) : twins->scene->filters[body];
        Create( twins, body, world->precision == clt_precisionDouble, &filter );
    }
}

static void Step( Twins* twins, const WorldDef* world )
{
    const bool isDouble = world->precision == clt_precisionDouble;
    cltScene_Step( twins->scene );
    UpdateBoxes( twins, world );
    for ( uint32_t body = 0; body < twins->scene->boxCount; ++body )
    {
        if ( world->trait == trait_replaced && IsChanged( twins, body ) )
        {
            Replace( twins, body, isDouble );
        }
        if ( world->trait == trait_filters && IsChanged( twins, body ) )
        {
            SetFilter( twins, body );
        }
    }
    for ( uint32_t i = 0; i < twins->scene->movedCount; ++i )
    {
        Move( twins, twins->scene->moved[i], isDouble );
    }
}

static bool ArePairsEqual( const cltPair* a, size_t countA, const cltPair* b, size_t countB )
{
    return countA == countB && ( countA == 0 || memcmp( a, b, countA * sizeof *a ) == 0 );
}

/// The algorithm of the last update, which may be another than the chosen one, see cltBroadphaseDef::algorithm.
static cltAlgorithm AlgorithmOnDevice( const Twins* twins )
{
    cltStats stats;
    Check( cltBroadphase_GetStats( twins->both[0], &stats ), "statistics" );
    Check( stats.device == clt_deviceCuda ? clt_ok : clt_noDevice, "not on the device" );
    return stats.algorithm;
}

/// Updates both. Returns the number of lists that differ: pairs that began, that ended, and all pairs.
static int UpdateAndCompare( const Twins* twins, size_t* pairCount )
{
    cltPairChanges changes[2];
    const cltPair* pairs[2];
    size_t counts[2];
    for ( int i = 0; i < 2; ++i )
    {
        Check( cltBroadphase_Update( twins->both[i], changes + i ), "update" );
        Check( cltBroadphase_GetPairs( twins->both[i], pairs + i, counts + i ), "pairs" );
    }
    *pairCount += counts[1];
    const cltPairChanges* a = changes;
    const cltPairChanges* b = changes + 1;
    return !ArePairsEqual( a->began, a->beganCount, b->began, b->beganCount ) +
           !ArePairsEqual( a->ended, a->endedCount, b->ended, b->endedCount ) +
           !ArePairsEqual( pairs[0], counts[0], pairs[1], counts[1] );
}

static Twins CreateTwins( const WorldDef* world, cltAlgorithm algorithm )
{
    const cltSceneDef def = { world->scene, world->bodyCount, world->movingPercent,
                              1.0f,         CLT_SCENE_SEED,   world->jumpingPercent };
    Twins twins;
    twins.scene = cltCreateScene( &def );
    Check( twins.scene != NULL ? clt_ok : clt_hostMemory, "scene" );
    twins.boxes = (cltAabbD*)Allocate( twins.scene->boxCount, sizeof *twins.boxes );
    twins.ids = (cltProxyId*)Allocate( twins.scene->boxCount, sizeof *twins.ids );
    twins.both[0] = CreateBroadphase( world, algorithm, clt_deviceCuda );
    twins.both[1] = CreateBroadphase(
        world, world->bodyCount <= SMALL_WORLD ? clt_algorithmBruteForce : clt_algorithmWide, clt_deviceCpu );
    CreateAll( &twins, world );
    return twins;
}

static void DestroyTwins( Twins* twins )
{
    cltDestroyBroadphase( twins->both[0] );
    cltDestroyBroadphase( twins->both[1] );
    cltDestroyScene( twins->scene );
    free( twins->boxes );
    free( twins->ids );
}

static int RunWorld( const WorldDef* world, cltAlgorithm algorithm )
{
    Twins twins = CreateTwins( world, algorithm );
    size_t pairCount = 0;
    int differences = UpdateAndCompare( &twins, &pairCount );
    for ( uint32_t update = 1; update < UPDATES; ++update )
    {
        Step( &twins, world );
        differences += UpdateAndCompare( &twins, &pairCount );
    }
    printf( "%-10s %-18s  %u updates by %-10s  %7zu pairs  %d differences\n", cltAlgorithmName( algorithm ),
            world->name, UPDATES, cltAlgorithmName( AlgorithmOnDevice( &twins ) ), pairCount, differences );
    fflush( stdout ); // a world may take minutes in a simulator
    DestroyTwins( &twins );
    return differences;
}

/// The largest world in which the algorithm does not take too long where the device is emulated.
static uint32_t LargestWorld( cltAlgorithm algorithm )
{
    switch ( algorithm )
    {
    case clt_algorithmBruteForce:
        return SMALL_WORLD;
    case clt_algorithmWide:
        return 33000;
    default:
        return 10000;
    }
}

static bool IsChosen( const WorldDef* world, cltAlgorithm algorithm, int argc, char** argv )
{
    return argc <= 3 && ( argc < 2 || strcmp( argv[1], cltAlgorithmName( algorithm ) ) == 0 ) &&
           ( argc < 3 || strcmp( argv[2], world->name ) == 0 ) && world->bodyCount <= LargestWorld( algorithm );
}

int main( int argc, char** argv )
{
    int differences = 0;
    int worldCount = 0;
    for ( size_t i = 0; i < sizeof algorithms / sizeof *algorithms; ++i )
    {
        for ( size_t j = 0; j < sizeof worlds / sizeof *worlds; ++j )
        {
            if ( IsChosen( worlds + j, algorithms[i], argc, argv ) )
            {
                differences += RunWorld( worlds + j, algorithms[i] );
                ++worldCount;
            }
        }
    }
    if ( worldCount == 0 )
    {
        fprintf( stderr, "usage: cullet_device_worlds [<algorithm> [<world>]], as in wide 1000\n" );
        return 2;
    }
    printf( "%d worlds, %d differences\n", worldCount, differences );
    return differences == 0 ? 0 : 1;
}
