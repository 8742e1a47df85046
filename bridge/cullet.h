// SPDX-License-Identifier: Zlib
/// \file cullet.h
/// Cullet finds every pair of overlapping axis-aligned boxes among up to half a billion, exactly, and tells which pairs
/// began and which ended since the last time it was asked.
///
/// The order of use: fill a def, create a broadphase, create proxies (one per object), then each step move what moved
/// and call cltBroadphase_Update. The changes it reports are the same bytes on every device, algorithm and thread
/// count.
///
///     cltBroadphaseDef def = cltDefaultBroadphaseDef();
///     cltBroadphase* broadphase;
///     cltCreateBroadphase( &def, &broadphase );
///     cltBroadphase_CreateProxies( broadphase, count, boxes, NULL, NULL, proxies );
///     cltPairChanges changes;
///     cltBroadphase_Update( broadphase, &changes );
///
/// Nothing here prints, exits or throws. Every call that can fail returns a cltStatus. All that broadphases share is
/// the threads of cltBroadphaseDef::threadCount: they are started by the first update that is large enough to gain
/// from them, and are gone with the last broadphase.
///
/// Words, each in one sense:
///
///     proxy       one object's entry: a box, a filter and a number of the caller's
///     slot        a proxy's id: its index in every array
///     box         axis-aligned and closed, also called AABB
///     pair        two proxies whose boxes overlap and whose filters allow it
///     now         as given last; before: as of the last update that succeeded
///     began       a pair now that was none before; ended: none now, and was one before
///     moved       a proxy with another box now than before; changed: created, moved, refiltered or destroyed
///     outlier     a proxy much larger than most, or without a finite place: kept apart, tested against all others
///     leaf, node  a box in a tree, and the box around those below it; root: the node around all
///     key         what is sorted: a place along a curve, or a pair
///     cell        one cube of the grid
///     update      one call of cltBroadphase_Update; the pairs that it leaves are current until the next
///     query       a question about boxes as they are now: a box, a ray, a volume
///     backend     what finds pairs: the CPU's, or a device's
///     failover    the CPU's backend takes the place of a device that failed
///     promotion   a device's backend takes the place of the CPU's, because enough moves
#ifndef CLT_CULLET_H
#define CLT_CULLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined( _WIN32 ) && defined( CLT_SHARED )
#if defined( CLT_BUILDING )
#define CLT_API __declspec( dllexport )
#else
#define CLT_API __declspec( dllimport )
#endif
#elif defined( __GNUC__ ) && defined( CLT_SHARED )
#define CLT_API __attribute__( ( visibility( "default" ) ) )
#else
#define CLT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------------- version

#define CLT_VERSION_MAJOR 0
#define CLT_VERSION_MINOR 1
#define CLT_VERSION_PATCH 0

typedef struct cltVersion
{
    int major;
    int minor;
    int patch;
} cltVersion;

/// The version of the library that was linked, which may differ from the CLT_VERSION_* macros of this header.
CLT_API cltVersion cltGetVersion( void );

// -------------------------------------------------------------------------------------------------------- status

/// Result of every call that can fail. Values are pinned; new ones are appended to their decade.
typedef enum cltStatus
{
    clt_ok = 0,
    clt_invalidArgument = 10, ///< NULL where a pointer is needed, a def without defaults, an option out of range
    clt_unknownProxy = 11,    ///< never created, already destroyed, or from another broadphase
    clt_wrongPrecision = 12,  ///< double boxes given to, or float boxes read from, a broadphase of the other precision
    clt_tooManyProxies = 13,  ///< more than CLT_MAX_PROXIES
    clt_hostMemory = 20,      ///< the allocation hook returned NULL; nothing was lost, the call may be repeated
    clt_deviceMemory = 21,    ///< the device is out of memory: seen at creation and by the log hook
    clt_noDevice = 40,        ///< no usable CUDA device or driver, or built without CUDA
    clt_deviceFailed = 41 ///< the device failed, or belongs to another process: seen at creation and by the log hook
} cltStatus;

/// The enumerator as text, for example "clt_unknownProxy". Never NULL; unknown values give "clt_unknownStatus".
CLT_API const char* cltStatusName( cltStatus status );

/// One sentence that says what went wrong and what to do. Never NULL.
CLT_API const char* cltStatusMessage( cltStatus status );

// ------------------------------------------------------------------------------------------------- boxes and pairs

/// A proxy's id is its slot: small, dense, starting at 0. The id of a destroyed proxy is given out again only after the
/// next update.
typedef uint32_t cltProxyId;

#define CLT_NULL_PROXY UINT32_MAX
#define CLT_MAX_PROXIES ( 1u << 29 )

/// The most that cltBroadphaseDef::threadCount may ask for.
#define CLT_MAX_THREADS 256

/// The most that cltBroadphaseDef::entryLevel may ask for: eight million pairs to begin with.
#define CLT_MAX_ENTRY_LEVEL 12

/// Closed box in world units: boxes that only touch overlap. Infinite and inverted boxes mean what the comparisons say
/// (a.lower <= b.upper and b.lower <= a.upper on all three axes). A box with a NaN overlaps nothing, and is found by no
/// query, until a good box replaces it. Denormals are what the calling thread's mode takes them for: where that is zero
/// (DAZ), boxes so close to each other touch. Threads of the library take the mode over; those of a hook have their
/// own; a CUDA device takes denormals for what they are.
typedef struct cltAabb
{
    float lower[3];
    float upper[3];
} cltAabb;

/// The same in double precision, for broadphases created with clt_precisionDouble.
typedef struct cltAabbD
{
    double lower[3];
    double upper[3];
} cltAabbD;

#define CLT_LANE_COUNT 16u

/// Sixteen boxes side by side, axis by axis, so that one coordinate of all of them lies together.
typedef struct cltBoxLanes
{
    float lower[3][CLT_LANE_COUNT];
    float upper[3][CLT_LANE_COUNT];
} cltBoxLanes;

/// Bullet's rule: two proxies may pair if each one's group meets the other one's mask.
///
/// Searches pass over whatever may not pair. So a search of two sets, such as a garment against a body or sensors
/// against a level, is that of one broadphase in which each set has a filter: then nothing is looked for within a set,
/// however much overlaps there.
///
///     const cltFilter garment = { 1, 2 }, body = { 2, 1 };
///     cltBroadphase_CreateProxiesAlike( broadphase, garmentCount, garmentBoxes, &garment, NULL, NULL );
///     cltBroadphase_CreateProxiesAlike( broadphase, bodyCount, bodyBoxes, &body, NULL, NULL );
typedef struct cltFilter
{
    int32_t group;
    int32_t mask;
} cltFilter;

/// Two overlapping proxies. proxyA < proxyB, always.
typedef struct cltPair
{
    cltProxyId proxyA;
    cltProxyId proxyB;
} cltPair;

/// What one update changed. Both arrays ascend by (proxyA, proxyB). They belong to the broadphase and live until its
/// next update or destruction.
typedef struct cltPairChanges
{
    const cltPair* began;
    const cltPair* ended;
    size_t beganCount;
    size_t endedCount;
} cltPairChanges;

// --------------------------------------------------------------------------------------------------------- options

typedef enum cltDevice
{
    clt_deviceAuto, ///< the CPU; with promotion to a CUDA device if cltBroadphaseDef::promoteFrom asks for it
    clt_deviceCpu,
    clt_deviceCuda ///< with failover to the CPU: see cltBroadphase_Update
} cltDevice;

typedef enum cltAlgorithm
{
    clt_algorithmAuto,       ///< the best for the device: on a CPU always wide. cltStats says which and why
    clt_algorithmBruteForce, ///< every pair of proxies, by the index-to-pair map
    clt_algorithmGrid,       ///< uniform cells; good when bodies are alike in size and evenly spread. Where too many
                             ///< share a cell or are too large for one, lbvh takes its place: cltStats says so
    clt_algorithmLbvh,       ///< linear bounding volume hierarchy; good everywhere
    clt_algorithmWide,       ///< blocks along a Hilbert curve under a wide tree; made for vector units
    clt_algorithmFrontier    ///< an implicit binary tree that is walked with itself, all pairs of nodes of a level at a
                             ///< time (Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal
                             ///< for Collision Detection on GPUs, 2018). With cltBroadphaseDef::keepFront it remembers
                             ///< the pairs at which it stopped, some twelve for each proxy, and how far boxes may
                             ///< move before they have to be looked at again. That counts the way of whoever
                             ///< moves furthest: good when all move slowly, and bad when one moves far
} cltAlgorithm;

/// Instruction sets for `wide` on a CPU, and for queries. All give the same bytes.
typedef enum cltSimd
{
    clt_simdAuto,   ///< the best that the processor has
    clt_simdPlain,  ///< plain C
    clt_simdSse2,   ///< every x86-64
    clt_simdAvx2,   ///< AVX2
    clt_simdAvx512, ///< AVX-512 F, BW, DQ and VL
    clt_simdNeon    ///< every 64-bit ARM
} cltSimd;

typedef enum cltPrecision
{
    clt_precisionFloat,
    clt_precisionDouble
} cltPrecision;

/// How the index of a candidate becomes a pair (Avril, Gouranton, Arnaldi, Fast Collision Culling in Large-Scale
/// Environments Using GPU Mapping Function, 2012, section 3). All give the same pairs; they differ in speed.
typedef enum cltRoot
{
    clt_rootHardware, ///< the square root instruction (default)
    clt_rootCarmack,  ///< fast inverse square root, constant 0x5f3759df, cltBroadphaseDef::rootSteps Newton steps
    clt_rootLomont,   ///< the same with Lomont's constant 0x5f375a86
    clt_rootNone      ///< no root: divide and modulo over the full square, half of the candidates thrown away
} cltRoot;

/// What a search on a CUDA device writes for its candidates. Both give the same bytes in the end. A CPU writes keys.
typedef enum cltOutput
{
    clt_outputKeys, ///< a key for each that is found (default)
    clt_outputBits  ///< a bit for each, found or not, which a second pass turns into keys: as in table 5 of the above.
                    ///< Eight candidates take a byte of the device's memory
} cltOutput;

// ----------------------------------------------------------------------------------------------------------- hooks

/// Memory of `size` bytes aligned to `alignment` (a power of two), or NULL. Called only from the thread that called
/// cullet, never from inside parallelFor.
typedef void* cltAllocFcn( size_t size, size_t alignment, void* userContext );

/// Gives back what cltAllocFcn gave. `size` is what was asked for.
typedef void cltFreeFcn( void* memory, size_t size, void* userContext );

/// Gets one line at a failover, and when a promotion fails, with the device's status. Neither changes a result. The
/// message lives only during the call.
typedef void cltLogFcn( cltStatus status, const char* message, void* userContext );

/// Work on the indices [first, last).
typedef void cltTask( uint32_t first, uint32_t last, void* taskContext );

/// Calls `task` so that each index in [0, count) is covered exactly once, in any order, on any threads, in ranges that
/// begin at multiples of `grain` and are at most `grain` long. Returns when all are done. It may be called from one
/// thread at a time per broadphase.
typedef void cltParallelForFcn( cltTask* task, uint32_t count, uint32_t grain, void* taskContext, void* userContext );

// --------------------------------------------------------------------------------------------- creating a broadphase

/// Creation parameters. Must come from cltDefaultBroadphaseDef(). Copied; may be a temporary.
typedef struct cltBroadphaseDef
{
    cltDevice device;       ///< default clt_deviceAuto
    uint32_t promoteFrom;   ///< with clt_deviceAuto: proxies that move in an update, from which promotion is worth it:
                            ///< see cltBroadphase_Update. Default 0: never, for no device has been measured yet
    cltAlgorithm algorithm; ///< default clt_algorithmAuto
    cltPrecision precision; ///< default clt_precisionFloat
    cltRoot root;           ///< default clt_rootHardware; used by bruteForce and grid
    cltSimd simd;           ///< default clt_simdAuto; used by wide and by queries
    int rootSteps;          ///< Newton steps for Carmack and Lomont, 1 to 4, default 2
    cltOutput output;       ///< default clt_outputKeys; used by bruteForce on a CUDA device
    int entryLevel;         ///< levels below the root at which frontier begins, 0 to CLT_MAX_ENTRY_LEVEL; default -1:
                            ///< five, on a CUDA device ten
    int depthStep;          ///< levels that frontier descends in a pass, 1 to 4, default 2
    bool keepFront;         ///< frontier begins where its last search stopped, and looks only at what may have changed
                            ///< since: see there. Default false
    bool filterMasks;       ///< apply group and mask, default true. False pairs everything that overlaps
    bool reportDestroyed;   ///< pairs of destroyed proxies are in the next update's `ended`, default false: they end
                            ///< silently. With it the changes tell all that happened. Their ids may be given out
                            ///< again from that update on, and what they stood for is no longer known here: look at
                            ///< `ended` before the next proxy is created, and by a list of your own
    uint32_t proxyCapacity; ///< expected proxies, a hint, default 0. Room for so many is there from the start, and
                            ///< stays. At most CLT_MAX_PROXIES
    int threadCount;        ///< threads that take part in an update, the caller's included: see below. 1: only that
    void* stream;           ///< a cudaStream_t to work on, which must outlive the broadphase. Default NULL: its own
    cltAllocFcn* allocate;  ///< host memory, default aligned_alloc. Set both or none
    cltFreeFcn* release;
    cltLogFcn* log;                 ///< default NULL: silent
    cltParallelForFcn* parallelFor; ///< default NULL: the threads that all broadphases share
    void* userContext;              ///< handed to the hooks above
    int internalValue;              ///< set by cltDefaultBroadphaseDef. DO NOT SET.
} cltBroadphaseDef;

/// One thread at a time may use a broadphase, except for queries: see cltBroadphase_QueryBox. Any number of broadphases
/// may be used at the same time.
///
/// By default (threadCount 0) as many threads take part in an update, and in moving tens of thousands of proxies by one
/// call, as the process has processors: those that it is bound to, and no more than the quota of its control group is
/// worth, rounded up; looked up when threads are first needed. A greater threadCount is not questioned. The threads are
/// the same for all broadphases of the process, one of which has them at a time: an update that finds them in use does
/// its work alone on the caller's thread, and waits for nobody. In the child of a fork, broadphases of the parent do
/// without threads; those that it creates share threads of its own.
///
/// Memory grows with what is there. After 240 updates in a row that needed less than a quarter of it, room is given
/// back; what is kept by id, some 60 bytes a proxy, only as far as no proxy with a greater id is left.
typedef struct cltBroadphase cltBroadphase;

CLT_API cltBroadphaseDef cltDefaultBroadphaseDef( void );

/// \param[out] broadphase  the new broadphase, to be destroyed by the caller; NULL on failure
/// \return clt_invalidArgument (also for a `simd` that this processor or this library lacks), clt_noDevice (device was
///         clt_deviceCuda and none answers), clt_deviceMemory, clt_deviceFailed, clt_hostMemory
CLT_API cltStatus cltCreateBroadphase( const cltBroadphaseDef* def, cltBroadphase** broadphase );

/// Gives everything back; the last one of the process joins the threads. NULL is fine.
CLT_API void cltDestroyBroadphase( cltBroadphase* broadphase );

// --------------------------------------------------------------------------------------------------------- proxies
//
// The calls that take arrays do all or nothing: on an error no proxy was created, changed or destroyed. A function
// whose name ends in D takes double boxes and needs a broadphase of clt_precisionDouble; the others take float boxes
// and serve both precisions. Nothing pairs before the next update.

/// \param filter    NULL for group 1, mask -1: pairs with everything that lets it
/// \param userData  handed back by queries
/// \param[out] proxy  the new id
/// \return clt_invalidArgument, clt_wrongPrecision, clt_tooManyProxies, clt_hostMemory
CLT_API cltStatus cltBroadphase_CreateProxy( cltBroadphase* broadphase, const cltAabb* box, const cltFilter* filter,
                                             uint64_t userData, cltProxyId* proxy );
CLT_API cltStatus cltBroadphase_CreateProxyD( cltBroadphase* broadphase, const cltAabbD* box, const cltFilter* filter,
                                              uint64_t userData, cltProxyId* proxy );

/// \param boxes     `count` boxes
/// \param filters   `count` filters, or NULL for the default of cltBroadphase_CreateProxy. See cltFilter for two sets
/// \param userData  `count` values, or NULL for zeros
/// \param[out] proxies  room for `count` ids, or NULL if they are not wanted. In a broadphase that never destroyed a
///                      proxy the ids follow on each other
CLT_API cltStatus cltBroadphase_CreateProxies( cltBroadphase* broadphase, size_t count, const cltAabb* boxes,
                                               const cltFilter* filters, const uint64_t* userData,
                                               cltProxyId* proxies );
CLT_API cltStatus cltBroadphase_CreateProxiesD( cltBroadphase* broadphase, size_t count, const cltAabbD* boxes,
                                                const cltFilter* filters, const uint64_t* userData,
                                                cltProxyId* proxies );

/// The same with one filter for all.
/// \param filter  NULL for the default of cltBroadphase_CreateProxy
CLT_API cltStatus cltBroadphase_CreateProxiesAlike( cltBroadphase* broadphase, size_t count, const cltAabb* boxes,
                                                    const cltFilter* filter, const uint64_t* userData,
                                                    cltProxyId* proxies );
CLT_API cltStatus cltBroadphase_CreateProxiesAlikeD( cltBroadphase* broadphase, size_t count, const cltAabbD* boxes,
                                                     const cltFilter* filter, const uint64_t* userData,
                                                     cltProxyId* proxies );

/// Gives a proxy a new box. A box equal to the last one costs a comparison and changes nothing.
/// \return clt_invalidArgument, clt_unknownProxy, clt_wrongPrecision
CLT_API cltStatus cltBroadphase_MoveProxy( cltBroadphase* broadphase, cltProxyId proxy, const cltAabb* box );
CLT_API cltStatus cltBroadphase_MoveProxyD( cltBroadphase* broadphase, cltProxyId proxy, const cltAabbD* box );

/// Moves `count` proxies: boxes[i] is the new box of proxies[i]. A proxy named twice keeps its last box.
/// \param proxies  NULL for all in order: boxes[i] is the new box of the proxy with id i, and is passed over where no
///                 proxy has that id, beyond the last one too
/// \return clt_invalidArgument, clt_unknownProxy, clt_wrongPrecision
CLT_API cltStatus cltBroadphase_MoveProxies( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                             const cltAabb* boxes );
CLT_API cltStatus cltBroadphase_MoveProxiesD( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                              const cltAabbD* boxes );

/// Pairs that the new filter forbids end, and pairs that it newly allows begin, at the next update.
CLT_API cltStatus cltBroadphase_SetFilter( cltBroadphase* broadphase, cltProxyId proxy, const cltFilter* filter );

/// \param proxies  as for cltBroadphase_MoveProxies
CLT_API cltStatus cltBroadphase_SetFilters( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                            const cltFilter* filters );

/// Ends every pair of the proxy at once and silently: they will not appear in `ended`, unless
/// cltBroadphaseDef::reportDestroyed asks for that.
CLT_API cltStatus cltBroadphase_DestroyProxy( cltBroadphase* broadphase, cltProxyId proxy );

/// A proxy named twice is an error (clt_unknownProxy).
CLT_API cltStatus cltBroadphase_DestroyProxies( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies );

/// The last box given. GetBoxD serves both precisions, GetBox only float (else clt_wrongPrecision).
CLT_API cltStatus cltBroadphase_GetBox( const cltBroadphase* broadphase, cltProxyId proxy, cltAabb* box );
CLT_API cltStatus cltBroadphase_GetBoxD( const cltBroadphase* broadphase, cltProxyId proxy, cltAabbD* box );
CLT_API cltStatus cltBroadphase_GetFilter( const cltBroadphase* broadphase, cltProxyId proxy, cltFilter* filter );
CLT_API cltStatus cltBroadphase_GetUserData( const cltBroadphase* broadphase, cltProxyId proxy, uint64_t* userData );

/// \param proxies        as for cltBroadphase_MoveProxies
/// \param[out] userData  `count` values; those passed over stay as they are
CLT_API cltStatus cltBroadphase_GetUserDataOf( const cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                               uint64_t* userData );

// ----------------------------------------------------------------------------------------------------------- pairs

/// Brings the pairs up to date and reports the difference. A pair is in `began` once, stays current until it is in
/// `ended` or one of its proxies is destroyed, and is never in both. All or nothing: on an error `changes` is empty and
/// the pairs before stand, so that the call may be repeated. With nothing moved it costs nanoseconds at any size.
///
/// Failover: a device that fails, at whatever stage and for whatever reason, is no error. The CPU finishes the update
/// with the same changes, and does all later ones. That one update costs about as much as if every proxy were new. The
/// log hook gets one line, cltStats::deviceFailureCount counts it, and the next broadphase may try the device again.
/// The child of a fork fails over from its parent's device in the same way.
///
/// Promotion: with clt_deviceAuto and promoteFrom > 0 a world goes from the CPU to a CUDA device, if one answers, at
/// the end of the 60th update in which promoteFrom proxies moved and between which nothing was queried, unless
/// clt_algorithmWide was asked for. The changes stay the same bytes. That one update takes longer by as much as it
/// takes to wake the device, which can be a second, and to bring every proxy there. It is tried once: if it fails, the
/// CPU goes on.
///
/// The CUDA device is the one that is current for the calling thread at creation or at the promotion. Updates and
/// cltBroadphase_GetPairs make it current while they run and restore the caller's; the first of them makes the device's
/// primary context, if there is none yet. A caller that makes contexts with the driver's API has to call with the same
/// one current each time. What cudaGetLastError remembers for the calling thread is cleared. With a stream of the
/// caller's the work takes its turn there, and an update waits for all that was put into it before.
/// \param[out] changes  see cltPairChanges; may be NULL if they are not wanted
/// \return clt_invalidArgument, clt_hostMemory
CLT_API cltStatus cltBroadphase_Update( cltBroadphase* broadphase, cltPairChanges* changes );

/// All pairs current after the last update, less those of proxies destroyed since, ascending by (proxyA, proxyB).
/// On a CPU it costs a pass over the pairs after each update; else, and on a device always, about as much as an update
/// in which everything moved. Use the changes where they will do. With failover, as an update.
/// \param[out] pairs  belongs to the broadphase, lives until its next GetPairs, update or destruction
CLT_API cltStatus cltBroadphase_GetPairs( cltBroadphase* broadphase, const cltPair** pairs, size_t* count );

// --------------------------------------------------------------------------------------------------------- queries
//
// Queries see every create, move and destroy at once, updated or not. Any number of threads may query a broadphase at
// the same time, and callbacks may query again, as long as nothing changes it meanwhile. Filters do not apply. Each
// proxy is met at most once, in no particular order.
//
// They never wait for a device. After an update by `wide` they walk its tree. Proxies changed since, and all of them
// after any other update, are looked at one by one, until that has cost about as much as a tree over them. That tree is
// then built by the query that needs it, once per change, while others wait: the allocation hooks may be called from
// that query's thread. Without memory for it, queries go on without.

/// \return false to stop the query
typedef bool cltQueryFcn( cltProxyId proxy, uint64_t userData, void* context );

/// \param fraction  where the segment enters the box, 0 at `from` (or when it starts inside), 1 at `to`
/// \return the new end of the segment as a fraction: `maxFraction` to go on unchanged, less to shorten, 0 or less to
///         stop
typedef double cltCastFcn( cltProxyId proxy, uint64_t userData, double fraction, double maxFraction, void* context );

/// Calls `fcn` for each proxy whose box overlaps `box` (closed, as for pairs; a NaN meets nothing).
CLT_API cltStatus cltBroadphase_QueryBox( const cltBroadphase* broadphase, const cltAabb* box, cltQueryFcn* fcn,
                                          void* context );
CLT_API cltStatus cltBroadphase_QueryBoxD( const cltBroadphase* broadphase, const cltAabbD* box, cltQueryFcn* fcn,
                                           void* context );

/// For programs that know the pairs of the last update and want those that came since, now: calls `fcn` for every other
/// proxy that filters let pair with this one, whose box overlaps its and did not then; and perhaps for some whose box
/// did, or that filters refuse. Of a body that only trembles there is little to look for: much faster than
/// cltBroadphase_QueryBox. One thread at a time.
/// \return clt_invalidArgument, clt_unknownProxy
CLT_API cltStatus cltBroadphase_QueryNew( cltBroadphase* broadphase, cltProxyId proxy, cltQueryFcn* fcn,
                                          void* context );

/// Calls `fcn` for each proxy whose closed box the closed segment meets. Computed in double precision and rounded
/// outward: a box that the segment misses by less than about 1e-15 of the coordinates' size may be reported too, one
/// that it meets is never missed. A segment with a NaN or an infinity is refused (clt_invalidArgument).
CLT_API cltStatus cltBroadphase_CastRay( const cltBroadphase* broadphase, const double from[3], const double to[3],
                                         cltCastFcn* fcn, void* context );

/// A ray, or a box that moves along one, in the form in which it is tested.
typedef struct cltRay
{
    double from[3];
    double inverse[3]; ///< 1 / direction, axis by axis, where that is zero a large number such as 1e18
    double length;     ///< how far it goes, in lengths of the direction
    cltAabbD swept;    ///< what moves along it, as seen from its place; all zeros for a ray
} cltRay;

/// From point to point, both finite, for lengths that are fractions of the way between them. To an infinite one the ray
/// meets nothing.
CLT_API cltRay cltRayBetween( const double from[3], const double to[3] );

/// \param ray     its index among those that were cast
/// \param enter   how far along the ray it enters the box, 0 when it starts inside
/// \param length  of the ray by now
/// \return the ray's new length: `length` to go on unchanged, less to shorten it, below 0 to go on to the next ray
typedef double cltRayFcn( size_t ray, cltProxyId proxy, uint64_t userData, double enter, double length, void* context );

/// Casts `count` rays, one after the other: calls `fcn` for each proxy whose box a ray meets. Which these are is what
/// Bullet's btRayAabb2 says, in the precision of the broadphase: the ray enters the box, grown by what it sweeps,
/// before its length and leaves it after its start. It does not meet a box that it only touches at an end, or in whose
/// face it slides; cltBroadphase_CastRay is for those who want that, and to be safe from rounding. A ray with a NaN
/// meets nothing. Infinite numbers, and those beyond the precision, count as its largest ones.
/// To find the closest box, return `enter`: a ray's last call is the one that counts. The calling thread does all of
/// it; others may cast at the same time, see above.
/// \return clt_invalidArgument, of a NULL where there are rays
CLT_API cltStatus cltBroadphase_CastRays( const cltBroadphase* broadphase, size_t count, const cltRay* rays,
                                          cltRayFcn* fcn, void* context );

/// Whether something to look for may touch each of sixteen boxes, as bits: bit i for lane i. It must answer yes for
/// every box around one that it answers yes for. What it says of lanes that hold nothing (NaN) does not count.
typedef uint32_t cltLanesFcn( const cltBoxLanes* boxes, void* context );

/// For volumes of the caller's own, such as a view frustum, a sphere or a swept shape: calls `fcn` for each proxy that
/// `touches` may touch. A proxy's box may by then have become smaller than the one that was shown to `touches`, and
/// double boxes are shown rounded outward, so `fcn` should look at the box itself (cltBroadphase_GetBox).
/// \param context  handed to both
CLT_API cltStatus cltBroadphase_QueryVolume( const cltBroadphase* broadphase, cltLanesFcn* touches, cltQueryFcn* fcn,
                                             void* context );

// ------------------------------------------------------------------------------------------------------ statistics

/// What the last update did. Times are milliseconds; stages of a device are measured on the device.
typedef struct cltStats
{
    cltDevice device; ///< never auto: where updates run now. Other than the last one's if that ended with a promotion
    const char* deviceReason; ///< why there: why auto took it, "asked for", or that a device failed; static text
    cltAlgorithm algorithm;   ///< never auto: what ran. clt_algorithmAuto before the first update that had work
    const char* reason;       ///< why auto took it, or in place of a grid, or "asked for"; static text
    cltSimd simd;             ///< the instruction set that wide uses here; clt_simdAuto before the first update
    uint32_t proxyCount;      ///< alive now
    uint32_t nanCount;        ///< of these, with a NaN in their box, which hides them
    uint32_t changedCount;    ///< created, moved, refiltered or destroyed in the last update; a move so small that it
                              ///< can change no pair may not be counted
    uint32_t outlierCount;    ///< outliers, tested against everything
    uint32_t redoCount;       ///< times a stage of the last update was redone with a larger buffer
    uint32_t deviceFailureCount; ///< failovers, and promotions that failed, since creation
    uint32_t passCount;          ///< passes that frontier took; 0 for all others
    uint32_t operationCount;     ///< launches, copies, clears and waits of a device's in the last update; 0 on the CPU
    uint64_t candidateCount;     ///< pairs that the grid or bruteForce tested; 0 for the trees
    uint64_t nodeTestCount;      ///< pairs of nodes that frontier tested, leaves included
    uint64_t frontierPeak;       ///< most pairs of nodes that a pass of it left for the next one
    uint64_t frontSize;          ///< pairs of nodes in the front that it keeps, if it does
    size_t beganCount;
    size_t endedCount;
    float gatherMs;   ///< finding out what changed
    float uploadMs;   ///< handing it to the device
    float buildMs;    ///< keys, sort, tree or cells
    float findMs;     ///< search
    float orderMs;    ///< canonical order
    float readBackMs; ///< pairs back to the caller
    float kernelMs; ///< of these, on a device: from first kernel to last, gaps between them included, the commit's not
    float totalMs;
    size_t hostBytes;   ///< held through the allocation hook now
    size_t deviceBytes; ///< held on the device now
} cltStats;

CLT_API cltStatus cltBroadphase_GetStats( const cltBroadphase* broadphase, cltStats* stats );

// --------------------------------------------------------------------------------------------------------- devices

/// A device that cullet knows about, usable or not.
typedef struct cltDeviceReport
{
    cltDevice device; ///< clt_deviceCpu or clt_deviceCuda
    bool usable;      ///< would answer if asked now
    char name[64];    ///< for people, for example "2 processors"
    char reason[128]; ///< why it is or is not usable
} cltDeviceReport;

/// What clt_deviceAuto chooses from, the one it begins on first.
/// \param capacity  reports that fit in `reports`
/// \return the number of reports there are, which may be more than `capacity`
CLT_API size_t cltGetDevices( cltDeviceReport* reports, size_t capacity );

// ----------------------------------------------------------------------------------------------------------- names
//
// Enumerators as a command line or a file would write them; values that are none are "unknown". The way back takes
// exactly these names; of another one, or NULL, it says clt_invalidArgument and writes nothing.

CLT_API const char* cltDeviceName( cltDevice device ); ///< "auto", "cpu", "cuda"
CLT_API cltStatus cltDeviceFromName( const char* name, cltDevice* device );
/// "auto", "bruteForce", "grid", "lbvh", "wide", "frontier"
CLT_API const char* cltAlgorithmName( cltAlgorithm algorithm );
CLT_API cltStatus cltAlgorithmFromName( const char* name, cltAlgorithm* algorithm );
CLT_API const char* cltSimdName( cltSimd simd ); ///< "auto", "plain", "sse2", "avx2", "avx512", "neon"
CLT_API cltStatus cltSimdFromName( const char* name, cltSimd* simd );
CLT_API const char* cltPrecisionName( cltPrecision precision ); ///< "float", "double"
CLT_API cltStatus cltPrecisionFromName( const char* name, cltPrecision* precision );
CLT_API const char* cltRootName( cltRoot root ); ///< "hardware", "carmack", "lomont", "none"
CLT_API cltStatus cltRootFromName( const char* name, cltRoot* root );
CLT_API const char* cltOutputName( cltOutput output ); ///< "keys", "bits"
CLT_API cltStatus cltOutputFromName( const char* name, cltOutput* output );

#ifdef __cplusplus
}
#endif

#endif
