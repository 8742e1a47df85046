// SPDX-License-Identifier: Zlib
/// \file query_geometry.h
/// What the queries of a replay are held against, as Bullet's interface defines it and written from the definition.
#ifndef CLT_COMMAND_QUERY_GEOMETRY_H
#define CLT_COMMAND_QUERY_GEOMETRY_H

#include "replay_engine.h"

namespace cullet::compare
{

bool hasNan( const cltAabb& box );
bool isInverted( const cltAabb& box );

/// By Slack::inward and outward. A box may become inverted by shrinking, and then meets nothing.
cltAabb shrunk( const cltAabb& box, const Slack& slack );
cltAabb grown( const cltAabb& box, const Slack& slack );

/// Closed boxes; a NaN meets nothing.
bool boxesMeet( const cltAabb& a, const cltAabb& b );

/// Whether the ray's box, moved from the origin along the direction for the ray's length, comes upon `box`; a mere touch
/// at either end of the way does not count. In float, because that is what the interface is asked in.
/// \param ray  a sound one
bool rayMeets( const ReplayRay& ray, const cltAabb& box );

} // namespace cullet::compare

#endif
