// SPDX-License-Identifier: Zlib
/// \file queries.h
/// Box and ray queries of a contestant, and the same questions answered by plain loops over the boxes.
#ifndef CULLET_TESTS_QUERIES_H
#define CULLET_TESTS_QUERIES_H

#include "contestants.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

namespace test
{

/// Queries may report what lies within gDbvtMargin of a box; with none, they have to be exact.
class NoMargin
{
public:
    NoMargin() : m_before( gDbvtMargin )
    {
        gDbvtMargin = 0;
    }

    ~NoMargin()
    {
        gDbvtMargin = m_before;
    }

    NoMargin( const NoMargin& ) = delete;
    NoMargin& operator=( const NoMargin& ) = delete;

private:
    btScalar m_before;
};

struct Ray
{
    btVector3 from;
    btVector3 to;
    Box sweep = { btVector3( 0, 0, 0 ), btVector3( 0, 0, 0 ) }; ///< what moves along it, seen from its origin
};

/// Along all directions, also within planes and along axes; each second one sweeps a lopsided box.
Ray randomRay( Random& random, double reach );

/// More than a spread of 9.
inline const Box everywhere = { btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ) };

/// Bodies of edge 1, which btDbvtBroadphase follows exactly when it keeps no margin.
void moveCube( Bodies& bodies, Body& body, double reach );
void createCubes( Bodies& bodies, int count, double reach );

/// Ascending body ids, as a query reports them. A body reported twice is here twice.
std::vector<int> boxHits( btBroadphaseInterface& broadphase, const Box& box );
std::vector<int> rayHits( btBroadphaseInterface& broadphase, const Ray& ray );

/// What they must be, if each box were larger by `margin` on every side. A ray meets what btRayAabb2 says it meets.
std::vector<int> expectedBoxHits( const Bodies& bodies, const Box& box, btScalar margin = 0 );
std::vector<int> expectedRayHits( const Bodies& bodies, const Ray& ray );

} // namespace test

#endif
