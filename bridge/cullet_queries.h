// SPDX-License-Identifier: Zlib
/// \file cullet_queries.h
/// More queries: volumes that the caller defines, and what the plugin needs for Bullet. They follow the rules of the
/// queries in cullet.h.
#ifndef CLT_CULLET_QUERIES_H
#define CLT_CULLET_QUERIES_H

#include "cullet.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CLT_LANE_COUNT 16u ///< boxes in a cltBoxLanes

/// Sixteen boxes as a structure of arrays.
typedef struct cltBoxLanes
{
    float lower[3][CLT_LANE_COUNT]; ///< by axis, then by box
    float upper[3][CLT_LANE_COUNT]; ///< by axis, then by box
} cltBoxLanes;

/// Returns a mask in which bit i is set if the volume may touch box i. If the bit is set for a box, it must also be set
/// for every box around it. Bits of empty lanes (NaN) are ignored.
typedef uint32_t cltLanesFcn( const cltBoxLanes* boxes, void* context );

/// For volumes such as a frustum or a swept shape: calls `fcn` for each proxy with a box that `touches` accepts.
/// `touches` may have seen a box larger than the current one, so `fcn` should test the result of cltBroadphase_GetBox.
/// \param context  passed to both
CLT_API cltStatus cltBroadphase_QueryVolume( const cltBroadphase* broadphase, cltLanesFcn* touches, cltQueryFcn* fcn,
                                             void* context );

/// A ray, or a box that is swept along a ray.
typedef struct cltRay
{
    double from[3];    ///< where it starts
    double inverse[3]; ///< 1 / direction by axis; for a direction of zero a large number such as 1e18
    double length;     ///< length of the ray, in multiples of the direction
    cltAabbD swept;    ///< the box that is swept, relative to the ray's position; all zeros for a ray
} cltRay;

/// A ray from point to point: lengths are fractions of the distance. If `to` is infinite, the ray hits nothing.
CLT_API cltRay cltRayBetween( const double from[3], const double to[3] );

/// Called for each box that a ray hits.
/// \param ray     the index of the ray in the array
/// \param enter   the length at which the ray enters the box, 0 if it starts inside
/// \param length  the ray's current length
/// \return the ray's new length: `length` to leave it unchanged, below 0 to continue with the next ray
typedef double cltRayFcn( size_t ray, cltProxyId proxy, uint64_t userData, double enter, double length, void* context );

/// Casts `count` rays one after the other and calls `fcn` for each box that a ray hits. Hits are those of Bullet's
/// btRayAabb2 in the precision of the broadphase: the ray enters the box, extended by `swept`, before the ray's end
/// and leaves it after the ray's start. Unlike cltBroadphase_CastRay, a ray does not hit a box that it only touches at
/// an end or along a face. A ray with a NaN hits nothing. Numbers that are infinite, or too large for the precision,
/// are replaced by the largest finite number.
///
/// To find the closest box, return `enter`: the last call for a ray is the closest. The calling thread does all work;
/// other threads may cast at the same time.
/// \return clt_invalidArgument, if `rays` or `fcn` is NULL and count > 0
CLT_API cltStatus cltBroadphase_CastRays( const cltBroadphase* broadphase, size_t count, const cltRay* rays,
                                          cltRayFcn* fcn, void* context );

/// For the plugin, which knows the pairs of the last update: calls `fcn` for each other proxy that may pair with
/// `proxy` and overlaps it currently, but did not at the last update. May also report proxies that overlapped `proxy`
/// then or that filters reject. Much faster than cltBroadphase_QueryBox for a proxy that hardly moves. One thread at a
/// time may call it.
/// \return clt_invalidArgument, clt_unknownProxy
CLT_API cltStatus cltBroadphase_QueryNew( cltBroadphase* broadphase, cltProxyId proxy, cltQueryFcn* fcn,
                                          void* context );

#ifdef __cplusplus
}
#endif

#endif
