// SPDX-License-Identifier: Zlib
/// \file plugin_engine.h
/// The plugin as an engine: driven exactly as Bullet's broadphases are, but it can say what ran.
#ifndef CLT_COMMAND_PLUGIN_ENGINE_H
#define CLT_COMMAND_PLUGIN_ENGINE_H

#include "bullet_engine.h"

namespace cullet::compare
{

std::unique_ptr<Engine> createAutoEngine( const EngineRequest& request );
std::unique_ptr<Engine> createLbvhEngine( const EngineRequest& request );
std::unique_ptr<Engine> createGridEngine( const EngineRequest& request );
std::unique_ptr<Engine> createBruteForceEngine( const EngineRequest& request );

} // namespace cullet::compare

#endif
