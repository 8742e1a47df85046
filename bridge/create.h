// SPDX-License-Identifier: Zlib
/// \file create.h
/// cltCreateBroadphase, with a say in where the backend comes from. Applications choose by the def; tests bring a backend
/// that fails on request.
#ifndef CLT_BRIDGE_CREATE_H
#define CLT_BRIDGE_CREATE_H

#include "gpu/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef cltStatus cltCreateBackendFcn( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend );

cltStatus cltCreateBroadphaseOn( const cltBroadphaseDef* def, cltCreateBackendFcn* createBackend,
                                 cltBroadphase** broadphase );

#ifdef __cplusplus
}
#endif

#endif
