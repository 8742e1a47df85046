// SPDX-License-Identifier: Zlib
// Scenes of convex hulls, primitives and triangle meshes that follow Bullet's later benchmarks.
#include "scenes.h"

#include "tests/support/random.h"

#include <cmath>

namespace test
{

/// A hexagonal prism of height 1.6.
static btConvexHullShape& barrel( BulletWorld& world )
{
    btConvexHullShape& hull = world.shape<btConvexHullShape>();
    for ( int i = 0; i < 6; ++i )
    {
        const btScalar angle = btScalar( i ) * SIMD_2_PI / 6;
        const btScalar x = std::cos( angle ), z = std::sin( angle );
        hull.addPoint( btVector3( x, btScalar( -0.8 ), z ) );
        hull.addPoint( btVector3( x, btScalar( 0.8 ), z ) );
    }
    hull.setMargin( btScalar( 0.02 ) );
    return hull;
}

void buildHulls( BulletWorld& world )
{
    addFloor( world );
    btConvexHullShape& hull = barrel( world );
    for ( int column = 0; column < 9; ++column )
    {
        for ( int level = 0; level < 4; ++level )
        {
            const btScalar y = btScalar( 0.85 ) + btScalar( 1.68 ) * btScalar( level );
            world.add( 1, hull, at( btScalar( column % 3 ) * 3, y, btScalar( column / 3 ) * 3 ) );
        }
    }
}

void buildHullPack( BulletWorld& world )
{
    addFloor( world );
    btBoxShape& side = world.shape<btBoxShape>( btVector3( btScalar( 0.5 ), 5, 6 ) );
    btBoxShape& end = world.shape<btBoxShape>( btVector3( 6, 5, btScalar( 0.5 ) ) );
    world.add( 0, side, at( -6, 5, 0 ) );
    world.add( 0, side, at( 6, 5, 0 ) );
    world.add( 0, end, at( 0, 5, -6 ) );
    world.add( 0, end, at( 0, 5, 6 ) );
    btConvexHullShape& hull = barrel( world );
    Random random( 8 );
    for ( int i = 0; i < 60; ++i )
    {
        const btQuaternion turn( btVector3( 1, 1, 0 ).normalized(), btScalar( random.between( 0, 3 ) ) );
        const btScalar x = btScalar( random.between( -4, 4 ) ), z = btScalar( random.between( -4, 4 ) );
        btRigidBody& body = world.add( 1, hull, btTransform( turn, btVector3( x, btScalar( 2 + i * 0.5 ), z ) ) );
        body.setDamping( 0, btScalar( 0.2 ) );
    }
}

/// A bumpy mesh of 20 x 20 squares of edge 3, two triangles each.
static void addMesh( BulletWorld& world )
{
    const auto corner = []( int i, int k )
    {
        const btScalar height = std::sin( btScalar( i ) ) * std::cos( btScalar( k ) ) * btScalar( 0.4 );
        return btVector3( btScalar( i - 10 ) * 3, height, btScalar( k - 10 ) * 3 );
    };
    btTriangleMesh& mesh = world.keep( new btTriangleMesh );
    for ( int i = 0; i < 20; ++i )
    {
        for ( int k = 0; k < 20; ++k )
        {
            mesh.addTriangle( corner( i, k ), corner( i, k + 1 ), corner( i + 1, k ) );
            mesh.addTriangle( corner( i + 1, k ), corner( i, k + 1 ), corner( i + 1, k + 1 ) );
        }
    }
    world.add( 0, world.shape<btBvhTriangleMeshShape>( &mesh, true ), at( 0, 0, 0 ) );
}

/// 64 bodies above the mesh that do not touch each other.
static void dropOnMesh( BulletWorld& world, btCollisionShape* const* shapes, int shapeCount )
{
    for ( int i = 0; i < 64; ++i )
    {
        const btScalar x = btScalar( i % 4 ) * 3 - 5, z = btScalar( i / 4 % 4 ) * 3 - 5;
        btRigidBody& body = world.add( 1, *shapes[i % shapeCount], at( x, btScalar( 3 + i / 16 * 3 ), z ) );
        body.setDamping( btScalar( 0.1 ), btScalar( 0.4 ) ); // or round bodies would roll off the mesh
    }
}

void buildPrimitivesOnMesh( BulletWorld& world )
{
    addMesh( world );
    btCollisionShape* const shapes[] = { &world.shape<btSphereShape>( btScalar( 1 ) ),
                                         &world.shape<btCapsuleShape>( btScalar( 0.7 ), btScalar( 1 ) ),
                                         &world.shape<btBoxShape>( btVector3( 1, btScalar( 0.7 ), 1 ) ),
                                         &world.shape<btCylinderShape>( btVector3( 1, btScalar( 0.7 ), 1 ) ),
                                         &world.shape<btConeShape>( btScalar( 1 ), btScalar( 1.5 ) ) };
    dropOnMesh( world, shapes, 5 );
}

void buildHullsOnMesh( BulletWorld& world )
{
    addMesh( world );
    btCollisionShape* const shapes[] = { &barrel( world ) };
    dropOnMesh( world, shapes, 1 );
}

void buildRaysOnMesh( BulletWorld& world )
{
    buildPrimitivesOnMesh( world );
    int& turn = world.keep( new int( 0 ) );
    world.beforeStep = [&world, &turn]
    {
        ++turn;
        for ( int i = 0; i < 100; ++i )
        {
            const btScalar angle = btScalar( i + turn ) * SIMD_2_PI / 100;
            const btVector3 from( 0, 20, 0 ), to( std::cos( angle ) * 25, -5, std::sin( angle ) * 25 );
            btCollisionWorld::ClosestRayResultCallback hit( from, to );
            world.world().rayTest( from, to, hit );
            btAssert( hit.hasHit() );
        }
    };
}

} // namespace test
