// SPDX-License-Identifier: Zlib
/// \file move_up.h
/// When the def leaves the device to us and a world's updates have become large: from the CPU to a device, once.
#ifndef CLT_BRIDGE_MOVE_UP_H
#define CLT_BRIDGE_MOVE_UP_H

#include "bridge/broadphase.h"

/// The `worthFrom` of broadphases that stay where they are: more than there can be.
#define CLT_NEVER_WORTH_IT UINT32_MAX

/// True if the update that was just committed was worth a device.
static inline bool cltMoveUp_IsDue( const cltBroadphase* broadphase )
{
    return broadphase->table.lastMovedCount >= broadphase->offer.worthFrom;
}

/// To be called after such an update. If there were enough of them, puts a device's backend in the place of the CPU's, if one
/// answers. If that fails, the CPU goes on as if nothing had been tried, and it is not tried again.
void cltMoveUp_Consider( cltBroadphase* broadphase );

#endif
