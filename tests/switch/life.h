// SPDX-License-Identifier: Zlib
/// \file life.h
/// A random life of a world in which everything happens that changes what a switch must know: proxies come, go, move,
/// jump, hide behind a NaN, change their filter, and several of these between two updates.
#ifndef CLT_TESTS_LIFE_H
#define CLT_TESTS_LIFE_H

#include "tests/support/world.h"

namespace test
{

constexpr int lifeUpdates = 8;

/// Leads the world through lifeUpdates updates, each held against the oracle, and the pairs and a box query with it.
/// `asksPairs`: also between updates, where the pairs are those of the last one.
void live( World& world, uint64_t seed, bool asksPairs = true );

/// Expects a box query to find who overlaps `box`, and nobody else.
void expectQuery( const World& world, const cltAabbD& box );

} // namespace test

#endif
