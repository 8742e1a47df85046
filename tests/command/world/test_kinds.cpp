// SPDX-License-Identifier: Zlib
// The kinds of worlds: they start with the same bits over each broadphase, and their bodies move as described.
#include "demos/world/kinds.h"
#include "demos/world/world_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace
{

using namespace cullet::demo;

std::unique_ptr<World> createWorld( const WorldKind& kind, int bodyCount, const char* broadphase = "cullet" )
{
    WorldOptions options;
    options.bodies = bodyCount;
    auto world = std::make_unique<World>( createBroadphase( broadphase, options ), kind.isSoft );
    kind.fill( *world, bodyCount );
    return world;
}

std::unique_ptr<World> createWorld( const char* kind, int bodyCount )
{
    return createWorld( worldKind( kind ), bodyCount );
}

void takeSteps( World& world, int count )
{
    for ( int step = 0; step < count; ++step )
    {
        world.step();
    }
}

/// Of the places of all bodies that are not static.
btVector3 meanPlace( const World& world )
{
    btVector3 sum( 0, 0, 0 );
    for ( const btRigidBody* body : world.bodies() )
    {
        sum += body->getWorldTransform().getOrigin();
    }
    return sum / btScalar( world.bodies().size() );
}

/// The number of bodies that are not static and have a place that meets the condition.
template <typename Condition>
int countBodies( const World& world, Condition&& condition )
{
    return int( std::count_if( world.bodies().begin(), world.bodies().end(),
                               [&]( const btRigidBody* body )
                               { return condition( body->getWorldTransform().getOrigin() ); } ) );
}

TEST( Kinds, StartWithTheSameBitsOverEachBroadphase )
{
    for ( const WorldKind& kind : worldKinds )
    {
        for ( const int bodyCount : { 1, 7, 200 } )
        {
            const auto one = createWorld( kind, bodyCount, "dbvt" ), other = createWorld( kind, bodyCount );
            const btCollisionObjectArray& expected = one->bullet().getCollisionObjectArray();
            const btCollisionObjectArray& objects = other->bullet().getCollisionObjectArray();
            ASSERT_EQ( expected.size(), objects.size() ) << kind.name;
            for ( int k = 0; k < objects.size(); ++k )
            {
                ASSERT_TRUE( expected[k]->getWorldTransform() == objects[k]->getWorldTransform() ) << kind.name;
                ASSERT_EQ( expected[k]->getActivationState(), objects[k]->getActivationState() ) << kind.name;
            }
        }
    }
}

TEST( Kinds, HaveOneMoreBodyIfOneMoreIsRequested )
{
    for ( const WorldKind& kind : worldKinds )
    {
        const auto countObjects = [&]( int bodyCount )
        { return createWorld( kind, bodyCount )->bullet().getNumCollisionObjects(); };
        EXPECT_EQ( countObjects( 200 ) + 1, countObjects( 201 ) ) << kind.name; // with the same ground
    }
}

TEST( Kinds, KeepBodiesAboveThePlane )
{
    for ( const char* kind : { "wall", "galton", "city", "debris", "stairs" } )
    {
        for ( const int bodyCount : { 1, 7, 200 } )
        {
            const auto world = createWorld( kind, bodyCount );
            const auto isAbovePlane = []( const btVector3& place ) { return place.y() > btScalar( -0.5 ); };
            takeSteps( *world, 200 );
            EXPECT_EQ( int( world->bodies().size() ), countBodies( *world, isAbovePlane ) ) << kind << bodyCount;
        }
    }
}

TEST( Wall, IsAtRestUntilTheBallHitsIt )
{
    const auto world = createWorld( "wall", 300 );
    const auto isActive = []( const btRigidBody* body ) { return body->isActive(); };
    const auto countActive = [&] { return std::count_if( world->bodies().begin(), world->bodies().end(), isActive ); };
    const btScalar height = meanPlace( *world ).y();
    takeSteps( *world, 50 );
    EXPECT_EQ( 1, countActive() );
    takeSteps( *world, 20 );
    EXPECT_EQ( 300, countActive() );
    takeSteps( *world, 110 );
    EXPECT_GT( height / 2, meanPlace( *world ).y() );
}

TEST( Wall, StandsWithoutTheBall )
{
    const auto world = createWorld( "wall", 300 );
    const btScalar height = meanPlace( *world ).y();
    world->bullet().removeRigidBody( world->bodies().back() );
    for ( btRigidBody* brick : world->bodies() )
    {
        brick->activate();
    }
    takeSteps( *world, 60 );
    EXPECT_NEAR( height, meanPlace( *world ).y(), height / 20 );
}

TEST( Galton, FillsTheBinsInTheMiddleMost )
{
    constexpr btScalar binEnd = btScalar( 3.2 );
    const auto world = createWorld( "galton", 900 );
    takeSteps( *world, 600 );
    const auto isInBin = [&]( const btVector3& place ) { return place.y() < binEnd; };
    const auto isInMiddle = []( const btVector3& place ) { return std::abs( place.x() ) < btScalar( 1.2 ); };
    const auto isInOuterBin = []( const btVector3& place ) { return std::abs( place.x() ) > btScalar( 1.8 ); };
    EXPECT_EQ( 600, countBodies( *world, isInBin ) );
    EXPECT_LT( 3 * countBodies( *world, isInOuterBin ), 2 * countBodies( *world, isInMiddle ) );
}

TEST( City, MovesVehiclesAlongTheStreets )
{
    const auto world = createWorld( "city", 2000 );
    std::vector<btVector3> previous;
    for ( const btRigidBody* vehicle : world->bodies() )
    {
        previous.push_back( vehicle->getWorldTransform().getOrigin() );
    }
    takeSteps( *world, 60 );
    for ( std::size_t k = 0; k < previous.size(); ++k )
    {
        const btVector3 way = world->bodies()[k]->getWorldTransform().getOrigin() - previous[k];
        EXPECT_LT( 1, way.length() );
        EXPECT_GT( btScalar( 0.1 ), std::min( std::abs( way.x() ), std::abs( way.z() ) ) );
    }
}

TEST( Debris, HasOnlyPairsWithStaticBodies )
{
    const auto world = createWorld( "debris", 200 );
    takeSteps( *world, 30 );
    const btBroadphasePairArray& pairs = world->bullet().getPairCache()->getOverlappingPairArray();
    const auto isStatic = []( const btBroadphaseProxy* proxy )
    { return static_cast<const btCollisionObject*>( proxy->m_clientObject )->isStaticObject(); };
    EXPECT_LT( 195, pairs.size() );
    for ( int k = 0; k < pairs.size(); ++k )
    {
        EXPECT_TRUE( isStatic( pairs[k].m_pProxy0 ) || isStatic( pairs[k].m_pProxy1 ) );
    }
}

TEST( Stairs, EndAtThePlaneWhereAllDollsLie )
{
    const auto world = createWorld( "stairs", 800 );
    takeSteps( *world, 400 );
    EXPECT_EQ( 800, countBodies( *world, []( const btVector3& place ) { return place.y() < 1; } ) );
}

} // namespace
