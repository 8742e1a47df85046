// SPDX-License-Identifier: Zlib
// Two concave meshes, or one and a plane, without a world: the same pairs of boxes and the same contact points as
// Bullet's, in the same order, also if rounding decides, if there are many, and in every layout of vertices.
#include "concave_meshes.h"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

namespace
{

using namespace test;

typedef std::vector<std::pair<int, int>> TrianglePairs;

/// The pairs with overlapping boxes, ascending.
TrianglePairs pairsOfCullet( const btGImpactBoxSet& tree, const btTransform& first, const btTransform& second )
{
    TrianglePairs pairs;
    CulletGImpactWalk walk( tree, first, tree, second );
    walk.findPairs(
        [&]( const CulletGImpactBlock& block )
        {
            for ( int k = 0; k < block.meetingCount; ++k )
            {
                const CulletGImpactMeeting& meeting = block.meetings[k];
                for ( int lane = 0; lane < 4; ++lane )
                {
                    const int a = 2 * meeting.nodes[0] + CulletGImpactLanes<0>::childIn( lane );
                    const int b = 2 * meeting.nodes[1] + CulletGImpactLanes<1>::childIn( lane );
                    if ( ( meeting.lanes >> lane & 1 ) != 0 )
                    {
                        pairs.emplace_back( tree.getNodeData( block.children[0]->children[a] ),
                                            tree.getNodeData( block.children[1]->children[b] ) );
                    }
                }
            }
        } );
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

TrianglePairs pairsOfBullet( const btGImpactBoxSet& tree, const btTransform& first, const btTransform& second )
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

} // namespace

/// For a locked mesh on which updateBound() was never called, Bullet tests all triangles with all.
TEST( GImpact, MatchesBulletWithMeshesWithoutTrees )
{
    Ring ring( 12, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.getMeshPart( 0 )->lockChildShapes();
    const btTransform beside( btQuaternion::getIdentity(), btVector3( btScalar( 0.3 ), btScalar( 0.2 ), 0 ) );
    EXPECT_GT( expectSamePoints( { shape, btTransform::getIdentity() }, { shape, beside } ), 0u );
    shape.getMeshPart( 0 )->unlockChildShapes();
}

/// So many pairs that the walk takes many blocks: thousands of contacts, all in Bullet's order.
TEST( GImpact, KeepsBulletsOrderOfManyContacts )
{
    Ring ring( 60, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.setMargin( btScalar( 0.04 ) );
    shape.updateBound();
    for ( int k = 0; k < 5; ++k )
    {
        const btQuaternion turn( btVector3( 1, btScalar( 0.3 ), btScalar( 0.2 ) ).normalized(), btScalar( 0.4 * k ) );
        const btTransform beside( turn, btVector3( btScalar( 0.03 ), btScalar( 0.02 * k ), 0 ) );
        EXPECT_GT( expectSamePoints( { shape, btTransform::getIdentity() }, { shape, beside } ), 2000u ) << k;
    }
}

/// With a NaN no test separates boxes, so all triangles are tested with all.
TEST( GImpact, MatchesBulletWithNanPositions )
{
    Ring ring( 20, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.updateBound();
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
    const btTransform nowhere( btQuaternion::getIdentity(), btVector3( nan, 0, 0 ) );
    EXPECT_EQ( expectSamePoints( { shape, btTransform::getIdentity() }, { shape, nowhere } ), 0u );
    EXPECT_EQ( expectSamePoints( { shape, nowhere }, { shape, btTransform::getIdentity() } ), 0u );
}

/// Planes of any orientation that the lowest vertices just touch or just miss, so that rounding decides. Each vertex is
/// the lowest for some plane; the number of vertices is not a multiple of four.
TEST( GImpact, MatchesBulletWithPlanesAtTouchingDistance )
{
    Ring ring( 11, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.setLocalScaling( btVector3( btScalar( 1.1 ), 1, btScalar( 0.9 ) ) );
    shape.updateBound();
    int touching = 0;
    const int count = 1000;
    for ( int k = 0; k < count; ++k )
    {
        const btQuaternion turn(
            btVector3( btScalar( k % 7 - 3 ), btScalar( k % 11 - 5 ), btScalar( 0.5 ) ).normalized(),
            btScalar( 0.37 ) * btScalar( k ) );
        const btTransform place( turn, btVector3( btScalar( 10 * ( k % 5 ) ), btScalar( k % 3 ), btScalar( -k % 4 ) ) );
        const btVector3 normal =
            btVector3( btScalar( k % 13 - 6 ), btScalar( k % 17 - 8 ), btScalar( 0.3 ) ).normalized();
        btScalar lowest = BT_LARGE_FLOAT;
        for ( std::size_t i = 0; i < ring.m_vertices.size(); i += 3 )
        {
            const btVector3 vertex( ring.m_vertices[i], ring.m_vertices[i + 1], ring.m_vertices[i + 2] );
            lowest = btMin( lowest, normal.dot( place( vertex * shape.getLocalScaling() ) ) );
        }
        btStaticPlaneShape plane( normal, 0 );
        const btScalar step = 2 * SIMD_EPSILON * btFabs( lowest );
        const btScalar height =
            lowest - shape.getMeshPart( 0 )->getMargin() - plane.getMargin() + step * btScalar( k % 9 - 4 );
        const Placed mesh = { shape, place };
        const Placed ground = { plane, btTransform( btQuaternion::getIdentity(), normal * height ) };
        const Placed& first = k % 2 == 0 ? mesh : ground;
        const Placed& second = k % 2 == 0 ? ground : mesh;
        touching += expectSamePoints( first, second ) > 0 ? 1 : 0;
        ASSERT_FALSE( HasFailure() ) << k;
    }
    EXPECT_GT( touching, count / 4 );
    EXPECT_LT( touching, 3 * count / 4 );
}

/// Vertices in single and double precision, with and without other numbers between them, and with no memory behind the
/// last.
template <typename Number>
void expectSameInLayouts( PHY_ScalarType type )
{
    Ring ring( 13, 1 );
    const btTransform tilted( btQuaternion( btVector3( 0, 0, 1 ), btScalar( 0.3 ) ),
                              btVector3( 0, btScalar( 0.6 ), 0 ) );
    btStaticPlaneShape plane( btVector3( 0, 1, 0 ), 0 );
    for ( const std::size_t stride : { 3, 4, 5 } )
    {
        const std::size_t count = ring.m_vertices.size() / 3;
        std::vector<Number> vertices( stride * ( count - 1 ) + 3, Number( -100 ) );
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
        EXPECT_GT( expectSamePoints( { shape, tilted }, { plane, btTransform::getIdentity() } ), 10u ) << stride;
        EXPECT_GT( expectSamePoints( { plane, btTransform::getIdentity() }, { shape, tilted } ), 10u ) << stride;
        const btTransform beside( btQuaternion::getIdentity(), tilted.getOrigin() );
        EXPECT_GT( expectSamePoints( { shape, tilted }, { shape, beside } ), 10u ) << stride;
    }
}

TEST( GImpact, MatchesBulletInAllVertexLayouts )
{
    expectSameInLayouts<float>( PHY_FLOAT );
    expectSameInLayouts<double>( PHY_DOUBLE );
}

/// Boxes that just touch or just miss, so that rounding decides, in each operation of the test.
TEST( GImpact, MatchesBulletWithBoxesAtTouchingDistance )
{
    Ring ring( 5, 1 );
    const btScalar offset = btScalar( 2.7 ); // so that the sum of two coordinates is rounded
    for ( btScalar& coordinate : ring.m_vertices )
    {
        coordinate += offset;
    }
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.setLocalScaling( btVector3( btScalar( 1.1 ), 1, btScalar( 0.9 ) ) );
    shape.updateBound();
    const btGImpactBoxSet& tree = *shape.getMeshPart( 0 )->getBoxSet();
    std::mt19937 random( 11 );
    const auto number = [&] { return btScalar( int( random() % 2001 ) - 1000 ) / 1000; };
    const auto attitude = [&] { return btQuaternion( number(), number(), number(), btScalar( 1.1 ) + number() ); };
    const btVector3 middle = offset * shape.getLocalScaling();
    const auto around = [&]( const btQuaternion& turn, const btVector3& origin )
    { return btTransform( turn.normalized(), origin ) * btTransform( btQuaternion::getIdentity(), -middle ); };
    int changes = 0;
    for ( int k = 0; k < 1000; ++k )
    {
        const btTransform first = around( attitude(), btVector3( number(), number(), number() ) );
        const btTransform turned = around( attitude(), btVector3( number(), number(), number() ) );
        const btVector3 way( 2 * number(), 2 * number(), 2 * number() );
        const auto at = [&]( btScalar part )
        { return btTransform( turned.getBasis(), turned.getOrigin() + part * way ); };
        btScalar near = number() / 4 + btScalar( 0.3 );
        btScalar far = near + btScalar( 0.1 );
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
            changes += step > -6 && bullet.size() != nearCount ? 1 : 0;
        }
    }
    EXPECT_GT( changes, 1000 );
}

/// In a tree of one triangle the root is a leaf. At roots Bullet tests fifteen axes instead of six: boxes may be
/// separated on an edge axis alone, and GImpact makes contacts for triangles far behind each other.
TEST( GImpact, MatchesBulletWithSingleTriangles )
{
    const btVector3 corners[3] = { { -1, 0, btScalar( -0.2 ) }, { 1, btScalar( 0.1 ), 0 }, { 0, 0, btScalar( 0.2 ) } };
    Single single( corners, btScalar( 0.1 ) );
    int touching = 0;
    for ( int k = 0; k < 6000; ++k )
    {
        const btVector3 axis( btScalar( k % 7 - 3 ), btScalar( k % 11 - 5 ), btScalar( 0.5 ) );
        const btVector3 origin( btScalar( 0.1 ) * btScalar( k % 13 - 6 ), btScalar( 0.05 ) * btScalar( k % 29 - 14 ),
                                btScalar( 0.1 ) * btScalar( k % 19 - 9 ) );
        const Placed first = { single.m_shape, btTransform::getIdentity() };
        const Placed second = {
            single.m_shape,
            btTransform( btQuaternion( axis.normalized(), btScalar( 0.37 ) * btScalar( k ) ), origin ) };
        touching += expectSamePoints( first, second ) > 0 ? 1 : 0;
        ASSERT_FALSE( HasFailure() ) << k;
    }
    EXPECT_GT( touching, 600 );
}

/// Two corners of one triangle lie in the plane through the other's first edge, up to rounding. If one is within
/// Bullet's tolerance and the other just outside, clipping puts a corner far outside the triangle. There may then be a
/// contact although all corners lie beyond another edge's plane.
TEST( GImpact, MatchesBulletWithCornersInThePlaneOfAnEdge )
{
    std::mt19937 random( 7 );
    const auto number = [&] { return btScalar( int( random() % 2001 ) - 1000 ) / 1000; };
    int touching = 0;
    for ( int k = 0; k < 50'000; ++k )
    {
        btVector3 corners[6] = { { 0, 0, 0 } };
        corners[1] = btVector3( btScalar( 0.3 ) + btScalar( 0.2 ) * number(), 0, 0 );
        corners[2] = btVector3( btScalar( 0.3 ) * number(), 0, btScalar( 0.3 ) + btScalar( 0.2 ) * number() );
        for ( int corner = 3; corner < 6; ++corner )
        {
            corners[corner] = btVector3( number(), number() / 2, 0 );
        }
        corners[3 + random() % 3] = btVector3( number(), number(), number() );
        const btQuaternion turn( number(), number(), number(), btScalar( 1.1 ) + number() );
        const btTransform place( turn.normalized(), btVector3( number(), number(), number() ) );
        for ( btVector3& corner : corners )
        {
            corner = place( corner );
        }
        Single first( { corners[0], corners[1], corners[2] }, btScalar( 0.5 ) );
        Single second( { corners[3], corners[4], corners[5] }, btScalar( 0.5 ) );
        const btTransform here = btTransform::getIdentity();
        touching += expectSamePoints( { first.m_shape, here }, { second.m_shape, here } ) > 0 ? 1 : 0;
        ASSERT_FALSE( HasFailure() ) << k;
    }
    EXPECT_GT( touching, 10'000 );
}
