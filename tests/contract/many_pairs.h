// SPDX-License-Identifier: Zlib
/// \file many_pairs.h
/// Bodies all in one place: the most pairs that a number of bodies can have.
#ifndef CULLET_TESTS_MANY_PAIRS_H
#define CULLET_TESTS_MANY_PAIRS_H

#include "contestants.h"

namespace test
{

/// Expects all of them, each once.
void expectAllPairs( const RigKind& kind, int bodyCount );

} // namespace test

#endif
