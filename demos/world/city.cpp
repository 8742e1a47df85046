// SPDX-License-Identifier: Zlib
/// \file city.cpp
/// Houses, and vehicles in the streets between them: one body in a hundred. All streets are one-way streets; a vehicle
/// that leaves the city comes back at the other end of its street. In each step 50 rays look ahead from vehicles.
#include "kinds.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletDynamics/Dynamics/btActionInterface.h"

#include <algorithm>

namespace cullet::demo
{
namespace
{

constexpr std::uint64_t citySeed = 23;
constexpr int bodiesPerVehicle = 100;
constexpr btScalar vehicleMass = 1000; // kilograms
constexpr int raysPerSubstep = 50 / substepsPerStep;

// Metres, and metres per second.
constexpr btScalar houseSpacing = 12;
constexpr btScalar halfLane = 1, halfHeight = btScalar( 0.75 ), halfLength = 2; ///< of a vehicle
constexpr btScalar pace = 10;
constexpr btScalar slowPace = 2;
constexpr btScalar sight = 30;

struct Vehicle
{
    btRigidBody* body;
    int axis;            ///< of the street: 0 for x, 2 for z
    btScalar direction;  ///< along the street: 1 or -1
    btScalar street;     ///< the street's coordinate on the other axis
    bool isSlow = false; ///< because its last ray hit another vehicle
};

/// Drives the vehicles. Their ways depend on their positions alone, so that a world that is placed like another one
/// follows it.
class Traffic : public btActionInterface
{
public:
    Traffic( std::vector<Vehicle> vehicles, btScalar cityEnd ) : m_vehicles( std::move( vehicles ) ), m_end( cityEnd )
    {
    }

    void updateAction( btCollisionWorld* world, btScalar ) override
    {
        for ( int ray = 0; ray < raysPerSubstep; ++ray )
        {
            lookAhead( *world, m_vehicles[m_rayCount++ % m_vehicles.size()] );
        }
        for ( const Vehicle& vehicle : m_vehicles )
        {
            drive( vehicle );
        }
    }

    void debugDraw( btIDebugDraw* ) override
    {
    }

private:
    static btVector3 alongStreet( const Vehicle& vehicle, btScalar metres )
    {
        btVector3 way( 0, 0, 0 );
        way[vehicle.axis] = vehicle.direction * metres;
        return way;
    }

    /// Looks from the front of the vehicle in a direction that is at most 45 degrees off its way.
    void lookAhead( const btCollisionWorld& world, Vehicle& vehicle ) const
    {
        Random random( citySeed, 0, m_rayCount );
        btVector3 direction = alongStreet( vehicle, 1 );
        direction[2 - vehicle.axis] = btScalar( random.between( -1, 1 ) );
        const btVector3 front = alongStreet( vehicle, halfLength * btScalar( 1.1 ) );
        const btVector3 from = vehicle.body->getWorldTransform().getOrigin() + front;
        const btVector3 to = from + direction.normalized() * sight;
        btCollisionWorld::ClosestRayResultCallback nearest( from, to );
        world.rayTest( from, to, nearest );
        vehicle.isSlow = nearest.hasHit() && !nearest.m_collisionObject->isStaticObject();
    }

    /// Sets the velocity along the street, and back to its middle after collisions.
    void drive( const Vehicle& vehicle ) const
    {
        const btVector3& place = vehicle.body->getWorldTransform().getOrigin();
        btVector3 velocity = vehicle.body->getLinearVelocity();
        velocity[vehicle.axis] = vehicle.direction * ( vehicle.isSlow ? slowPace : pace );
        velocity[2 - vehicle.axis] = vehicle.street - place[2 - vehicle.axis];
        vehicle.body->setLinearVelocity( velocity );
        if ( vehicle.direction * place[vehicle.axis] > m_end )
        {
            vehicle.body->translate( alongStreet( vehicle, -2 * m_end ) );
        }
    }

    std::vector<Vehicle> m_vehicles;
    btScalar m_end; ///< metres from the middle of the city
    std::size_t m_rayCount = 0;
};

void addHouses( World& world, const Square& places, int count, Random& random )
{
    constexpr double narrowest = 3, widest = 4.5, lowest = 3, highest = 15; // half of the extents
    constexpr std::size_t shapeCount = 16;
    const auto length = [&]( double least, double most ) { return btScalar( random.between( least, most ) ); };
    std::vector<btBoxShape*> shapes;
    for ( std::size_t k = 0; k < shapeCount; ++k )
    {
        const btVector3 half{ length( narrowest, widest ), length( lowest, highest ), length( narrowest, widest ) };
        shapes.push_back( &world.make<btBoxShape>( half ) ); // braces fix the order of the calls of length
    }
    for ( int index = 0; index < count; ++index )
    {
        btBoxShape& shape = *shapes[random.below( shapeCount )];
        const btVector3 height( 0, shape.getHalfExtentsWithMargin().y(), 0 );
        world.addBody( 0, shape, upright( places.place( index ) + height ) );
    }
}

/// Adds a vehicle without friction, as if it had wheels, that does not turn.
btRigidBody& addVehicle( World& world, btCollisionShape& shape, const btVector3& centre )
{
    btRigidBody& body = world.addBody( vehicleMass, shape, upright( centre ) );
    body.setFriction( 0 );
    body.setAngularFactor( 0 );
    body.setActivationState( DISABLE_DEACTIVATION );
    return body;
}

/// Adds vehicles between the houses, one after the other to each street.
std::vector<Vehicle> addVehicles( World& world, const Square& places, int count, Random& random )
{
    btCollisionShape* shapes[] = { &world.make<btBoxShape>( btVector3( halfLength, halfHeight, halfLane ) ),
                                   &world.make<btBoxShape>( btVector3( halfLane, halfHeight, halfLength ) ) };
    const int streetCount = 2 * ( places.perSide + 1 );
    const int blocks = places.perSide / ( ( count - 1 ) / streetCount + 1 ); // of a street, for each of its vehicles
    std::vector<Vehicle> vehicles;
    for ( int index = 0; index < count; ++index )
    {
        const int street = index % streetCount / 2;
        const int block = index / streetCount * blocks + int( random.below( blocks ) );
        const int axis = 2 * ( index % 2 );
        btVector3 centre( 0, halfHeight, 0 );
        centre[axis] = houseSpacing * btScalar( block ) - places.halfWidth;
        centre[2 - axis] = houseSpacing * ( btScalar( street ) - btScalar( 0.5 ) ) - places.halfWidth;
        vehicles.push_back( { &addVehicle( world, *shapes[axis / 2], centre ), axis,
                              btScalar( street % 2 == 0 ? 1 : -1 ), centre[2 - axis] } );
    }
    return vehicles;
}

} // namespace

void addCity( World& world, int bodyCount )
{
    const int vehicleCount = bodyCount / bodiesPerVehicle + 1;
    const int houseCount = bodyCount - vehicleCount;
    const Square places( std::max( houseCount, 1 ), houseSpacing );
    Random random( citySeed );
    addPlane( world );
    addHouses( world, places, houseCount, random );
    world.bullet().addAction(
        &world.make<Traffic>( addVehicles( world, places, vehicleCount, random ), places.halfWidth + houseSpacing ) );
}

} // namespace cullet::demo
