// SPDX-License-Identifier: Zlib
/// \file core_facts.h
/// What the plugin and the C API have in common: how a core is asked for, and what it says about itself afterwards.
#ifndef CLT_COMMAND_CORE_FACTS_H
#define CLT_COMMAND_CORE_FACTS_H

#include "engine.h"

namespace cullet::compare
{

cltBroadphaseDef coreDef( const CoreChoice& choice, cltAlgorithm algorithm );

/// \param threads  as asked for, 0 for one per processor
EngineFacts coreFacts( const cltBroadphase& core, int threads, const char* precision );

/// What the last update took, if it ran on a device.
std::optional<DeviceMs> coreDeviceMs( const cltBroadphase& core );

/// Throws std::runtime_error with cullet's own words, unless all is well.
void requireOk( cltStatus status );

} // namespace cullet::compare

#endif
