// SPDX-License-Identifier: Zlib
// CulletGImpactAlgorithm beside Bullet's: the same contact points in the same order, bit for bit, for pairs of shapes
// and in a world, also if rounding decides.
#include "CulletGImpactAlgorithm.h"
#include "tests/bullet/support/bullet_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <vector>

using namespace test;

namespace
{

// The elements of the dispatcher's pool have one size.
static_assert( sizeof( CulletGImpactAlgorithm ) == sizeof( btGImpactCollisionAlgorithm ), "no larger than Bullet's" );

using Numbers = std::vector<btScalar>;
using Register = void ( * )( btCollisionDispatcher* );

const btTransform here = btTransform::getIdentity();
const btVector3 tilted = btVector3( 1, btScalar( 0.3 ), btScalar( 0.2 ) ).normalized();

void append( const btVector3& vector, Numbers& numbers )
{
    numbers.insert( numbers.end(), { vector.x(), vector.y(), vector.z() } );
}

/// All contact points of bodies with CF_CUSTOM_MATERIAL_CALLBACK, in the order in which an algorithm adds them. A
/// manifold keeps at most four of them.
Numbers added;
constexpr std::size_t numbersPerPoint = 11;

bool noteAdded( btManifoldPoint& point, const btCollisionObjectWrapper*, int partA, int indexA,
                const btCollisionObjectWrapper*, int partB, int indexB )
{
    added.insert( added.end(), { btScalar( partA ), btScalar( indexA ), btScalar( partB ), btScalar( indexB ),
                                 point.getDistance() } );
    append( point.getPositionWorldOnA(), added );
    append( point.m_normalWorldOnB, added );
    return true;
}

/// A ring with bumps, in `partCount` parts; `time` moves the bumps.
struct Ring
{
    Ring( int around, int partCount, btScalar margin = btScalar( 0.01 ) ) : m_around( around )
    {
        m_vertices.resize( std::size_t( 3 * around * around ) );
        for ( int k = 0; k < around * around; ++k )
        {
            const int row = k / around * around, column = k % around;
            const int nextRow = ( row + around ) % ( around * around ), nextColumn = ( column + 1 ) % around;
            m_triangles.insert( m_triangles.end(), { row + column, row + nextColumn, nextRow + nextColumn, row + column,
                                                     nextRow + nextColumn, nextRow + column } );
        }
        for ( int part = 0; part < partCount; ++part )
        {
            btIndexedMesh mesh;
            mesh.m_numTriangles = 2 * around * around / partCount;
            mesh.m_triangleIndexBase =
                reinterpret_cast<const unsigned char*>( &m_triangles[std::size_t( 3 * part * mesh.m_numTriangles )] );
            mesh.m_triangleIndexStride = 3 * sizeof( int );
            mesh.m_numVertices = around * around;
            mesh.m_vertexBase = reinterpret_cast<const unsigned char*>( m_vertices.data() );
            mesh.m_vertexStride = 3 * sizeof( btScalar );
            m_arrays.addIndexedMesh( mesh );
        }
        move( 0 );
        build( margin );
    }

    /// Makes the shape, with a new tree.
    void build( btScalar margin )
    {
        m_shape.reset( new btGImpactMeshShape( &m_arrays ) );
        m_shape->setMargin( margin );
        m_shape->updateBound();
    }

    void move( btScalar time )
    {
        for ( std::size_t k = 0; k < m_vertices.size(); k += 3 )
        {
            const btScalar a = SIMD_2_PI * btScalar( int( k ) / 3 / m_around ) / btScalar( m_around );
            const btScalar b = SIMD_2_PI * btScalar( int( k ) / 3 % m_around ) / btScalar( m_around );
            const btScalar thickness = btScalar( 0.4 ) + btScalar( 0.06 ) * btSin( 7 * a + time ) * btSin( 5 * b );
            const btScalar radius = 1 + thickness * btCos( b );
            m_vertices[k] = radius * btCos( a );
            m_vertices[k + 1] = thickness * btSin( b );
            m_vertices[k + 2] = radius * btSin( a );
        }
    }

    void scale( const btVector3& factors )
    {
        m_shape->setLocalScaling( factors );
        m_shape->updateBound();
    }

    int m_around;
    Numbers m_vertices;
    std::vector<int> m_triangles;
    btTriangleIndexVertexArray m_arrays;
    std::unique_ptr<btGImpactMeshShape> m_shape;
};

/// A mesh of one triangle: the root of its tree is a leaf.
struct Single
{
    Single( const btVector3 ( &corners )[3], btScalar margin )
    {
        for ( int k = 0; k < 9; ++k )
        {
            m_corners[k] = corners[k / 3][k % 3];
        }
        m_shape.setMargin( margin );
        m_shape.updateBound();
    }

    btScalar m_corners[9];
    int m_indices[3] = { 0, 1, 2 };
    btTriangleIndexVertexArray m_arrays{ 1, m_indices, sizeof( m_indices ), 3, m_corners, 3 * sizeof( btScalar ) };
    btGImpactMeshShape m_shape{ &m_arrays };
};

struct Placed
{
    btCollisionShape& shape;
    btTransform place;
};

/// All contact points of two shapes, without a world.
Numbers contactsOf( Register registerAlgorithm, const Placed& first, const Placed& second )
{
    static btDefaultCollisionConfiguration configuration; // static, because making its pools takes long
    btCollisionDispatcher dispatcher( &configuration );
    registerAlgorithm( &dispatcher );
    btCollisionObject lower, upper;
    lower.setCollisionShape( &first.shape );
    lower.setWorldTransform( first.place );
    lower.setCollisionFlags( btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK );
    upper.setCollisionShape( &second.shape );
    upper.setWorldTransform( second.place );
    btCollisionObjectWrapper a( nullptr, &first.shape, &lower, lower.getWorldTransform(), -1, -1 );
    btCollisionObjectWrapper b( nullptr, &second.shape, &upper, upper.getWorldTransform(), -1, -1 );
    btManifoldResult result( &a, &b );
    btCollisionAlgorithm* algorithm = dispatcher.findAlgorithm( &a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS );
    added.clear();
    gContactAddedCallback = noteAdded;
    algorithm->processCollision( &a, &b, btDispatcherInfo(), &result );
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm( algorithm );
    return added;
}

/// \return the number of contact points
std::size_t expectSamePoints( const Placed& first, const Placed& second )
{
    const Numbers bullet = contactsOf( &btGImpactCollisionAlgorithm::registerAlgorithm, first, second );
    EXPECT_EQ( bullet, contactsOf( &CulletGImpactAlgorithm::registerAlgorithm, first, second ) );
    return bullet.size() / numbersPerPoint;
}

/// A plane, and bodies that fall on it.
class ConcaveWorld : public BulletWorld
{
public:
    explicit ConcaveWorld( Register registerAlgorithm ) : BulletWorld( makeRig( bulletDbvt ) )
    {
        registerAlgorithm( &dispatcher() );
        addTurned( shape<btStaticPlaneShape>( btVector3( 0, 1, 0 ), btScalar( 0 ) ), 0, btVector3( 0, 0, 0 ), 0 );
    }

    void addTurned( btCollisionShape& form, btScalar mass, const btVector3& origin, btScalar angle )
    {
        btRigidBody& body = add( mass, form, btTransform( btQuaternion( tilted, angle ), origin ) );
        body.setActivationState( DISABLE_DEACTIVATION );
        body.setCollisionFlags( body.getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK );
    }

    /// Runs a step. Returns the contact points as they were added, what the solver read and wrote, the bodies' motion.
    Numbers step()
    {
        added.clear();
        gContactAddedCallback = noteAdded;
        BulletWorld::step();
        Numbers state = added;
        for ( int k = 0; k < dispatcher().getNumManifolds(); ++k )
        {
            const btPersistentManifold& manifold = *dispatcher().getManifoldByIndexInternal( k );
            for ( int i = 0; i < manifold.getNumContacts(); ++i )
            {
                const btManifoldPoint& point = manifold.getContactPoint( i );
                append( point.m_positionWorldOnA, state );
                append( point.m_positionWorldOnB, state );
                state.insert( state.end(), { point.m_distance1, point.m_appliedImpulse } );
            }
        }
        for ( const btRigidBody* body : dynamicBodies() )
        {
            append( body->getWorldTransform().getOrigin(), state );
            append( body->getAngularVelocity(), state );
        }
        return state;
    }
};

/// Random numbers between -1 and 1.
struct RandomNumbers
{
    btScalar operator()()
    {
        return btScalar( int( engine() % 2001 ) - 1000 ) / 1000;
    }

    btVector3 vector()
    {
        const btScalar x = ( *this )(), y = ( *this )();
        return btVector3( x, y, ( *this )() );
    }

    btQuaternion turn()
    {
        const btVector3 axis = vector();
        return btQuaternion( axis.x(), axis.y(), axis.z(), btScalar( 1.1 ) + ( *this )() ).normalized();
    }

    std::mt19937 engine;
};

} // namespace

/// Contacts name the part of a mesh by its number, unless a body's shape is a single part. Meshes are scaled, have
/// triangles without area, and deform: an updated shape keeps the nodes of its tree, and their boxes change. Pairs with
/// a compound, a box or another shape that is neither mesh nor plane are left to Bullet.
TEST( GImpact, WorldsMatchBulletInEachStep )
{
    Ring parts( 24, 3 ), deforming( 32, 1 ), degenerate( 16, 1 );
    parts.scale( btVector3( btScalar( 1.2 ), btScalar( 0.8 ), 1 ) );
    for ( std::size_t k = 0; k < degenerate.m_vertices.size(); k += 48 )
    {
        std::copy_n( &degenerate.m_vertices[k], 3, &degenerate.m_vertices[k + 3] );
    }
    degenerate.build( btScalar( 0.06 ) );
    btGImpactMeshShapePart part( &parts.m_arrays, 1 );
    part.updateBound();
    btSphereShape ball( btScalar( 0.3 ) );
    btGImpactCompoundShape compound;
    compound.addChildShape( here, &ball );
    compound.updateBound();
    btBoxShape box( btVector3( btScalar( 0.3 ), btScalar( 0.3 ), btScalar( 0.3 ) ) );
    const btVector3 corners[3] = { { -1, 0, -1 }, { 1, 0, -1 }, { 0, 0, 1 } };
    Single leaf( corners, btScalar( 0.01 ) );

    ConcaveWorld bullet( &btGImpactCollisionAlgorithm::registerAlgorithm );
    ConcaveWorld cullet( &CulletGImpactAlgorithm::registerAlgorithm );
    for ( ConcaveWorld* world : { &bullet, &cullet } )
    {
        int number = 0;
        for ( btCollisionShape* shape : std::initializer_list<btCollisionShape*>{
                  parts.m_shape.get(), deforming.m_shape.get(), &part, degenerate.m_shape.get(), &compound, &box,
                  parts.m_shape.get(), &leaf.m_shape, degenerate.m_shape.get() } )
        {
            const btScalar height = btScalar( 0.7 ) + btScalar( 0.8 ) * btScalar( number );
            world->addTurned( *shape, 1, btVector3( btScalar( 0.3 ) * btScalar( number % 3 ), height, btScalar( 0.1 ) ),
                              btScalar( number ) );
            ++number;
        }
    }
    std::size_t most = 0;
    for ( int step = 0; step < 300; ++step )
    {
        deforming.move( btScalar( 0.05 ) * btScalar( step ) );
        deforming.m_shape->postUpdate();
        deforming.m_shape->updateBound();
        const Numbers state = bullet.step();
        ASSERT_EQ( state, cullet.step() ) << "step " << step;
        most = std::max( most, state.size() );
    }
    EXPECT_GT( most, 5000u );
}

/// The meshes have thousands of contacts, so that the tree walk needs many blocks. Their triangles lie in all relative
/// positions, also crossing and back to back, and margins are as large as triangles. If a transform has a NaN, no boxes
/// are found to be separate, so each triangle is tested against all.
TEST( GImpact, PairsOfMeshesMatchBullet )
{
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
    Ring fine( 60, 1, btScalar( 0.04 ) ), coarse( 16, 1, btScalar( 0.06 ) );
    for ( int k = 0; k < 5; ++k )
    {
        const btQuaternion turn( tilted, btScalar( 0.4 * k ) );
        const btTransform beside( turn, btVector3( btScalar( 0.03 ), btScalar( 0.02 * k ), 0 ) );
        const btTransform across( turn, btVector3( btScalar( 0.35 * k ), btScalar( 0.2 ), btScalar( 0.1 * k ) ) );
        const btTransform nowhere( turn, btVector3( nan, 0, 0 ) );
        EXPECT_GT( expectSamePoints( { *fine.m_shape, here }, { *fine.m_shape, beside } ), 2000u ) << k;
        EXPECT_GT( expectSamePoints( { *coarse.m_shape, across }, { *fine.m_shape, here } ), 100u ) << k;
        EXPECT_EQ( expectSamePoints( { *coarse.m_shape, nowhere }, { *coarse.m_shape, here } ), 0u ) << k;
    }
    // For a locked mesh on which updateBound() was never called, Bullet tests all triangles with all.
    btGImpactMeshShape withoutTree( &coarse.m_arrays );
    withoutTree.getMeshPart( 0 )->lockChildShapes();
    const btTransform beside( btQuaternion::getIdentity(), btVector3( btScalar( 0.3 ), btScalar( 0.2 ), 0 ) );
    EXPECT_GT( expectSamePoints( { withoutTree, here }, { withoutTree, beside } ), 0u );
    withoutTree.getMeshPart( 0 )->unlockChildShapes();
}

/// Planes of any orientation that the lowest vertices just touch or just miss, so that rounding decides. Each vertex is
/// the lowest for some plane; the number of vertices is not a multiple of four.
TEST( GImpact, PlanesAtTouchingDistanceMatchBullet )
{
    Ring ring( 11, 1 );
    ring.scale( btVector3( btScalar( 1.1 ), 1, btScalar( 0.9 ) ) );
    RandomNumbers random;
    int touching = 0;
    const int count = 1000;
    for ( int k = 0; k < count; ++k )
    {
        const btTransform place( random.turn(), 10 * random.vector() );
        const btVector3 normal = ( random.vector() + btVector3( 0, 0, btScalar( 1.1 ) ) ).normalized();
        btScalar lowest = BT_LARGE_FLOAT;
        for ( std::size_t i = 0; i < ring.m_vertices.size(); i += 3 )
        {
            const btVector3 vertex( ring.m_vertices[i], ring.m_vertices[i + 1], ring.m_vertices[i + 2] );
            lowest = btMin( lowest, normal.dot( place( vertex * ring.m_shape->getLocalScaling() ) ) );
        }
        btStaticPlaneShape plane( normal, 0 );
        const btScalar step = 2 * SIMD_EPSILON * btFabs( lowest );
        const btScalar height =
            lowest - ring.m_shape->getMeshPart( 0 )->getMargin() - plane.getMargin() + step * btScalar( k % 9 - 4 );
        const Placed mesh = { *ring.m_shape, place };
        const Placed ground = { plane, btTransform( btQuaternion::getIdentity(), normal * height ) };
        touching += ( k % 2 ? expectSamePoints( ground, mesh ) : expectSamePoints( mesh, ground ) ) > 0;
        ASSERT_FALSE( HasFailure() ) << k;
    }
    EXPECT_GT( touching, count / 4 );
    EXPECT_LT( touching, 3 * count / 4 );
}

/// Vertices in single and double precision, with and without other numbers between them, and with no memory behind the
/// last vertex.
template <typename Number>
void expectSameInLayouts( PHY_ScalarType type )
{
    Ring ring( 13, 1 );
    const btTransform turned( btQuaternion( btVector3( 0, 0, 1 ), btScalar( 0.3 ) ),
                              btVector3( 0, btScalar( 0.6 ), 0 ) );
    btStaticPlaneShape plane( btVector3( 0, 1, 0 ), 0 );
    for ( const std::size_t stride : { 3, 4, 5 } )
    {
        std::vector<Number> vertices( stride * ( ring.m_vertices.size() / 3 - 1 ) + 3, Number( -100 ) );
        for ( std::size_t k = 0; k < ring.m_vertices.size(); ++k )
        {
            vertices[k / 3 * stride + k % 3] = Number( ring.m_vertices[k] );
        }
        btIndexedMesh mesh = ring.m_arrays.getIndexedMeshArray()[0];
        mesh.m_vertexBase = reinterpret_cast<const unsigned char*>( vertices.data() );
        mesh.m_vertexStride = int( stride * sizeof( Number ) );
        mesh.m_vertexType = type;
        btTriangleIndexVertexArray arrays;
        arrays.addIndexedMesh( mesh, PHY_INTEGER );
        btGImpactMeshShape shape( &arrays );
        shape.setLocalScaling( btVector3( 1, btScalar( 1.3 ), btScalar( 0.7 ) ) );
        shape.updateBound();
        EXPECT_GT( expectSamePoints( { shape, turned }, { plane, here } ), 10u ) << stride;
        EXPECT_GT( expectSamePoints( { plane, here }, { shape, turned } ), 10u ) << stride;
        EXPECT_GT( expectSamePoints( { shape, turned }, { shape, here } ), 10u ) << stride;
    }
}

TEST( GImpact, AllVertexLayoutsMatchBullet )
{
    expectSameInLayouts<float>( PHY_FLOAT );
    expectSameInLayouts<double>( PHY_DOUBLE );
}

using TrianglePairs = std::vector<std::pair<int, int>>;

/// The pairs of triangles with overlapping boxes, ascending.
static TrianglePairs pairsOfCullet( const btGImpactBoxSet& tree, const btTransform& first, const btTransform& second )
{
    TrianglePairs pairs;
    CulletGImpactWalk walk( tree, first, tree, second );
    const auto addPairs = [&]( const CulletGImpactBlock& block )
    {
        for ( int k = 0; k < 4 * block.hitCount; ++k )
        {
            const CulletGImpactHit& hit = block.hits[k / 4];
            if ( hit.lanes >> ( k % 4 ) & 1 )
            {
                const int a = 2 * hit.nodes[0] + CulletGImpactLanes<0>::childIn( k % 4 );
                const int b = 2 * hit.nodes[1] + CulletGImpactLanes<1>::childIn( k % 4 );
                pairs.emplace_back( tree.getNodeData( block.children[0]->children[a] ),
                                    tree.getNodeData( block.children[1]->children[b] ) );
            }
        }
    };
    walk.findPairs( addPairs );
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

static TrianglePairs pairsOfBullet( const btGImpactBoxSet& tree, const btTransform& first, const btTransform& second )
{
    btPairSet found;
    btGImpactBoxSet::find_collision( &tree, first, &tree, second, found );
    TrianglePairs pairs;
    for ( int k = 0; k < found.size(); ++k )
    {
        pairs.emplace_back( found[k].m_index1, found[k].m_index2 );
    }
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

/// Boxes that just touch or just miss, so that the rounding of each operation of the test decides.
TEST( GImpact, BoxesAtTouchingDistanceMatchBullet )
{
    Ring ring( 5, 1 );
    const btScalar offset = btScalar( 2.7 ); // so that the sum of two coordinates is rounded
    for ( btScalar& coordinate : ring.m_vertices )
    {
        coordinate += offset;
    }
    ring.build( btScalar( 0.01 ) );
    ring.scale( btVector3( btScalar( 1.1 ), 1, btScalar( 0.9 ) ) );
    const btGImpactBoxSet& tree = *ring.m_shape->getMeshPart( 0 )->getBoxSet();
    const btTransform centred( btQuaternion::getIdentity(), -offset * ring.m_shape->getLocalScaling() );
    RandomNumbers random;
    int changes = 0;
    for ( int k = 0; k < 1000; ++k )
    {
        const btTransform first = btTransform( random.turn(), random.vector() ) * centred;
        const btTransform turned = btTransform( random.turn(), random.vector() ) * centred;
        const btVector3 way = 2 * random.vector();
        const auto at = [&]( btScalar part )
        { return btTransform( turned.getBasis(), turned.getOrigin() + part * way ); };
        btScalar near = random() / 4 + btScalar( 0.3 ), far = near + btScalar( 0.1 );
        const std::size_t nearCount = pairsOfBullet( tree, first, at( near ) ).size();
        for ( btScalar half = ( near + far ) / 2; near < half && half < far; half = ( near + far ) / 2 )
        {
            ( pairsOfBullet( tree, first, at( half ) ).size() == nearCount ? near : far ) = half;
        }
        for ( int step = -6; step <= 6; ++step )
        {
            const btTransform second = at( near + btScalar( step ) * SIMD_EPSILON / 8 );
            const TrianglePairs bullet = pairsOfBullet( tree, first, second );
            ASSERT_EQ( bullet, pairsOfCullet( tree, first, second ) ) << k << ", step " << step;
            changes += step > -6 && bullet.size() != nearCount;
        }
    }
    EXPECT_GT( changes, 1000 );
}

/// In a tree of one triangle the root is a leaf. For two roots Bullet tests fifteen separating axes, for other nodes
/// six, so boxes may be separate on an edge axis alone. GImpact makes contacts also for triangles far behind others.
TEST( GImpact, SingleTrianglesMatchBullet )
{
    const btVector3 corners[3] = { { -1, 0, btScalar( -0.2 ) }, { 1, btScalar( 0.1 ), 0 }, { 0, 0, btScalar( 0.2 ) } };
    Single single( corners, btScalar( 0.1 ) );
    RandomNumbers random;
    int touching = 0;
    for ( int k = 0; k < 6000; ++k )
    {
        const btTransform place( random.turn(), random.vector() );
        touching += expectSamePoints( { single.m_shape, here }, { single.m_shape, place } ) > 0;
        ASSERT_FALSE( HasFailure() ) << k;
    }
    EXPECT_GT( touching, 600 );
}
