// SPDX-License-Identifier: Zlib
/// \file queries.h
/// Box and ray queries of a contestant, and their expected results from plain loops over the boxes.
#ifndef CULLET_TESTS_QUERIES_H
#define CULLET_TESTS_QUERIES_H

#include "contestants.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

namespace test
{

/// Sets gDbvtMargin to 0. Queries may report boxes within that margin, so without it they must be exact.
class NoMargin
{
public:
    NoMargin() : m_previous( gDbvtMargin )
    {
        gDbvtMargin = 0;
    }

    ~NoMargin()
    {
        gDbvtMargin = m_previous;
    }

    NoMargin( const NoMargin& ) = delete;
    NoMargin& operator=( const NoMargin& ) = delete;

private:
    btScalar m_previous;
};

struct Ray
{
    btVector3 from;
    btVector3 to;
    Box sweep = { btVector3( 0, 0, 0 ), btVector3( 0, 0, 0 ) }; ///< the box that is swept, relative to `from`
};

/// A ray in a random direction, sometimes within a coordinate plane or along an axis. Half of all rays sweep an
/// asymmetric box.
Ray randomRay( Random& random, double halfWidth );

/// Contains all boxes of Bodies with a spread of at most 9.
inline const Box everywhere = { btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ) };

/// Place cubes of edge 1 at random. With NoMargin, btDbvtBroadphase has exact boxes for bodies of constant size.
void moveCube( Bodies& bodies, Body& body, double halfWidth );
void createCubes( Bodies& bodies, int count, double halfWidth );

/// The ids of the bodies that a query reports, ascending. A body reported twice is in the list twice.
std::vector<int> boxHits( btBroadphaseInterface& broadphase, const Box& box );
std::vector<int> rayHits( btBroadphaseInterface& broadphase, const Ray& ray, btScalar inverseOf0 = BT_LARGE_FLOAT );

/// The ids that a query must report. Box queries enlarge each body's box by `margin`. btRayAabb2 decides ray hits.
std::vector<int> expectedBoxHits( const Bodies& bodies, const Box& box, btScalar margin = 0 );
std::vector<int> expectedRayHits( const Bodies& bodies, const Ray& ray );

} // namespace test

#endif
