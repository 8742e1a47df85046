// SPDX-License-Identifier: Zlib
/// \file def.h
/// Checking creation parameters.
#ifndef CLT_BRIDGE_DEF_H
#define CLT_BRIDGE_DEF_H

#include "bridge/cullet.h"

/// clt_invalidArgument if the def did not come from cltDefaultBroadphaseDef or asks for something absurd.
cltStatus cltCheckDef( const cltBroadphaseDef* def );

#endif
