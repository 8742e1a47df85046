// SPDX-License-Identifier: Zlib
/// \file prediction.h
/// How long an engine that tests all pairs would take. Its steps cannot be interrupted, so the cap must know
/// beforehand.
#ifndef CLT_COMMAND_PREDICTION_H
#define CLT_COMMAND_PREDICTION_H

#include "engine.h"

namespace cullet::compare
{

/// Milliseconds, measured on a small scene of the same kind and scaled with the square of the size; 0 when the scene is
/// so small that trying is cheaper than asking. For kinds with slowSteps.
double predictFirstStepMs( const EngineKind& kind, const EngineRequest& request );

} // namespace cullet::compare

#endif
