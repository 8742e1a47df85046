// SPDX-License-Identifier: Zlib
/// \file couple.h
/// Two boxes that can be made to overlap, for tests of pairs not searched yet; and a ghost callback that logs pairs.
#ifndef CULLET_TESTS_COUPLE_H
#define CULLET_TESTS_COUPLE_H

#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

#include <tuple>

namespace test
{

/// Two separate boxes in a broadphase with its own cache, and a third one far away. One update was run after creation.
struct Couple : Arena
{
    Couple() : Arena( culletAuto, 1, 2 )
    {
        bodies.create( cube( 0, 0, 0, 1 ) );
        bodies.create( cube( 5, 0, 0, 1 ) );
        bodies.create( cube( 50, 0, 0, 1 ) );
        bodies.update();
    }

    void meet()
    {
        bodies.move( bodies.at( 1 ), cube( btScalar( 0.5 ), 0, 0, 1 ) );
    }

    void part()
    {
        bodies.move( bodies.at( 1 ), cube( 5, 0, 0, 1 ) );
    }

    /// The number of pairs, read without a virtual function of the cache, so that no pending search is made.
    int countWithoutSearching() const
    {
        return static_cast<const btHashedOverlappingPairCache&>( cache ).GetCount();
    }
};

/// Logs the uids of every pair that begins or ends, in the order of the calls.
struct GhostLog : GhostFunctions
{
    static constexpr int ENDED = 0, BEGAN = 1;

    GhostLog()
        : GhostFunctions(
              [this]( const auto& a, const auto& b ) { calls.emplace_back( BEGAN, a.m_uniqueId, b.m_uniqueId ); },
              [this]( const auto& a, const auto& b ) { calls.emplace_back( ENDED, a.m_uniqueId, b.m_uniqueId ); } )
    {
    }

    std::vector<std::tuple<int, int, int>> calls;
};

/// The pair array after `stepCount` steps. In each step `moveCount` boxes get random positions and sizes.
inline std::vector<IdPair> arrayAfterSteps( btBroadphaseInterface& broadphase, int count, int moveCount, int stepCount )
{
    Bodies bodies( broadphase, 46, spreadFor( count ) );
    bodies.createRandom( count );
    for ( int step = 0; step < stepCount; ++step )
    {
        bodies.update();
        for ( int i = 0; i < moveCount; ++i )
        {
            bodies.move( bodies.at( bodies.random().below( uint32_t( count ) ) ), bodies.randomBox() );
        }
    }
    bodies.update();
    const std::vector<IdPair> pairs = arrayOf( *broadphase.getOverlappingPairCache() );
    bodies.destroyAll();
    return pairs;
}

} // namespace test

#endif
