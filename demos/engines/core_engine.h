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
std::unique_ptr<Engine> createCoreEngine( const Course& course, const cltBroadphaseDef& core );

/// For someone who also wants the list of all pairs at each step.
std::unique_ptr<Engine> createFullCoreEngine( const Course& course, const cltBroadphaseDef& core );

using CorePointer = std::unique_ptr<cltBroadphase, decltype( &cltDestroyBroadphase )>;

/// Throws std::runtime_error if it cannot be had as asked for.
CorePointer createCore( const cltBroadphaseDef& def );

cltStats coreStats( const cltBroadphase& core );

/// \param threads  as asked for, 0 for one per processor
EngineFacts factsOf( const Engine& engine, int threads );

/// The parts of the last findPairs that the engine can tell.
Times partsMs( const Engine& engine );

/// Throws std::runtime_error with cullet's own words, unless all is well.
void requireOk( cltStatus status );

} // namespace cullet::compare

#endif
