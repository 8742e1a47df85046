// SPDX-License-Identifier: Zlib
/// \file move_up.h
/// When the def leaves the device to us and a world's updates have become large: from the CPU to a device, once.
#ifndef CLT_BRIDGE_MOVE_UP_H
#define CLT_BRIDGE_MOVE_UP_H

#include "bridge/broadphase.h"

/// The `movesUpFrom` of broadphases that stay where they are.
#define CLT_NEVER_MOVES_UP UINT32_MAX

/// True if the update that was just committed was worth a device.
static inline bool cltMoveUp_IsDue( const cltBroadphase* broadphase )
{
    return broadphase->table.lastMovedCount >= broadphase->movesUpFrom;
}

/// To be called between two updates: puts a device's backend in the place of the CPU's, if one answers. If that fails, the
/// CPU goes on as if nothing had been tried, and it is not tried again.
void cltMoveUp_Run( cltBroadphase* broadphase );

#endif
