// SPDX-License-Identifier: Zlib
/// \file contestants.h
/// The contestants, the broadphases that the contract is tested on: cullet with each algorithm, with its own and with a
/// given pair cache, and Bullet's own. Each test of item CT-nn of the contract is a `TEST_P( Contract, CTnn_Name )`. It
/// expects only what applications rely on, so it can run on all contestants. expectations.h lists failures of Bullet's
/// broadphases. Slow tests are named `CTnnLarge_Name`.
#ifndef CULLET_TESTS_CONTESTANTS_H
#define CULLET_TESTS_CONTESTANTS_H

#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

#include <gtest/gtest.h>
#include <vector>

namespace test
{

/// Names of the parameter: cullet_ALGORITHM_own and cullet_ALGORITHM_given for wide, lbvh, grid and bruteForce; btDbvt,
/// btSimple, bt32BitAxisSweep3.
class Contract : public testing::TestWithParam<RigKind>
{
};

/// Whether the boxes of two proxies overlap, and their groups and masks accept each other.
bool mayPair( const btBroadphaseProxy& p, const btBroadphaseProxy& q );

/// checkPairs for a world. The boxes and filters in its proxies determine the expected pairs.
testing::AssertionResult checkPairsOfWorld( const RigKind& kind, btCollisionWorld& world );

} // namespace test

#endif
