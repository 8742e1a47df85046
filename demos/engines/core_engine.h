// SPDX-License-Identifier: Zlib
/// \file core_engine.h
/// The C API as an engine: cullet without Bullet. Also helpers for all users of the C API: they create a broadphase and
/// read its statistics.
#ifndef CLT_ENGINES_CORE_ENGINE_H
#define CLT_ENGINES_CORE_ENGINE_H

#include "cullet_research.h"

#include "engine.h"

namespace cullet::compare
{

/// An engine that finds the changes only.
std::unique_ptr<Engine> createCoreEngine( const StreamInfo& info, const cltBroadphaseDef& core );

/// An engine that also makes the list of all pairs in each step.
std::unique_ptr<Engine> createFullCoreEngine( const StreamInfo& info, const cltBroadphaseDef& core );

using CorePointer = std::unique_ptr<cltBroadphase, decltype( &cltDestroyBroadphase )>;

/// Throws std::runtime_error if the broadphase cannot be created with `def`.
CorePointer createCore( const cltBroadphaseDef& def );

cltStats coreStats( const cltBroadphase& core );
cltResearchStats coreResearchStats( const cltBroadphase& core );

/// Throws std::runtime_error with cullet's message unless the status is clt_ok.
void requireOk( cltStatus status );

} // namespace cullet::compare

#endif
