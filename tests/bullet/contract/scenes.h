// SPDX-License-Identifier: Zlib
/// \file scenes.h
/// Small scenes that follow Bullet's examples. They use Bullet's public interface only, so two runs differ in nothing
/// but the broadphase.
#ifndef CULLET_TESTS_SCENES_H
#define CULLET_TESTS_SCENES_H

#include "tests/bullet/support/bullet_world.h"

namespace test
{

struct Scene
{
    const char* name;
    void ( *build )( BulletWorld& world );
    btScalar depth = 0; ///< how far the centre of a body may lie below height 0
};

/// The depth of the valleys in the mesh of the scenes.
constexpr btScalar valley = btScalar( 0.4 );

/// A large box with its top at height 0.
void addFloor( BulletWorld& world );

// Scenes of boxes.
void buildHelloWorld( BulletWorld& world ); ///< a ball falls on a floor
void buildBoxHeap( BulletWorld& world );    ///< layers of boxes with gaps fall into a heap
void buildStacks( BulletWorld& world );     ///< columns of boxes
void buildWall( BulletWorld& world );       ///< a brick wall that a ball hits

// Scenes of other shapes.
void buildHulls( BulletWorld& world );            ///< columns of convex hulls
void buildHullPack( BulletWorld& world );         ///< hulls dropped into a pit
void buildPrimitivesOnMesh( BulletWorld& world ); ///< boxes, spheres … on a bumpy triangle mesh
void buildHullsOnMesh( BulletWorld& world );

// Scenes of joints.
void buildRagdolls( BulletWorld& world );   ///< capsules joined by hinges and cone-twist joints
void buildForkLift( BulletWorld& world );   ///< a btRaycastVehicle drives over a floor with obstacles
void buildRaysOnMesh( BulletWorld& world ); ///< primitives on the mesh, and 100 rays cast before each step

} // namespace test

#endif
