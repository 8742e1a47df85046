// SPDX-License-Identifier: Zlib
/// \file backend_switch.h
/// One backend in the place of another while the broadphase goes on: the CPU's when a device fails (failover), or a
/// device's when enough moves for it (promotion).
#ifndef CLT_BRIDGE_BACKEND_SWITCH_H
#define CLT_BRIDGE_BACKEND_SWITCH_H

#include "bridge/broadphase.h"

/// To be called before the backend is asked for anything. If it is a device's that failed or belongs to the parent of
/// this process, the CPU's takes its place, as of the last committed update.
/// \return clt_hostMemory: to be tried again; the device will not be asked any more
cltStatus cltFailover_BeforeWork( cltBroadphase* broadphase );

/// True if `status`, from the backend, is the failure of a device: then the same is to be tried again, from
/// cltFailover_BeforeWork on.
bool cltFailover_IsDue( cltBroadphase* broadphase, cltStatus status );

/// True if the update that was just committed was worth a device.
static inline bool cltPromotion_IsWorthIt( const cltBroadphase* broadphase )
{
    return broadphase->mayBePromoted && broadphase->table.lastMovedCount >= broadphase->def.promoteFrom;
}

/// To be called after such an update. If there were enough of them, a device's backend takes the place of the CPU's. If
/// that fails, the CPU goes on as if nothing had been tried, and it is not tried again.
void cltPromotion_Consider( cltBroadphase* broadphase );

#endif
