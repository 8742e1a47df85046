// SPDX-License-Identifier: Zlib
/// \file create.h
/// cltCreateBroadphase, with a say in which device there is. Applications get CUDA's; tests bring one that fails on
/// request.
#ifndef CLT_BRIDGE_CREATE_H
#define CLT_BRIDGE_CREATE_H

#include "gpu/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the broadphase begins on the offered device, goes there later or never is the def's say.
cltStatus cltCreateBroadphaseOn( const cltBroadphaseDef* def, const cltDeviceOffer* offer, cltBroadphase** broadphase );

#ifdef __cplusplus
}
#endif

#endif
