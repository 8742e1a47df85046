// SPDX-License-Identifier: Zlib
#include "file_world.h"

#include "file_constraints.h"
#include "file_shapes.h"
#include "file_values.h"

#include "demos/command/option_checks.h"
#include "plugin/CulletBroadphase.h"

#include "LinearMath/btSerializer.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/ranges.h>

namespace cullet::demo
{
namespace
{

constexpr double heaviest = 1e12; ///< kilograms; the lightest body has their reciprocal
constexpr int mostIterations = 1000;

/// The stored groups; none if the file is older than they are, or the body was in no world.
std::optional<PairFilter> filterOf( const StoredStruct& object )
{
    const auto group = int( object.numberIfAny( "m_collisionFilterGroup" ) );
    return group == 0 ? std::nullopt
                      : std::optional( PairFilter{ group, int( object.numberIfAny( "m_collisionFilterMask" ) ) } );
}

/// Sets what bodies and other collision objects have in common.
void setCommon( const StoredStruct& stored, btCollisionObject& object )
{
    constexpr int flags = btCollisionObject::CF_KINEMATIC_OBJECT | btCollisionObject::CF_NO_CONTACT_RESPONSE;
    object.setCollisionFlags( object.getCollisionFlags() | ( int( stored.number( "m_collisionFlags" ) ) & flags ) );
    object.forceActivationState( wholeOf( stored, "m_activationState1", ACTIVE_TAG, DISABLE_SIMULATION ) );
    object.setDeactivationTime( scalarOf( stored, "m_deactivationTime" ) );
    object.setCcdSweptSphereRadius( lengthOf( stored, "m_ccdSweptSphereRadius" ) );
    object.setCcdMotionThreshold( scalarOf( stored, "m_ccdMotionThreshold" ) );
}

/// A NaN or an overflow in a box could crash a broadphase.
void demandBox( const btCollisionShape& shape, const btTransform& transform )
{
    btVector3 lower, upper;
    shape.getAabb( transform, lower, upper );
    for ( int axis = 0; axis < 3; ++axis )
    {
        demandSound( lower[axis] >= -BT_LARGE_FLOAT && lower[axis] <= upper[axis] && upper[axis] <= BT_LARGE_FLOAT,
                     "a body has no size" );
    }
}

class FileReader
{
public:
    FileReader( const BulletFile& file, World& world ) : m_world( world ), m_file( file ), m_shapes( file, world )
    {
    }

    /// Constraints come last, because they join bodies.
    void addAll()
    {
        forEach( BT_DYNAMICSWORLD_CODE, [this]( const StoredBlock& block ) { set( m_file.element( block ) ); } );
        forEach( BT_COLLISIONOBJECT_CODE,
                 [this]( const StoredBlock& block ) { addObject( m_file.element( block ) ); } );
        forEach( BT_RIGIDBODY_CODE, [this]( const StoredBlock& block ) { addBody( block ); } );
        forEach( BT_CONSTRAINT_CODE,
                 [this]( const StoredBlock& block )
                 {
                     if ( !addConstraint( m_file.element( block ), m_bodies, m_world ) )
                     {
                         ++leftOut["constraint"];
                     }
                 } );
        forEach( BT_SOFTBODY_CODE, [this]( const StoredBlock& ) { ++leftOut["soft body"]; } );
        forEach( BT_MULTIBODY_CODE, [this]( const StoredBlock& ) { ++leftOut["multi-body"]; } );
        if ( m_shapes.unknownChildren > 0 )
        {
            leftOut["unknown shape in a compound"] = m_shapes.unknownChildren;
        }
    }

    LeftOut leftOut;

private:
    template <typename Work>
    void forEach( int code, Work&& work )
    {
        for ( const StoredBlock& block : m_file.blocks() )
        {
            if ( block.code == code )
            {
                work( block );
            }
        }
    }

    void set( const StoredStruct& stored )
    {
        m_world.bullet().setGravity( placeOf( stored, "m_gravity" ) );
        if ( stored.has( "m_solverInfo" ) ) // not in files of versions before 2.82
        {
            m_world.bullet().getSolverInfo().m_numIterations =
                wholeOf( stored.member( "m_solverInfo" ), "m_numIterations", 1, mostIterations );
        }
    }

    /// NULL if the object is left out.
    btCollisionShape* shapeOf( const StoredStruct& object )
    {
        btCollisionShape* shape = m_shapes.shapeAt( object.address( "m_collisionShape" ) );
        shape == nullptr ? void( ++leftOut["body of an unknown shape"] )
                         : demandBox( *shape, transformOf( object, "m_worldTransform" ) );
        return shape;
    }

    void addObject( const StoredStruct& stored )
    {
        btCollisionShape* shape = shapeOf( stored );
        if ( shape == nullptr )
        {
            return;
        }
        auto& object = m_world.make<btCollisionObject>();
        object.setCollisionShape( shape );
        object.setWorldTransform( transformOf( stored, "m_worldTransform" ) );
        object.setFriction( scalarOf( stored, "m_friction" ) );
        object.setRestitution( scalarOf( stored, "m_restitution" ) );
        setCommon( stored, object );
        const PairFilter usual = { btBroadphaseProxy::StaticFilter,
                                   btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter };
        const PairFilter filter = filterOf( stored ).value_or( usual );
        m_world.bullet().addCollisionObject( &object, filter.group, filter.mask );
    }

    void addBody( const StoredBlock& block )
    {
        const StoredStruct stored = m_file.element( block );
        const StoredStruct object = stored.member( "m_collisionObjectData" );
        btCollisionShape* shape = shapeOf( object );
        if ( shape != nullptr )
        {
            btRigidBody& body = m_world.addBody( setupOf( stored, object, *shape ), -1, filterOf( object ) );
            setMotion( stored, body );
            setCommon( object, body );
            m_bodies.emplace( block.address, &body );
        }
    }

    /// Bodies of shapes that cannot move are static.
    static btScalar massOf( const StoredStruct& stored, const btCollisionShape& shape )
    {
        const double inverse = stored.number( "m_inverseMass" );
        if ( inverse == 0 || shape.isNonMoving() )
        {
            return 0;
        }
        demandSound( inverse >= 1 / heaviest && inverse <= heaviest, "a body has no mass" );
        return btScalar( 1 / inverse );
    }

    static btRigidBody::btRigidBodyConstructionInfo setupOf( const StoredStruct& stored, const StoredStruct& object,
                                                             btCollisionShape& shape )
    {
        btRigidBody::btRigidBodyConstructionInfo setup( massOf( stored, shape ), nullptr, &shape );
        setup.m_startWorldTransform = transformOf( object, "m_worldTransform" );
        setup.m_friction = scalarOf( object, "m_friction" );
        setup.m_restitution = scalarOf( object, "m_restitution" );
        setup.m_rollingFriction = btScalar( object.numberIfAny( "m_rollingFriction" ) );
        setup.m_linearDamping = scalarOf( stored, "m_linearDamping" );
        setup.m_angularDamping = scalarOf( stored, "m_angularDamping" );
        setup.m_linearSleepingThreshold = scalarOf( stored, "m_linearSleepingThreshold" );
        setup.m_angularSleepingThreshold = scalarOf( stored, "m_angularSleepingThreshold" );
        return setup;
    }

    static void setMotion( const StoredStruct& stored, btRigidBody& body )
    {
        body.setLinearFactor( vectorOf( stored, "m_linearFactor" ) );
        body.setAngularFactor( vectorOf( stored, "m_angularFactor" ) );
        if ( !body.isStaticObject() )
        {
            body.setInvInertiaDiagLocal( vectorOf( stored, "m_invInertiaLocal" ) );
            body.updateInertiaTensor();
            body.setGravity( placeOf( stored, "m_gravity_acceleration" ) );
            body.setLinearVelocity( placeOf( stored, "m_linearVelocity" ) );
            body.setAngularVelocity( placeOf( stored, "m_angularVelocity" ) );
        }
    }

    World& m_world;
    const BulletFile& m_file;
    FileShapes m_shapes;
    FileBodies m_bodies;
};

/// "2 x soft body, 1 x constraint"
std::string textOf( const LeftOut& leftOut )
{
    std::vector<std::string> parts;
    for ( const auto& [what, count] : leftOut )
    {
        parts.push_back( fmt::format( "{} x {}", count, what ) );
    }
    return fmt::format( "{}", fmt::join( parts, ", " ) );
}

/// Without what scripts and gnuplot would take for separators.
std::string nameOf( const std::string& path )
{
    std::string name = std::filesystem::u8path( path ).stem().u8string();
    std::replace_if(
        name.begin(), name.end(), []( unsigned char c ) { return !std::isalnum( c ) && c < 128; }, '_' );
    return name;
}

btScalar reachOf( World& world )
{
    btScalar reach = 0;
    const btCollisionObjectArray& objects = world.bullet().getCollisionObjectArray();
    for ( int k = 0; k < objects.size(); ++k )
    {
        const btVector3 place = objects[k]->getWorldTransform().getOrigin().absolute();
        reach = std::max( reach, place[place.maxAxis()] );
    }
    return reach;
}

} // namespace

LeftOut addFile( const BulletFile& file, World& world )
{
    FileReader reader( file, world );
    reader.addAll();
    return reader.leftOut;
}

bool isWorldFile( const std::string& name )
{
    return std::filesystem::u8path( name ).extension() == ".bullet";
}

/// Fills a world at once, so that a damaged file is refused before anything runs.
WorldKind worldOfFile( const std::string& path )
{
    try
    {
        const auto file = std::make_shared<const BulletFile>( readBulletFile( path ) );
        World world( std::make_unique<CulletBroadphase>() );
        const LeftOut leftOut = addFile( *file, world );
        const int bodies = world.bullet().getNumCollisionObjects();
        if ( !leftOut.empty() )
        {
            fmt::print( stderr, "cullet: '{}': left out {}\n", path, textOf( leftOut ) );
        }
        if ( bodies == 0 )
        {
            throw BulletFileError( "has no bodies" );
        }
        WorldKind kind = { nameOf( path ), path, "a program's own world",
                           [file]( World& into, int ) { addFile( *file, into ); } };
        kind.bodies = bodies;
        kind.reach = reachOf( world );
        return kind;
    }
    catch ( const BulletFileError& error )
    {
        throw CLI::ValidationError( fmt::format( "'{}' {}", path, error.what() ) );
    }
}

} // namespace cullet::demo
