// SPDX-License-Identifier: Zlib
/// \file runs.h
/// Short runs, and broadphases to run.
#ifndef CULLET_TESTS_STRESS_RUNS_H
#define CULLET_TESTS_STRESS_RUNS_H

#include "demos/stress/run.h"

#include "BulletCollision/BroadphaseCollision/btSimpleBroadphase.h"

#include <gtest/gtest.h>

namespace test
{

/// Small and quick, but through many phases.
cullet::stress::Settings shortRun( std::uint64_t seed );

cullet::stress::Outcome run( const cullet::stress::Settings& settings, cullet::stress::Subject subject );

/// What the command would say: "wrong pair set: seed 7 step 3: missing (1, 2)"; empty for a clean run.
std::string complaintOf( const cullet::stress::Settings& settings, const cullet::stress::Outcome& outcome );

/// Bullet's own exact broadphase: it shows that the run asks for nothing that is not so in Bullet. It promises nothing
/// at once, skips proxies whose client is NULL and reports every proxy to every ray.
cullet::stress::Subject simpleSubject();

} // namespace test

#endif
