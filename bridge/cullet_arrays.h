// SPDX-License-Identifier: Zlib
/// \file cullet_arrays.h
/// Pairs among the boxes of one array, for programs that compute all boxes in each step. If the array is in the memory
/// of a CUDA device, neither boxes nor pairs cross the bus.
///
///     cltBroadphaseDef def = cltDefaultBroadphaseDef();
///     def.device = clt_deviceCuda; // or clt_deviceCpu, for arrays in host memory
///     def.stream = stream;
///     cltArrays* arrays;
///     cltCreateArrays( &def, &arrays );
///     cltPairChanges changes;
///     cltArrays_Update( arrays, count, boxes, NULL, &changes );
///
/// The id of a box is its index. Ids, pairs and their order are as in cullet.h, and the same bytes on every device.
///
/// With clt_deviceCuda, every array is in the memory of the device: those given, and those returned. With clt_deviceCpu
/// or clt_deviceAuto, every array is in host memory. Counts and structs are always in host memory. Managed memory is
/// accepted by both. A library without CUDA cannot tell memory of a device from its own.
///
/// Memory of the device is not released before the destruction, and an update takes time for the largest count so far.
///
/// Streams: a call reads its arrays, and writes its results, in the order of `def.stream`. Later work in the stream may
/// overwrite the given arrays. If `def.stream` is NULL, arrays must be complete before a call, and results are complete
/// after it. Each call waits for the number of pairs.
///
/// A device that fails is not replaced by the CPU, which has no boxes: the call returns the status, the log hook gets
/// the device's message, and the pairs stay as they were. After clt_deviceMemory the call may be repeated, and after
/// clt_deviceFailed all later calls fail.
#ifndef CLT_CULLET_ARRAYS_H
#define CLT_CULLET_ARRAYS_H

#include "cullet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Boxes by index and their pairs. Only one thread at a time may use it.
typedef struct cltArrays cltArrays;

/// Creates an object without boxes.
/// \param def  promoteFrom must be 0; reportDestroyed is ignored
/// \return as cltCreateBroadphase
CLT_API cltStatus cltCreateArrays( const cltBroadphaseDef* def, cltArrays** arrays );

/// Releases everything, the returned arrays too. NULL is allowed.
CLT_API void cltDestroyArrays( cltArrays* arrays );

/// Replaces all boxes, and reports the pairs that began and ended since the last update. On an error `changes` is
/// empty.
/// \param count         at most CLT_MAX_PROXIES; it may differ from the last one. Boxes that are gone end their pairs
/// \param boxes         `count` boxes; a box with a NaN overlaps nothing
/// \param filters       `count` filters, or NULL if all pairs are allowed. Ignored with filterMasks false. They cost
///                      more than in cullet.h, because each update reads all of them
/// \param[out] changes  may be NULL; arrays that are valid until the next update or the destruction
/// \return clt_invalidArgument (also if an array is not aligned as its type), clt_tooManyProxies, clt_wrongMemory,
///         clt_wrongPrecision (also for float boxes if the def says double), clt_hostMemory, clt_deviceMemory,
///         clt_deviceFailed, clt_noDevice
CLT_API cltStatus cltArrays_Update( cltArrays* arrays, size_t count, const cltAabb* boxes, const cltFilter* filters,
                                    cltPairChanges* changes );
/// As cltArrays_Update, for double boxes.
CLT_API cltStatus cltArrays_UpdateD( cltArrays* arrays, size_t count, const cltAabbD* boxes, const cltFilter* filters,
                                     cltPairChanges* changes );

/// All pairs of the last update, ascending by (proxyA, proxyB).
/// \param[out] pairs  valid until the next GetPairs, update or destruction
CLT_API cltStatus cltArrays_GetPairs( cltArrays* arrays, const cltPair** pairs, size_t* count );

/// As cltBroadphase_GetStats. On a device changedCount is the number of boxes given, and nanCount is 0.
CLT_API cltStatus cltArrays_GetStats( const cltArrays* arrays, cltStats* stats );

#ifdef __cplusplus
}
#endif

#endif
