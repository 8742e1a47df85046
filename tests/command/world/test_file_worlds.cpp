// SPDX-License-Identifier: Zlib
// Worlds in .bullet files: they start with the bits of the program's world and move like it. Damaged files are refused.
#include "sample_world.h"

#include "demos/world/file_world.h"
#include "demos/world/world_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

namespace
{

using namespace cullet::demo;

/// The bytes of a sample's file.
std::string bytesOf( SampleWorld& sample )
{
    const std::string path = testing::TempDir() + "sample.bullet";
    sample.write( path );
    std::ifstream in( path, std::ios::binary );
    std::string bytes( std::istreambuf_iterator<char>( in ), {} );
    in.close();
    std::filesystem::remove( path );
    return bytes;
}

std::unique_ptr<World> emptyWorld( const char* broadphase = "dbvt" )
{
    return std::make_unique<World>( createBroadphase( broadphase, {} ) );
}

/// Pairs of indices of bodies.
std::set<std::pair<int, int>> pairsOf( btCollisionWorld& world )
{
    const btBroadphasePairArray& pairs = world.getPairCache()->getOverlappingPairArray();
    const auto indexOf = []( const btBroadphaseProxy* proxy )
    { return static_cast<const btCollisionObject*>( proxy->m_clientObject )->getWorldArrayIndex(); };
    std::set<std::pair<int, int>> result;
    for ( int k = 0; k < pairs.size(); ++k )
    {
        result.insert( std::minmax( indexOf( pairs[k].m_pProxy0 ), indexOf( pairs[k].m_pProxy1 ) ) );
    }
    return result;
}

void expectEqual( const btVector3& expected, const btVector3& actual, const std::string& what )
{
    EXPECT_TRUE( expected == actual ) << what << ": " << expected.x() << " " << expected.y() << " " << expected.z()
                                      << ", not " << actual.x() << " " << actual.y() << " " << actual.z();
}

void expectEqual( const btRigidBody& expected, const btRigidBody& actual, const std::string& what )
{
    EXPECT_NEAR( expected.getInvMass(), actual.getInvMass(), 1e-6 ) << what;
    EXPECT_EQ( expected.getLinearDamping(), actual.getLinearDamping() ) << what;
    EXPECT_EQ( expected.getAngularDamping(), actual.getAngularDamping() ) << what;
    expectEqual( expected.getInvInertiaDiagLocal(), actual.getInvInertiaDiagLocal(), what + " inertia" );
    expectEqual( expected.getLinearVelocity(), actual.getLinearVelocity(), what + " velocity" );
    expectEqual( expected.getAngularVelocity(), actual.getAngularVelocity(), what + " spin" );
    expectEqual( expected.getGravity(), actual.getGravity(), what + " gravity" );
    expectEqual( expected.getLinearFactor(), actual.getLinearFactor(), what + " factor" );
}

/// Expects equal objects: motion, flags, filters and boxes.
void expectEqual( const btCollisionObject& expected, const btCollisionObject& actual, const std::string& what )
{
    EXPECT_TRUE( expected.getWorldTransform() == actual.getWorldTransform() ) << what;
    EXPECT_EQ( expected.getCollisionFlags(), actual.getCollisionFlags() ) << what;
    EXPECT_EQ( expected.getActivationState(), actual.getActivationState() ) << what;
    EXPECT_EQ( expected.getFriction(), actual.getFriction() ) << what;
    EXPECT_EQ( expected.getRestitution(), actual.getRestitution() ) << what;
    const btBroadphaseProxy &one = *expected.getBroadphaseHandle(), &other = *actual.getBroadphaseHandle();
    EXPECT_EQ( one.m_collisionFilterGroup, other.m_collisionFilterGroup ) << what;
    EXPECT_EQ( one.m_collisionFilterMask, other.m_collisionFilterMask ) << what;
    btVector3 lower, upper, fileLower, fileUpper;
    expected.getCollisionShape()->getAabb( expected.getWorldTransform(), lower, upper );
    actual.getCollisionShape()->getAabb( actual.getWorldTransform(), fileLower, fileUpper );
    expectEqual( lower, fileLower, what + " lower corner" );
    expectEqual( upper, fileUpper, what + " upper corner" );
    ASSERT_EQ( btRigidBody::upcast( &expected ) == nullptr, btRigidBody::upcast( &actual ) == nullptr ) << what;
    if ( btRigidBody::upcast( &expected ) != nullptr )
    {
        expectEqual( *btRigidBody::upcast( &expected ), *btRigidBody::upcast( &actual ), what );
    }
}

void expectEqualObjects( btCollisionWorld& expected, btCollisionWorld& actual )
{
    ASSERT_EQ( expected.getNumCollisionObjects(), actual.getNumCollisionObjects() );
    for ( int k = 0; k < expected.getNumCollisionObjects(); ++k )
    {
        const btCollisionObject& object = *expected.getCollisionObjectArray()[k];
        expectEqual( object, *actual.getCollisionObjectArray()[k],
                     std::to_string( k ) + ", " + object.getCollisionShape()->getName() );
    }
}

TEST( FileWorlds, StartLikeTheProgramsWorld )
{
    SampleWorld sample( 30 );
    const BulletFile file( bytesOf( sample ) );
    const auto world = emptyWorld();
    EXPECT_TRUE( addFile( file, *world ).empty() );
    expectEqual( sample.bullet().getGravity(), world->bullet().getGravity(), "gravity" );
    expectEqualObjects( sample.bullet(), world->bullet() );
    ASSERT_EQ( sample.bullet().getNumConstraints(), world->bullet().getNumConstraints() );
    for ( int k = 0; k < sample.bullet().getNumConstraints(); ++k )
    {
        const btTypedConstraint& expected = *sample.bullet().getConstraint( k );
        const btTypedConstraint& constraint = *world->bullet().getConstraint( k );
        EXPECT_EQ( expected.getConstraintType(), constraint.getConstraintType() );
        EXPECT_EQ( expected.isEnabled(), constraint.isEnabled() );
        EXPECT_EQ( expected.getRigidBodyA().getWorldArrayIndex(), constraint.getRigidBodyA().getWorldArrayIndex() );
        EXPECT_EQ( expected.getRigidBodyB().getWorldArrayIndex(), constraint.getRigidBodyB().getWorldArrayIndex() );
    }
}

TEST( FileWorlds, HaveThePairsOfTheProgramsWorld )
{
    SampleWorld sample( 30 );
    const BulletFile file( bytesOf( sample ) );
    const auto world = emptyWorld();
    addFile( file, *world );
    sample.bullet().performDiscreteCollisionDetection();
    world->bullet().performDiscreteCollisionDetection();
    const auto pairs = pairsOf( sample.bullet() );
    EXPECT_LT( 60u, pairs.size() );
    EXPECT_EQ( pairs, pairsOf( world->bullet() ) );
}

/// Bodies that touch others differ by centimetres, because Bullet's solver takes contacts in the order of the pairs.
/// Joined bodies touch no others.
TEST( FileWorlds, MoveLikeTheProgramsWorld )
{
    constexpr int steps = 60;
    constexpr btScalar tolerance = btScalar( 0.12 ), joinedTolerance = btScalar( 0.001 );
    SampleWorld sample( 30 );
    const BulletFile file( bytesOf( sample ) );
    const auto world = emptyWorld();
    addFile( file, *world );
    world->bullet().getSolverInfo() = sample.bullet().getSolverInfo();
    for ( int step = 0; step < steps; ++step )
    {
        sample.bullet().stepSimulation( stepSeconds, 0 );
        world->bullet().stepSimulation( stepSeconds, 0 );
    }
    for ( int k = 0; k < sample.bullet().getNumCollisionObjects(); ++k )
    {
        const btCollisionObject& object = *sample.bullet().getCollisionObjectArray()[k];
        const btTransform& expected = object.getWorldTransform();
        const btTransform& actual = world->bullet().getCollisionObjectArray()[k]->getWorldTransform();
        const btRigidBody* body = btRigidBody::upcast( &object );
        const bool isJoined = body != nullptr && body->getNumConstraintRefs() > 0;
        const btVector3 way = actual.getOrigin() - expected.getOrigin();
        EXPECT_GT( isJoined ? joinedTolerance : tolerance, way.length() ) << k;
        EXPECT_GT( isJoined ? joinedTolerance : SIMD_2_PI,
                   actual.getRotation().angleShortestPath( expected.getRotation() ) )
            << k;
    }
}

TEST( FileWorlds, OverAllBroadphasesStartWithTheSameBits )
{
    SampleWorld sample( 30 );
    const BulletFile file( bytesOf( sample ) );
    for ( const std::string& name : broadphaseNames() )
    {
        const auto world = emptyWorld( name.c_str() );
        addFile( file, *world );
        expectEqualObjects( sample.bullet(), world->bullet() );
        EXPECT_LT( 60, world->step().pairs ) << name;
    }
}

TEST( FileWorlds, CountWhatTheyLeaveOut )
{
    SampleWorld sample( 1 );
    btEmptyShape unknown;
    btRigidBody body( 1, nullptr, &unknown ), other( 1, nullptr, &unknown );
    btPoint2PointConstraint joint( body, other, btVector3( 0, 0, 0 ), btVector3( 0, 0, 0 ) );
    sample.bullet().addRigidBody( &body );
    sample.bullet().addRigidBody( &other );
    sample.bullet().addConstraint( &joint );
    const std::string path = testing::TempDir() + "left_out.bullet";
    sample.write( path );
    testing::internal::CaptureStderr();
    const WorldKind kind = worldOfFile( path );
    EXPECT_EQ( "cullet: '" + path + "': left out 2 x body of an unknown shape, 1 x constraint\n",
               testing::internal::GetCapturedStderr() );
    EXPECT_EQ( sample.bullet().getNumCollisionObjects() - 2, kind.bodies );
    std::filesystem::remove( path );
    sample.bullet().removeConstraint( &joint );
    sample.bullet().removeRigidBody( &body );
    sample.bullet().removeRigidBody( &other );
}

// ----------------------------------------------------------------------------------------------------- damaged files

/// What is wrong with a file; empty if it makes a world that can be stepped.
std::string damageOf( std::string bytes )
{
    try
    {
        const BulletFile file( std::move( bytes ) );
        const auto world = emptyWorld( "sap" ); // the broadphase that trusts boxes most
        addFile( file, *world );
        world->step();
        return "";
    }
    catch ( const BulletFileError& error )
    {
        return error.what();
    }
}

TEST( FileWorlds, AreRefusedIfCutOffAnywhere )
{
    SampleWorld sample( 1 );
    const std::string bytes = bytesOf( sample );
    EXPECT_EQ( "", damageOf( bytes ) );
    for ( std::size_t size = 6; size < bytes.size(); ++size )
    {
        ASSERT_EQ( "is cut off", damageOf( bytes.substr( 0, size ) ) ) << size;
    }
    EXPECT_EQ( "is not a file of Bullet", damageOf( "" ) );
    EXPECT_EQ( "is not a file of Bullet", damageOf( "BULLE" ) );
}

TEST( FileWorlds, AreRefusedIfANumberIsNotFinite )
{
    SampleWorld sample( 1 );
    std::string bytes = bytesOf( sample );
    const btScalar restitution = btScalar( 0.43 ), notFinite = NAN;
    const std::size_t at =
        bytes.find( std::string( reinterpret_cast<const char*>( &restitution ), sizeof restitution ) );
    ASSERT_NE( std::string::npos, at );
    bytes.replace( at, sizeof notFinite, reinterpret_cast<const char*>( &notFinite ), sizeof notFinite );
    EXPECT_EQ( "is damaged: m_restitution is not finite", damageOf( bytes ) );
}

/// Changes bytes in copies, and returns how many copies are refused. There is no checksum in a file, so that many
/// changes just make another world.
int countRefused( const std::string& bytes, std::size_t first, std::size_t end, int copies )
{
    std::mt19937 random( 1 );
    int refused = 0;
    for ( int copy = 0; copy < copies; ++copy )
    {
        std::string changed = bytes;
        for ( int change = 0; change < 1 + copy % 3; ++change )
        {
            constexpr unsigned char extremes[] = { 0x00, 0xff, 0x7f, 0x80 };
            const std::size_t at = first + random() % ( end - first );
            const std::uint32_t kind = random() % 8;
            changed[at] = char( kind < 4 ? extremes[kind] : changed[at] ^ char( 1u << random() % 8 ) );
        }
        const std::string damage = damageOf( changed );
        refused += !damage.empty();
        EXPECT_EQ( 0u, damage.empty() ? 0u : damage.find( "is " ) * damage.find( "has " ) ) << damage;
        EXPECT_EQ( std::string::npos, damage.find( '\n' ) );
    }
    return refused;
}

TEST( FileWorlds, WithChangedBytesAreRefusedOrCanBeStepped )
{
    constexpr int copies = 3000;
    SampleWorld sample( 2 );
    const std::string bytes = bytesOf( sample );
    const std::size_t types = bytes.find( "SDNANAME" );
    EXPECT_LT( copies / 20, countRefused( bytes, 0, types, copies ) ); // blocks
    EXPECT_LT( copies / 20, countRefused( bytes, types, bytes.size(), copies ) );
}

TEST( FileWorlds, AreRefusedIfACompoundContainsItself )
{
    SampleWorld sample( 1 );
    const std::string bytes = bytesOf( sample );
    const BulletFile file( bytes );
    // Where a compound's child is named, names the compound.
    for ( const StoredBlock& block : file.blocks() )
    {
        const StoredBlock* child = nullptr;
        if ( block.code == BT_SHAPE_CODE && file.element( block ).has( "m_childShapePtr" ) )
        {
            child = file.blockAt( file.element( block ).address( "m_childShapePtr" ) );
        }
        if ( child != nullptr )
        {
            std::string changed = bytes;
            const std::uint64_t named = file.element( *child ).address( "m_childShape" );
            const std::string from( reinterpret_cast<const char*>( &named ), sizeof( void* ) );
            const std::size_t at = changed.find( from, child->offset );
            ASSERT_NE( std::string::npos, at );
            changed.replace( at, sizeof( void* ), reinterpret_cast<const char*>( &block.address ), sizeof( void* ) );
            EXPECT_EQ( "is damaged: compounds within compounds have no end", damageOf( changed ) );
        }
    }
}

} // namespace
