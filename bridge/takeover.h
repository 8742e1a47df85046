// SPDX-License-Identifier: Zlib
/// \file takeover.h
/// When a device fails: the CPU takes its place, at the point where the device had come to.
#ifndef CLT_BRIDGE_TAKEOVER_H
#define CLT_BRIDGE_TAKEOVER_H

#include "bridge/broadphase.h"

/// To be called for a broadphase that begins on a device: makes sure that the CPU could take its place.
cltStatus cltTakeover_Prepare( cltBroadphase* broadphase );

/// To be called before a device's first update with a broadphase: from now on the table keeps what a takeover needs, and
/// the device is this process's.
cltStatus cltTakeover_Arm( cltBroadphase* broadphase );

/// To be called before the backend is asked for anything: clt_ok if it may be. If it belongs to the parent of this
/// process, or failed before and the CPU had no memory to take over then, the CPU takes over now.
cltStatus cltTakeover_BeforeWork( cltBroadphase* broadphase );

/// True if `status`, from the backend, is the failure of a device.
bool cltTakeover_IsDue( const cltBroadphase* broadphase, cltStatus status );

/// Puts a CPU backend that is as of the last committed update in the place of the device.
/// \return clt_hostMemory: to be tried again; the device will not be asked any more
cltStatus cltTakeover_Run( cltBroadphase* broadphase, cltStatus failure );

#endif
