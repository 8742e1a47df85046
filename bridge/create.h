// SPDX-License-Identifier: Zlib
/// \file create.h
/// Creates a broadphase with a given device backend: CUDA's for applications, one that fails on request for tests.
#ifndef CLT_BRIDGE_CREATE_H
#define CLT_BRIDGE_CREATE_H

#include "gpu/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/// clt_invalidArgument if an option of the def is out of range, or if the def is NULL.
cltStatus cltCheckDef( const cltBroadphaseDef* def );

/// The def decides whether the broadphase starts on the offered device, is promoted to it later, or never uses it.
cltStatus cltCreateBroadphaseOn( const cltBroadphaseDef* def, const cltDeviceOffer* offer, cltBroadphase** broadphase );

#ifdef __cplusplus
}
#endif

#endif
