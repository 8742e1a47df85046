// SPDX-License-Identifier: Zlib
// Scenes of boxes that follow HelloWorld and the first two of Bullet's benchmarks.
#include "scenes.h"

namespace test
{

void addFloor( BulletWorld& world )
{
    world.add( 0, world.shape<btBoxShape>( btVector3( 50, 5, 50 ) ), at( 0, -5, 0 ) );
}

void buildHelloWorld( BulletWorld& world )
{
    addFloor( world );
    world.add( 1, world.shape<btSphereShape>( btScalar( 1 ) ), at( 2, 10, 0 ) );
}

void buildBoxHeap( BulletWorld& world )
{
    addFloor( world );
    btBoxShape& box = world.shape<btBoxShape>( btVector3( 1, 1, 1 ) );
    const int layers = 5, edge = 4;
    for ( int i = 0; i < layers * edge * edge; ++i )
    {
        const int layer = i / ( edge * edge );
        const btScalar lean = btScalar( layer % 3 ) * btScalar( 0.35 );
        world.add( 2, box,
                   at( btScalar( i % edge ) * btScalar( 2.2 ) + lean, btScalar( layer ) * btScalar( 2.5 ) + 3,
                       btScalar( i / edge % edge ) * btScalar( 2.2 ) - lean ) );
    }
}

void buildStacks( BulletWorld& world )
{
    addFloor( world );
    btBoxShape& box = world.shape<btBoxShape>( btVector3( 1, 1, 1 ) );
    for ( int column = 0; column < 9; ++column )
    {
        for ( int level = 0; level < 6; ++level )
        {
            world.add( 2, box,
                       at( btScalar( column % 3 ) * 3, btScalar( 1 + 2 * level ), btScalar( column / 3 ) * 3 ) );
        }
    }
}

void buildWall( BulletWorld& world )
{
    addFloor( world );
    btBoxShape& brick = world.shape<btBoxShape>( btVector3( 1, btScalar( 0.5 ), btScalar( 0.5 ) ) );
    for ( int row = 0; row < 7; ++row )
    {
        for ( int i = 0; i < 8; ++i )
        {
            world.add(
                2, brick,
                at( btScalar( i ) * btScalar( 2.05 ) + btScalar( row % 2 ), btScalar( row ) + btScalar( 0.5 ), 0 ) );
        }
    }
    btRigidBody& ball = world.add( 10, world.shape<btSphereShape>( btScalar( 0.8 ) ), at( 8, 3, 12 ) );
    ball.setLinearVelocity( btVector3( 0, 2, -15 ) );
    ball.setDamping( btScalar( 0.1 ), btScalar( 0.5 ) ); // without it the ball would roll for ever
}

void buildPyramid( BulletWorld& world )
{
    addFloor( world );
    btBoxShape& box = world.shape<btBoxShape>( btVector3( 1, 1, 1 ) );
    for ( int level = 0; level < 7; ++level )
    {
        for ( int i = level; i < 7; ++i )
        {
            const btScalar x = ( btScalar( i ) - btScalar( level ) / 2 ) * btScalar( 2.5 );
            world.add( 2, box, at( x, btScalar( 1 + 2 * level ), 0 ) );
        }
    }
}

void buildTower( BulletWorld& world )
{
    addFloor( world );
    btBoxShape& brick = world.shape<btBoxShape>( btVector3( 1, btScalar( 0.5 ), btScalar( 0.5 ) ) );
    const int ring = 8;
    for ( int i = 0; i < 8 * ring; ++i )
    {
        const int level = i / ring;
        const btScalar angle = ( btScalar( i % ring ) + btScalar( level % 2 ) / 2 ) * SIMD_2_PI / ring;
        const btQuaternion turn( btVector3( 0, 1, 0 ), angle );
        const btVector3 place =
            quatRotate( turn, btVector3( 0, btScalar( level ) + btScalar( 0.5 ), btScalar( 3.2 ) ) );
        world.add( 2, brick, btTransform( turn, place ) );
    }
}

} // namespace test
