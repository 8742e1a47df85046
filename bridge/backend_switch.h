// SPDX-License-Identifier: Zlib
/// \file backend_switch.h
/// Replaces the backend of a broadphase: by the CPU's when a device fails (failover), or by a device's when enough
/// proxies move (promotion).
#ifndef CLT_BRIDGE_BACKEND_SWITCH_H
#define CLT_BRIDGE_BACKEND_SWITCH_H

#include "bridge/broadphase.h"

/// Must be called before the backend is used. If its device failed or belongs to the parent of this process, the CPU's
/// backend replaces it, in the state of the last committed update.
/// \return clt_hostMemory: the device is no longer used, and the call may be repeated
cltStatus cltFailover_BeforeWork( cltBroadphase* broadphase );

/// True if `status`, from the backend, is the failure of a device. The caller then repeats its work, starting with
/// cltFailover_BeforeWork.
bool cltFailover_IsDue( cltBroadphase* broadphase, cltStatus status );

/// True if enough proxies moved in the last committed update.
static inline bool cltPromotion_IsWorthIt( const cltBroadphase* broadphase )
{
    return broadphase->mayBePromoted && broadphase->table.lastMovedCount >= broadphase->def.promoteFrom;
}

/// Must be called after an update for which cltPromotion_IsWorthIt is true. After enough such updates, a device's
/// backend replaces the CPU's. If that fails, the CPU's backend stays, and promotion is not tried again.
void cltPromotion_Consider( cltBroadphase* broadphase );

#endif
