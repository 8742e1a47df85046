// SPDX-License-Identifier: Zlib
/// \file cullet.h
/// Cullet finds every pair of overlapping axis-aligned boxes, exactly, among up to half a billion boxes. Each update
/// reports the pairs that began and the pairs that ended.
///
/// Fill a def, create a broadphase, create a proxy for each object. Then, in each step, move the proxies that moved and
/// call cltBroadphase_Update. Its result is the same bytes on every device, algorithm and number of threads.
///
///     cltBroadphaseDef def = cltDefaultBroadphaseDef();
///     cltBroadphase* broadphase;
///     cltCreateBroadphase( &def, &broadphase );
///     cltBroadphase_CreateProxies( broadphase, count, boxes, NULL, NULL, proxies );
///     cltPairChanges changes;
///     cltBroadphase_Update( broadphase, &changes );
///
/// No function prints, exits or throws. All that can fail return a cltStatus. Broadphases share only a thread pool.
///
/// Terms, each with one meaning:
///
///     proxy       the entry of one object: a box, a filter and the caller's user data; its id is also called slot
///     box         an axis-aligned bounding box (AABB)
///     pair        two proxies with overlapping boxes and filters that allow it
///     current     as given by the last call; previous: as of the last update that succeeded
///     began       of a pair: it is a pair now, and was not at the previous update; ended: the opposite
///     moved       of a proxy: its current box differs from its previous box
///     changed     of a proxy: created, moved, destroyed, or given another filter
///     backend     the part of the library that finds pairs: one for the CPU, one for CUDA devices
///
/// Other headers: cullet_queries.h (swept boxes, frusta, rays by Bullet's rules), cullet_arrays.h (boxes and pairs in
/// the memory of a CUDA device), cullet_mesh.h (pairs of triangles), cullet_debug.h (draws the search structure),
/// cullet_research.h (options and counters for experiments).
#ifndef CLT_CULLET_H
#define CLT_CULLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined( __GNUC__ ) && !defined( _WIN32 ) && defined( CLT_SHARED )
#define CLT_API __attribute__( ( visibility( "default" ) ) )
#else
#define CLT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CLT_VERSION_MAJOR 0 ///< of this header
#define CLT_VERSION_MINOR 1 ///< of this header
#define CLT_VERSION_PATCH 0 ///< of this header

/// A version of the library, for example 0.1.0.
typedef struct cltVersion
{
    int major; ///< 0 of 0.1.2
    int minor; ///< 1 of 0.1.2
    int patch; ///< 2 of 0.1.2
} cltVersion;

/// The version of the linked library, which may differ from the CLT_VERSION_* macros of this header.
CLT_API cltVersion cltGetVersion( void );

/// Result of every call that can fail. Values are fixed; a new status gets the next value in its group of ten.
typedef enum cltStatus
{
    clt_ok = 0,
    clt_invalidArgument = 10, ///< a NULL pointer, an option out of range, or a def that no cltDefault function made
    clt_unknownProxy = 11,    ///< never created, already destroyed, or from another broadphase
    clt_wrongPrecision = 12,  ///< double boxes given to a float broadphase, or float boxes read from a double one
    clt_tooManyProxies = 13,  ///< more than CLT_MAX_PROXIES
    clt_wrongMemory = 14,     ///< an array of cullet_arrays.h in the wrong memory: the host's, or a device's
    clt_hostMemory = 20,      ///< the allocation hook returned NULL; nothing was lost, the call may be repeated
    clt_deviceMemory = 21,    ///< the device is out of memory; returned only by creation, else logged
    clt_noDevice = 40,        ///< no usable CUDA device or driver, or a library without CUDA
    clt_deviceFailed = 41     ///< the device failed, or another process owns it; returned only by creation, else logged
} cltStatus;

/// The enumerator as text, for example "clt_unknownProxy". Never NULL; unknown values give "clt_unknownStatus".
CLT_API const char* cltStatusName( cltStatus status );

/// A sentence that says what went wrong and what to do. Never NULL.
CLT_API const char* cltStatusMessage( cltStatus status );

// ------------------------------------------------------------------------------------------------- boxes and pairs

/// A proxy's id is its slot: small, dense, from 0 on. The id of a destroyed proxy may be reused after the next update.
typedef uint32_t cltProxyId;

#define CLT_NULL_PROXY UINT32_MAX    ///< the id of no proxy
#define CLT_MAX_PROXIES ( 1u << 29 ) ///< the largest number of proxies in a broadphase
#define CLT_MAX_THREADS 256          ///< the largest cltBroadphaseDef::threadCount

/// Closed box in world units: boxes that only touch overlap. Infinite and inverted boxes follow the comparisons
/// a.lower <= b.upper and b.lower <= a.upper on all three axes. A box with a NaN overlaps nothing, and no query finds
/// it. If the calling thread treats denormals as zero (DAZ), so do comparisons on the CPU; a CUDA device never does.
typedef struct cltAabb
{
    float lower[3]; ///< x, y, z
    float upper[3]; ///< x, y, z
} cltAabb;

/// The same in double precision, for broadphases created with clt_precisionDouble.
typedef struct cltAabbD
{
    double lower[3]; ///< x, y, z
    double upper[3]; ///< x, y, z
} cltAabbD;

/// Bullet's rule: two proxies may pair if the group of each shares a bit with the mask of the other.
///
/// Searches skip proxies that may not pair. To search two sets against each other, give each set a filter of its own;
/// no time is spent on overlaps within a set:
///
///     const cltFilter garment = { 1, 2 }, body = { 2, 1 };
///     cltBroadphase_CreateProxiesAlike( broadphase, garmentCount, garmentBoxes, &garment, NULL, NULL );
///     cltBroadphase_CreateProxiesAlike( broadphase, bodyCount, bodyBoxes, &body, NULL, NULL );
typedef struct cltFilter
{
    int32_t group; ///< the bits of this proxy
    int32_t mask;  ///< the bits of the groups that it may pair with
} cltFilter;

/// Two overlapping proxies; proxyA < proxyB.
typedef struct cltPair
{
    cltProxyId proxyA; ///< the lower id
    cltProxyId proxyB; ///< the higher id
} cltPair;

/// The result of an update. Both arrays ascend by (proxyA, proxyB). They belong to the broadphase and are valid until
/// its next update or its destruction.
typedef struct cltPairChanges
{
    const cltPair* began; ///< pairs that are new since the previous update
    const cltPair* ended; ///< pairs of the previous update that are gone
    size_t beganCount;    ///< length of `began`
    size_t endedCount;    ///< length of `ended`
} cltPairChanges;

// --------------------------------------------------------------------------------------------------------- options

/// Where a broadphase searches for pairs.
typedef enum cltDevice
{
    clt_deviceAuto, ///< the CPU; with promotion to a CUDA device if cltBroadphaseDef::promoteFrom is set
    clt_deviceCpu,  ///< the CPU, always
    clt_deviceCuda  ///< with failover to the CPU, see cltBroadphase_Update
} cltDevice;

/// All algorithms find the same pairs. They differ in speed.
typedef enum cltAlgorithm
{
    clt_algorithmAuto,       ///< the best for the device: wide; on a CPU with at most 64 proxies so far, bruteForce
    clt_algorithmBruteForce, ///< tests all pairs of proxies
    /// uniform cells, for evenly spread boxes of similar size. For other boxes lbvh replaces it; see cltStats::reason
    clt_algorithmGrid,
    clt_algorithmLbvh, ///< linear bounding volume hierarchy
    clt_algorithmWide, ///< blocks of boxes along a Hilbert curve under a wide tree, for vector units and warps
    /// a binary tree traversed against itself (Chitalu, Dubach, Komura 2018); see also cltResearchDef::keepFront
    clt_algorithmFrontier
} cltAlgorithm;

/// Instruction sets of the CPU, for `wide` and for queries. Results are the same bytes.
typedef enum cltSimd
{
    clt_simdAuto,   ///< the best that the processor has
    clt_simdPlain,  ///< plain C
    clt_simdSse2,   ///< every x86-64; the vectors of WebAssembly
    clt_simdAvx2,   ///< AVX2
    clt_simdAvx512, ///< AVX-512 F, BW, DQ and VL
    clt_simdNeon    ///< every 64-bit ARM
} cltSimd;

/// The precision in which boxes are kept and compared.
typedef enum cltPrecision
{
    clt_precisionFloat, ///< cltAabb
    clt_precisionDouble ///< cltAabbD
} cltPrecision;

// Enumerators as text. Unknown values give "unknown".
CLT_API const char* cltDeviceName( cltDevice device );          ///< "auto", "cpu", "cuda"
CLT_API const char* cltAlgorithmName( cltAlgorithm algorithm ); ///< "auto", "bruteForce", "grid", "lbvh", ...
CLT_API const char* cltSimdName( cltSimd simd );                ///< "auto", "plain", "sse2", "avx2", ...

/// Allocates `size` bytes, aligned to `alignment` (a power of two). NULL if there is no memory. Called only from the
/// thread that called the library, and never from inside parallelFor.
typedef void* cltAllocFcn( size_t size, size_t alignment, void* userContext );

/// Frees memory of cltAllocFcn. `size` is the size that was requested.
typedef void cltFreeFcn( void* memory, size_t size, void* userContext );

/// Receives one line at a failover or a failed promotion, with the status of the device. Neither changes a result. The
/// message is valid only during the call.
typedef void cltLogFcn( cltStatus status, const char* message, void* userContext );

/// A task on the indices [first, last).
typedef void cltTask( uint32_t first, uint32_t last, void* taskContext );

/// Calls `task` for ranges that cover each index of [0, count) exactly once, in any order and on any threads. A range
/// begins at a multiple of `grain` and is at most `grain` long. Returns after all calls have returned. Each broadphase
/// calls this from one thread at a time.
typedef void cltParallelForFcn( cltTask* task, uint32_t count, uint32_t grain, void* taskContext, void* userContext );

/// Functions of the application that the library calls.
typedef struct cltHooks
{
    cltAllocFcn* allocate;          ///< host memory; NULL: the system's. Set both allocate and release, or neither
    cltFreeFcn* release;            ///< frees what `allocate` returned
    cltLogFcn* log;                 ///< NULL: no log
    cltParallelForFcn* parallelFor; ///< NULL: the thread pool that all broadphases share
    void* userContext;              ///< passed to all hooks
} cltHooks;

/// Creation parameters. Must come from cltDefaultBroadphaseDef(). The library copies the def and its `research`.
typedef struct cltBroadphaseDef
{
    cltDevice device; ///< default clt_deviceAuto
    /// with clt_deviceAuto: updates in which at least this many proxies move lead to a promotion, see
    /// cltBroadphase_Update. Default 0: never
    uint32_t promoteFrom;
    cltAlgorithm algorithm; ///< default clt_algorithmAuto
    cltPrecision precision; ///< default clt_precisionFloat
    cltSimd simd;           ///< default clt_simdAuto
    bool filterMasks;       ///< apply filters; default true. False: every two overlapping boxes are a pair
    /// report pairs of destroyed proxies in the `ended` of the next update; default false. The ids of these proxies may
    /// be reused from that update on, so read `ended` before creating proxies
    bool reportDestroyed;
    uint32_t proxyCapacity; ///< number of proxies for which memory is allocated at creation and kept; default 0
    /// threads of an update with the caller's, at most CLT_MAX_THREADS; default 0: all processors, see cltBroadphase
    int threadCount;
    void* stream;   ///< a cudaStream_t to use, which must outlive the broadphase; default NULL: a new stream
    cltHooks hooks; ///< default: all NULL
    const struct cltResearchDef* research; ///< options of cullet_research.h; default NULL
    int internalValue;                     ///< set by cltDefaultBroadphaseDef. DO NOT SET.
} cltBroadphaseDef;

/// A def with the defaults that are listed at its members.
CLT_API cltBroadphaseDef cltDefaultBroadphaseDef( void );

// ------------------------------------------------------------------------------------------------------ broadphase

/// A set of proxies and their pairs. Only one thread at a time may use a broadphase, except for queries (see below).
///
/// Threads: the first update with enough work starts a thread pool, which all broadphases of the process share. It ends
/// when the last broadphase that used it is destroyed. By default it has a thread for each processor of the affinity
/// mask, limited by the CPU quota of the control group or, on Windows, of the job. An update that finds the pool in use
/// runs on the caller's thread alone. In a forked child, broadphases that used threads in the parent use none; others
/// start a new pool. In a browser, threads that have not begun, because the program has not yet returned to the event
/// loop, are not awaited.
///
/// Memory grows as needed. If 240 consecutive updates need less than a quarter of it, the excess is released; arrays
/// that are indexed by id, about 60 bytes per proxy, are released only above the highest id in use. Updates in which
/// nothing changed release these arrays only.
typedef struct cltBroadphase cltBroadphase;

/// Creates a broadphase.
/// \param[out] broadphase  the new broadphase, to be destroyed by the caller; NULL on failure
/// \return clt_invalidArgument (also if this processor or this library lacks `simd`), clt_noDevice (clt_deviceCuda was
///         requested and there is no usable device), clt_deviceMemory, clt_deviceFailed, clt_hostMemory
CLT_API cltStatus cltCreateBroadphase( const cltBroadphaseDef* def, cltBroadphase** broadphase );

/// Releases everything. NULL is allowed. On Windows, must not be called for the last broadphase while a DLL is loaded
/// or unloaded, for example by a destructor of its static objects: the pool's threads cannot end then.
CLT_API void cltDestroyBroadphase( cltBroadphase* broadphase );

// --------------------------------------------------------------------------------------------------------- proxies
//
// Functions that take arrays do all or nothing: on an error no proxy is created, changed or destroyed. Functions with a
// D at the end take double boxes and need clt_precisionDouble; the others work with both precisions. Pairs change in
// the next update.

/// Creates a proxy.
/// \param filter      NULL for group 1, mask -1
/// \param userData    passed to the callbacks of queries
/// \param[out] proxy  the new id
/// \return clt_invalidArgument, clt_wrongPrecision, clt_tooManyProxies, clt_hostMemory
CLT_API cltStatus cltBroadphase_CreateProxy( cltBroadphase* broadphase, const cltAabb* box, const cltFilter* filter,
                                             uint64_t userData, cltProxyId* proxy );
/// As cltBroadphase_CreateProxy, for a double box.
CLT_API cltStatus cltBroadphase_CreateProxyD( cltBroadphase* broadphase, const cltAabbD* box, const cltFilter* filter,
                                              uint64_t userData, cltProxyId* proxy );

/// Creates `count` proxies.
/// \param boxes     `count` boxes
/// \param filters   `count` filters, or NULL for group 1, mask -1
/// \param userData  `count` values, or NULL for zeros
/// \param[out] ids  `count` ids, or NULL if not needed. Ids are consecutive if no proxy was ever destroyed
CLT_API cltStatus cltBroadphase_CreateProxies( cltBroadphase* broadphase, size_t count, const cltAabb* boxes,
                                               const cltFilter* filters, const uint64_t* userData, cltProxyId* ids );
/// As cltBroadphase_CreateProxies, for double boxes.
CLT_API cltStatus cltBroadphase_CreateProxiesD( cltBroadphase* broadphase, size_t count, const cltAabbD* boxes,
                                                const cltFilter* filters, const uint64_t* userData, cltProxyId* ids );

/// As cltBroadphase_CreateProxies, with one filter for all proxies.
CLT_API cltStatus cltBroadphase_CreateProxiesAlike( cltBroadphase* broadphase, size_t count, const cltAabb* boxes,
                                                    const cltFilter* filter, const uint64_t* userData,
                                                    cltProxyId* ids );
/// As cltBroadphase_CreateProxiesAlike, for double boxes.
CLT_API cltStatus cltBroadphase_CreateProxiesAlikeD( cltBroadphase* broadphase, size_t count, const cltAabbD* boxes,
                                                     const cltFilter* filter, const uint64_t* userData,
                                                     cltProxyId* ids );

/// Sets the box of a proxy. A box equal to the current one costs a comparison and changes nothing.
/// \return clt_invalidArgument, clt_unknownProxy, clt_wrongPrecision
CLT_API cltStatus cltBroadphase_MoveProxy( cltBroadphase* broadphase, cltProxyId proxy, const cltAabb* box );
/// As cltBroadphase_MoveProxy, for a double box.
CLT_API cltStatus cltBroadphase_MoveProxyD( cltBroadphase* broadphase, cltProxyId proxy, const cltAabbD* box );

/// Sets the boxes of `count` proxies: boxes[i] is for proxies[i]. If a proxy is named twice, its last box counts.
/// \param proxies  NULL: boxes[i] is for the proxy with id i, and is ignored if there is no such proxy
CLT_API cltStatus cltBroadphase_MoveProxies( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                             const cltAabb* boxes );
/// As cltBroadphase_MoveProxies, for double boxes.
CLT_API cltStatus cltBroadphase_MoveProxiesD( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                              const cltAabbD* boxes );

/// At the next update, pairs that the new filter forbids end, and pairs that it allows begin.
CLT_API cltStatus cltBroadphase_SetFilter( cltBroadphase* broadphase, cltProxyId proxy, const cltFilter* filter );
/// As cltBroadphase_SetFilter, for `count` proxies, which are named as for cltBroadphase_MoveProxies.
CLT_API cltStatus cltBroadphase_SetFilters( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                            const cltFilter* filters );

/// Removes proxies and their pairs at once. The pairs are not reported in `ended`, except with
/// cltBroadphaseDef::reportDestroyed. If a proxy is named twice, the result is clt_unknownProxy.
CLT_API cltStatus cltBroadphase_DestroyProxy( cltBroadphase* broadphase, cltProxyId proxy );
/// As cltBroadphase_DestroyProxy, for `count` proxies.
CLT_API cltStatus cltBroadphase_DestroyProxies( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies );

/// The current box. GetBoxD works with both precisions, GetBox only with float (else clt_wrongPrecision).
CLT_API cltStatus cltBroadphase_GetBox( const cltBroadphase* broadphase, cltProxyId proxy, cltAabb* box );
/// As cltBroadphase_GetBox, in double.
CLT_API cltStatus cltBroadphase_GetBoxD( const cltBroadphase* broadphase, cltProxyId proxy, cltAabbD* box );
/// The filter last set.
CLT_API cltStatus cltBroadphase_GetFilter( const cltBroadphase* broadphase, cltProxyId proxy, cltFilter* filter );
/// The user data given at creation.
CLT_API cltStatus cltBroadphase_GetUserData( const cltBroadphase* broadphase, cltProxyId proxy, uint64_t* userData );

/// The user data of `count` proxies.
/// \param proxies        as for cltBroadphase_MoveProxies
/// \param[out] userData  `count` values; those of ignored ids stay unchanged
CLT_API cltStatus cltBroadphase_GetUserDataOf( const cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                               uint64_t* userData );

// ----------------------------------------------------------------------------------------------------------- pairs

/// Brings the pairs up to date and reports the changes. On an error `changes` is empty, the pairs stay as they were,
/// and the call may be repeated. If nothing changed since the last update, the call takes nanoseconds.
///
/// Failover: if a device fails, or belongs to the parent of this process, the CPU's backend replaces it, completes the
/// update with the same result and does all later updates. That one update costs as much as if every proxy were new.
///
/// Promotion: with clt_deviceAuto and promoteFrom > 0, a device's backend replaces the CPU's at the end of the 60th
/// update in which at least promoteFrom proxies moved, if nothing was queried between these updates. Results stay the
/// same. Promotion is tried once, and may take a second.
///
/// CUDA: the device is the calling thread's current one at creation or promotion. Later calls make it current while
/// they run, then restore the caller's. With contexts of the driver API, make each call with the same context current.
/// Calls clear cudaGetLastError, and wait for all earlier work in `stream`.
/// \param[out] changes  may be NULL
/// \return clt_invalidArgument, clt_hostMemory
CLT_API cltStatus cltBroadphase_Update( cltBroadphase* broadphase, cltPairChanges* changes );

/// All pairs of the last update, except those of proxies destroyed since, ascending by (proxyA, proxyB). On a device,
/// or without `wide`, it costs about as much as an update in which everything moved. Prefer the changes.
/// \param[out] pairs  belongs to the broadphase, valid until its next GetPairs, update or destruction
CLT_API cltStatus cltBroadphase_GetPairs( cltBroadphase* broadphase, const cltPair** pairs, size_t* count );

// --------------------------------------------------------------------------------------------------------- queries
//
// Queries use the current boxes, also before the next update, and ignore filters. Many threads may query a broadphase
// at the same time, and callbacks may query it, as long as nothing changes it. A query reports each proxy at most once,
// in no particular order.
//
// Queries run on the CPU and never wait for a device. They use the tree of its `wide` updates. Otherwise, or if many
// proxies changed since, a query may build a tree: it then calls the allocation hooks, and other queries wait for it.
// Without memory for a tree, queries are slower.

/// Called for each proxy that a query finds.
/// \return false to stop the query
typedef bool cltQueryFcn( cltProxyId proxy, uint64_t userData, void* context );

/// Called for each proxy that a segment meets.
/// \param fraction  where the segment enters the box: 0 at `from` (or if it starts inside), 1 at `to`
/// \return the new end of the segment as a fraction: `maxFraction` to leave it unchanged, 0 or less to stop
typedef double cltCastFcn( cltProxyId proxy, uint64_t userData, double fraction, double maxFraction, void* context );

/// Calls `fcn` for each proxy with a box that overlaps `box`. A `box` with a NaN overlaps nothing.
CLT_API cltStatus cltBroadphase_QueryBox( const cltBroadphase* broadphase, const cltAabb* box, cltQueryFcn* fcn,
                                          void* context );
/// As cltBroadphase_QueryBox, for a double box.
CLT_API cltStatus cltBroadphase_QueryBoxD( const cltBroadphase* broadphase, const cltAabbD* box, cltQueryFcn* fcn,
                                           void* context );

/// Calls `fcn` for each proxy with a box that meets the closed segment between two points. Computed in double precision
/// and rounded outward: every box that the segment meets is reported, and perhaps one that it misses by less than about
/// 1e-15 of the coordinates. A segment with a NaN or an infinity is refused (clt_invalidArgument).
CLT_API cltStatus cltBroadphase_CastRay( const cltBroadphase* broadphase, const double from[3], const double to[3],
                                         cltCastFcn* fcn, void* context );

// ------------------------------------------------------------------------------------------------------ statistics

/// What the last update did. Times are milliseconds. On a CPU, with at most 64 proxies and clt_algorithmAuto, they are
/// 0: to read the clock would take as long as the update. cullet_research.h has more counters.
typedef struct cltStats
{
    cltDevice device;            ///< where updates run; never auto
    const char* deviceReason;    ///< why updates run on `device`, as static text
    cltAlgorithm algorithm;      ///< the algorithm that ran; auto before the first update that had work
    const char* reason;          ///< why `algorithm` ran, as static text
    cltSimd simd;                ///< the instruction set in use; auto before the first update
    uint32_t proxyCount;         ///< current number of proxies
    uint32_t nanCount;           ///< current number of proxies with a NaN in their box
    uint32_t changedCount;       ///< proxies that changed; moves that cannot change a pair may be left out
    uint32_t deviceFailureCount; ///< failovers and failed promotions since creation
    float gatherMs;              ///< collecting changes
    float uploadMs;              ///< sending changes to the device
    float buildMs;               ///< keys, sort, tree or cells
    float findMs;                ///< searching pairs
    float orderMs;               ///< sorting pairs
    float readBackMs;            ///< handing pairs to the caller
    float totalMs;               ///< the whole update
    size_t hostBytes;            ///< currently allocated through the hook
    size_t deviceBytes;          ///< currently allocated on the device
} cltStats;

/// What the last update did.
CLT_API cltStatus cltBroadphase_GetStats( const cltBroadphase* broadphase, cltStats* stats );

/// A device that the library knows, usable or not.
typedef struct cltDeviceReport
{
    cltDevice device; ///< clt_deviceCpu or clt_deviceCuda
    bool usable;      ///< a broadphase can be created on it
    char name[64];    ///< for example "CPU, 2 processors"
    char reason[128]; ///< why the device is or is not usable
} cltDeviceReport;

/// Writes up to `capacity` reports. The first is that of the CPU, where clt_deviceAuto begins.
/// \return the number of devices, which may exceed `capacity`
CLT_API size_t cltGetDevices( cltDeviceReport* reports, size_t capacity );

#ifdef __cplusplus
}
#endif

#endif
