// SPDX-License-Identifier: Zlib
/// \file queries.h
/// Box and ray queries, and getAabb, against brute force over the boxes as they were last set.
///
/// A query must report every body that it meets, and none that it would not meet if all boxes were larger by
/// gDbvtMargin on each side: Bullet's own broadphase is that generous, and applications lean on it. Half of the queries
/// are made with the margin at 0, which leaves one right answer.
#ifndef CLT_STRESS_QUERIES_H
#define CLT_STRESS_QUERIES_H

#include "world.h"

namespace cullet::stress
{

/// So many of each kind. Throws a Fault at the first wrong answer. Leaves gDbvtMargin set.
void checkQueries( World& world, const Arena& arena, Random& random, int count );

} // namespace cullet::stress

#endif
