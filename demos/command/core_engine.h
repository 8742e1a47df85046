// SPDX-License-Identifier: Zlib
/// \file core_engine.h
/// The C API as an engine: what cullet costs without Bullet around it.
#ifndef CLT_COMMAND_CORE_ENGINE_H
#define CLT_COMMAND_CORE_ENGINE_H

#include "engine.h"

namespace cullet::compare
{

/// For someone who lives from the changes.
std::unique_ptr<Engine> createCoreEngine( const EngineRequest& request );

/// For someone who also wants the list of all pairs at each step.
std::unique_ptr<Engine> createFullCoreEngine( const EngineRequest& request );

} // namespace cullet::compare

#endif
