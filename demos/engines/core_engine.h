// SPDX-License-Identifier: Zlib
/// \file core_engine.h
/// The C API as an engine: what cullet costs without Bullet around it. And what this engine and the plugin's have in
/// common: how a core is asked for, and what it says about itself afterwards.
#ifndef CLT_ENGINES_CORE_ENGINE_H
#define CLT_ENGINES_CORE_ENGINE_H

#include "engine.h"

namespace cullet::compare
{

/// For someone who lives from the changes.
std::unique_ptr<Engine> createCoreEngine( const EngineRequest& request );

/// For someone who also wants the list of all pairs at each step.
std::unique_ptr<Engine> createFullCoreEngine( const EngineRequest& request );

using CorePointer = std::unique_ptr<cltBroadphase, decltype( &cltDestroyBroadphase )>;

cltBroadphaseDef coreDef( const CoreChoice& choice, cltAlgorithm algorithm );

/// Throws std::runtime_error if it cannot be had as asked for.
CorePointer createCore( const cltBroadphaseDef& def );

cltStats coreStats( const cltBroadphase& core );

/// \param threads  as asked for, 0 for one per processor
EngineFacts coreFacts( const cltBroadphase& core, int threads, const char* precision );

/// What the last update took, if it ran on a device.
Times corePartsMs( const cltBroadphase& core );

/// Throws std::runtime_error with cullet's own words, unless all is well.
void requireOk( cltStatus status );

} // namespace cullet::compare

#endif
