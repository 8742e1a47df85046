// SPDX-License-Identifier: Zlib
// The snippets of the manual's page on the C API.
#include "check.h"

#include "cullet.h"
#include "cullet_arrays.h"
#include "cullet_queries.h"

#include <stdint.h>
#include <stdlib.h>

static cltAabb boxAt( float x )
{
    return ( cltAabb ){ { x, 0, 0 }, { x + 1.5f, 1, 1 } };
}

//! [create]
enum
{
    objectCount = 100
};

typedef struct Object
{
    cltAabb box;
    int touchCount;
} Object;

static Object objects[objectCount];

static cltStatus createScene( cltBroadphase** broadphase )
{
    const cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltStatus status = cltCreateBroadphase( &def, broadphase );
    for ( int i = 0; i < objectCount && status == clt_ok; ++i )
    {
        cltProxyId proxy; // 0, 1, 2, … : ids are dense, so they can index your own arrays
        status = cltBroadphase_CreateProxy( *broadphase, &objects[i].box, NULL, (uint64_t)i, &proxy );
    }
    return status;
}
//! [create]

//! [step]
static cltStatus step( cltBroadphase* broadphase )
{
    for ( int i = 0; i < objectCount; ++i )
    {
        cltBroadphase_MoveProxy( broadphase, (cltProxyId)i, &objects[i].box ); // an unchanged box costs a comparison
    }
    cltPairChanges changes;
    const cltStatus status = cltBroadphase_Update( broadphase, &changes ); // on an error `changes` is empty
    for ( size_t k = 0; k < changes.endedCount; ++k )
    {
        --objects[changes.ended[k].proxyA].touchCount;
        --objects[changes.ended[k].proxyB].touchCount;
    }
    for ( size_t k = 0; k < changes.beganCount; ++k )
    {
        ++objects[changes.began[k].proxyA].touchCount;
        ++objects[changes.began[k].proxyB].touchCount;
    }
    return status;
}
//! [step]

//! [queries]
static bool countProxy( cltProxyId proxy, uint64_t userData, void* context )
{
    (void)proxy;
    (void)userData;
    ++*(int*)context;
    return true; // false would end the query
}

static double keepClosest( cltProxyId proxy, uint64_t userData, double fraction, double maxFraction, void* context )
{
    (void)userData;
    (void)maxFraction;
    *(cltProxyId*)context = proxy;
    return fraction; // shortens the segment, so the last call is the closest hit
}

static int countInBox( const cltBroadphase* broadphase, const cltAabb* box )
{
    int count = 0;
    cltBroadphase_QueryBox( broadphase, box, countProxy, &count );
    return count;
}

static cltProxyId findClosest( const cltBroadphase* broadphase, const double from[3], const double to[3] )
{
    cltProxyId closest = CLT_NULL_PROXY;
    cltBroadphase_CastRay( broadphase, from, to, keepClosest, &closest );
    return closest;
}
//! [queries]

//! [volume]
typedef struct SphereQuery
{
    float center[3];
    float radius;
    int count;
} SphereQuery;

// Bit i: box i touches the sphere. The bits of empty lanes do not matter.
static uint32_t touchesSphere( const cltBoxLanes* boxes, void* context )
{
    const SphereQuery* sphere = (const SphereQuery*)context;
    uint32_t mask = 0;
    for ( uint32_t i = 0; i < CLT_LANE_COUNT; ++i )
    {
        float squared = 0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            const float below = boxes->lower[axis][i] - sphere->center[axis];
            const float above = sphere->center[axis] - boxes->upper[axis][i];
            const float distance = below > 0 ? below : above > 0 ? above : 0;
            squared += distance * distance;
        }
        mask |= (uint32_t)( squared <= sphere->radius * sphere->radius ) << i;
    }
    return mask;
}

// The box that touchesSphere saw may be larger than the proxy's own: this is the place for an exact test.
static bool countInSphere( cltProxyId proxy, uint64_t userData, void* context )
{
    (void)proxy;
    (void)userData;
    ++( (SphereQuery*)context )->count;
    return true;
}

static int countNear( const cltBroadphase* broadphase, float x, float y, float z, float radius )
{
    SphereQuery sphere = { { x, y, z }, radius, 0 };
    cltBroadphase_QueryVolume( broadphase, touchesSphere, countInSphere, &sphere );
    return sphere.count;
}
//! [volume]

//! [filters]
enum
{
    floors = 1,
    balls = 2,
    sensors = 4
};

// Balls meet all; floors do not meet floors; sensors report balls alone.
static const cltFilter floorFilter = { floors, balls };
static const cltFilter ballFilter = { balls, floors | balls | sensors };
static const cltFilter sensorFilter = { sensors, balls };
//! [filters]

//! [hooks]
// Your scheduler in place of this loop: ranges may run in any order and on any threads.
static void runRanges( cltTask* task, uint32_t count, uint32_t grain, void* taskContext, void* userContext )
{
    ++*(int*)userContext;
    for ( uint32_t first = 0; first < count; first += grain )
    {
        task( first, count - first < grain ? count : first + grain, taskContext );
    }
}

static cltStatus createOnMyThreads( int* loopCount, cltBroadphase** broadphase )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = 4; // how many threads the hook uses
    def.hooks.parallelFor = runRanges;
    def.hooks.userContext = loopCount; // all hooks get it
    return cltCreateBroadphase( &def, broadphase );
}
//! [hooks]

static void testScene( void )
{
    for ( int i = 0; i < objectCount; ++i )
    {
        objects[i].box = boxAt( (float)i );
    }
    cltBroadphase* broadphase;
    CHECK( createScene( &broadphase ) == clt_ok );
    CHECK( step( broadphase ) == clt_ok );
    CHECK( objects[0].touchCount == 1 && objects[1].touchCount == 2 );
    objects[0].box = boxAt( -100 );
    CHECK( step( broadphase ) == clt_ok );
    CHECK( objects[0].touchCount == 0 && objects[1].touchCount == 1 );

    const cltAabb box = { { 10, 0, 0 }, { 11, 1, 1 } };
    CHECK( countInBox( broadphase, &box ) == 3 );
    const double from[3] = { -50, 0.5, 0.5 }, to[3] = { 500, 0.5, 0.5 };
    CHECK( findClosest( broadphase, from, to ) == 1 );
    CHECK( countNear( broadphase, 50, 0, 0, 0.25f ) == 2 );
    cltDestroyBroadphase( broadphase );
}

static void testFilters( void )
{
    const cltFilter filters[5] = { floorFilter, floorFilter, ballFilter, ballFilter, sensorFilter };
    const cltAabb boxes[5] = { boxAt( 0 ), boxAt( 0 ), boxAt( 0 ), boxAt( 0 ), boxAt( 0 ) };
    const cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltBroadphase* broadphase;
    cltPairChanges changes;
    CHECK( cltCreateBroadphase( &def, &broadphase ) == clt_ok );
    CHECK( cltBroadphase_CreateProxies( broadphase, 5, boxes, filters, NULL, NULL ) == clt_ok );
    CHECK( cltBroadphase_Update( broadphase, &changes ) == clt_ok );
    CHECK( changes.beganCount == 2 * 2 + 1 + 2 ); // floors and balls, two balls, sensor and balls
    cltDestroyBroadphase( broadphase );
}

static void testHooks( void )
{
    enum
    {
        count = 20000
    };
    static cltAabb boxes[count];
    for ( int i = 0; i < count; ++i )
    {
        boxes[i] = boxAt( (float)i );
    }
    int loopCount = 0;
    cltBroadphase* broadphase;
    cltPairChanges changes;
    CHECK( createOnMyThreads( &loopCount, &broadphase ) == clt_ok );
    CHECK( cltBroadphase_CreateProxies( broadphase, count, boxes, NULL, NULL, NULL ) == clt_ok );
    CHECK( cltBroadphase_Update( broadphase, &changes ) == clt_ok );
    CHECK( changes.beganCount == count - 1 && loopCount > 0 );
    cltDestroyBroadphase( broadphase );
}

//! [arrays]
static cltStatus updateArrays( cltArrays* arrays, const cltAabb* boxes, size_t count, size_t* beganCount )
{
    cltPairChanges changes;
    const cltStatus status = cltArrays_Update( arrays, count, boxes, NULL, &changes ); // the id of a box is its index
    *beganCount = changes.beganCount;
    return status;
}
//! [arrays]

static void testArrays( void )
{
    const cltAabb boxes[3] = { boxAt( 0 ), boxAt( 1 ), boxAt( 9 ) };
    const cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltArrays* arrays;
    size_t beganCount;
    CHECK( cltCreateArrays( &def, &arrays ) == clt_ok );
    CHECK( updateArrays( arrays, boxes, 3, &beganCount ) == clt_ok && beganCount == 1 );
    cltDestroyArrays( arrays );
}

int main( void )
{
    testScene();
    testFilters();
    testHooks();
    testArrays();
    return 0;
}
