// SPDX-License-Identifier: Zlib
/// \file scenes.h
/// Small scenes after the pattern of Bullet's examples. Each fills a world through Bullet's public interface only, so
/// that nothing but the broadphase that the world was made with can tell one run from another.
#ifndef CULLET_TESTS_SCENES_H
#define CULLET_TESTS_SCENES_H

#include "bullet_world.h"

namespace test
{

struct Scene
{
    const char* name;
    void ( *build )( BulletWorld& world );
    btScalar depth = 0; ///< how far below height 0 the middle of a body may ever be
};

/// How deep a mesh's are.
constexpr btScalar valley = btScalar( 0.4 );

/// A large box whose top is at height 0.
void addFloor( BulletWorld& world );

// Of boxes.
void buildHelloWorld( BulletWorld& world ); ///< a ball falls on a floor
void buildBoxHeap( BulletWorld& world );    ///< layers of boxes with gaps fall into a heap
void buildStacks( BulletWorld& world );     ///< columns of boxes
void buildWall( BulletWorld& world );       ///< bricks in a bond, hit by a ball
void buildPyramid( BulletWorld& world );
void buildTower( BulletWorld& world ); ///< rings of bricks, one turned against the next

// Of other shapes.
void buildHulls( BulletWorld& world );            ///< columns of convex hulls
void buildHullPack( BulletWorld& world );         ///< hulls dropped into a pit
void buildPrimitivesOnMesh( BulletWorld& world ); ///< on a bumpy mesh of triangles
void buildHullsOnMesh( BulletWorld& world );

// Of joints.
void buildRagdolls( BulletWorld& world );   ///< capsules held together by hinges and cones
void buildForkLift( BulletWorld& world );   ///< a btRaycastVehicle drives over a floor with obstacles
void buildHinge2Car( BulletWorld& world );  ///< wheels on btHinge2Constraint
void buildRaysOnMesh( BulletWorld& world ); ///< primitives on the mesh, and 100 rays cast before each step

} // namespace test

#endif
