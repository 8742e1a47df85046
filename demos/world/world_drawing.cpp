// SPDX-License-Identifier: Zlib
#include "world_drawing.h"

#include "kinds.h"

#include "demos/mesh/mesh_drawing.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btCapsuleShape.h"
#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "BulletCollision/CollisionShapes/btConcaveShape.h"
#include "BulletCollision/CollisionShapes/btShapeHull.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"
#include "BulletCollision/CollisionShapes/btTriangleCallback.h"

namespace cullet::demo
{
namespace
{

using render::Colour;
using render::Drawing;

btVector3 light( double red, double green, double blue )
{
    return btVector3( btScalar( red ), btScalar( green ), btScalar( blue ) );
}

const std::array<btVector3, 7> bodyLights = {
    light( 0.807, 0.223, 0.012 ), light( 0.048, 0.216, 0.672 ), light( 0.065, 0.434, 0.138 ), light( 0.42, 0.11, 0.45 ),
    light( 0.73, 0.53, 0.06 ),    light( 0.03, 0.4, 0.42 ),     light( 0.6, 0.07, 0.1 ) };
const btVector3 staticLight = light( 0.45, 0.45, 0.42 );

/// Turns y into another axis.
btQuaternion turnOf( int upAxis )
{
    const btVector3 axes[] = { btVector3( 0, 0, -1 ), btVector3( 1, 0, 0 ), btVector3( 1, 0, 0 ) };
    return btQuaternion( axes[upAxis], upAxis == 1 ? btScalar( 0 ) : SIMD_HALF_PI );
}

void drawCapsule( const btCapsuleShape& capsule, const btTransform& transform, Colour colour, Drawing& drawing )
{
    const btScalar radius = capsule.getRadius(), half = capsule.getHalfHeight();
    const btTransform upright = transform * btTransform( turnOf( capsule.getUpAxis() ) );
    drawing.add( render::cylinder, upright, btVector3( radius, half, radius ), colour );
    for ( const btScalar end : { -half, half } )
    {
        drawing.add( render::sphere, upright * btTransform( btQuaternion::getIdentity(), btVector3( 0, end, 0 ) ),
                     btVector3( radius, radius, radius ), colour );
    }
}

class TriangleCollector : public btTriangleCallback
{
public:
    void processTriangle( btVector3* corners, int, int ) override
    {
        points.insert( points.end(), corners, corners + 3 );
    }

    std::vector<btVector3> points;
};

/// Two triangles of a plane that is not the ground, around the point that is next to the origin of its shape.
std::vector<btVector3> trianglesOfPlane( const btStaticPlaneShape& plane )
{
    constexpr btScalar halfSize = 100; // metres
    const btVector3& normal = plane.getPlaneNormal();
    const btVector3 centre = normal * plane.getPlaneConstant();
    btVector3 x, y;
    btPlaneSpace1( normal, x, y );
    x *= halfSize;
    y *= halfSize;
    return { centre - x - y, centre + x - y, centre + x + y, centre - x - y, centre + x + y, centre - x + y };
}

/// Whether it is the plane y = 0, which a picture shows as ground.
bool isGround( const btCollisionShape& shape, const btTransform& transform )
{
    if ( shape.getShapeType() != STATIC_PLANE_PROXYTYPE )
    {
        return false;
    }
    const auto& plane = static_cast<const btStaticPlaneShape&>( shape );
    const btVector3 normal = transform.getBasis() * plane.getPlaneNormal();
    const btVector3 point = transform * ( plane.getPlaneNormal() * plane.getPlaneConstant() );
    return btFuzzyZero( normal.x() ) && btFuzzyZero( normal.z() ) && btFuzzyZero( point.y() );
}

/// Three points for each triangle, in the frame of the shape.
std::vector<btVector3> trianglesOf( const btCollisionShape& shape )
{
    if ( shape.getShapeType() == STATIC_PLANE_PROXYTYPE )
    {
        return trianglesOfPlane( static_cast<const btStaticPlaneShape&>( shape ) );
    }
    TriangleCollector collector;
    if ( shape.isConcave() )
    {
        const btVector3 everything( BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
        static_cast<const btConcaveShape&>( shape ).processAllTriangles( &collector, -everything, everything );
    }
    else if ( shape.isConvex() )
    {
        btShapeHull hull( static_cast<const btConvexShape*>( &shape ) );
        hull.buildHull( shape.getMargin() );
        for ( int k = 0; k < hull.numIndices(); ++k )
        {
            collector.points.push_back( hull.getVertexPointer()[hull.getIndexPointer()[k]] );
        }
    }
    return collector.points;
}

void drawCloths( const btSoftRigidDynamicsWorld& world, Drawing& drawing )
{
    for ( int k = 0; k < world.getSoftBodyArray().size(); ++k )
    {
        const mesh::Mesh cloth = clothMesh( *world.getSoftBodyArray()[k] );
        mesh::addMesh( cloth, crossingsOf( cloth ), std::size_t( k ), drawing );
    }
}

} // namespace

/// One of seven colours by the shape, and of seven shades by the index.
btVector3 WorldDrawer::lightOf( const btCollisionObject& object )
{
    const std::size_t shape = m_shapes.emplace( object.getCollisionShape(), m_shapes.size() ).first->second;
    const double shade = 0.72 + 0.08 * ( object.getWorldArrayIndex() * 5 % 7 );
    return btScalar( shade ) * bodyLights[shape % bodyLights.size()];
}

/// Called for all bodies in the order of their indices.
Colour WorldDrawer::colourOf( const btCollisionObject& object )
{
    const auto index = std::size_t( object.getWorldArrayIndex() );
    if ( index == m_colours.size() )
    {
        m_colours.push_back( render::colourOf( object.isStaticObject() ? staticLight : lightOf( object ) ) );
    }
    return m_colours[index];
}

void WorldDrawer::drawTriangles( const btCollisionShape& shape, const btTransform& transform, Colour colour,
                                 Drawing& drawing )
{
    const auto [known, isNew] = m_triangles.emplace( &shape, std::vector<btVector3>() );
    if ( isNew )
    {
        known->second = trianglesOf( shape );
    }
    for ( const btVector3& point : known->second )
    {
        drawing.triangles.push_back( { render::floats( transform * point ), colour } );
    }
}

void WorldDrawer::drawShape( const btCollisionShape& shape, const btTransform& transform, Colour colour,
                             Drawing& drawing )
{
    switch ( shape.getShapeType() )
    {
    case BOX_SHAPE_PROXYTYPE:
        return drawing.add( render::box, transform, static_cast<const btBoxShape&>( shape ).getHalfExtentsWithMargin(),
                            colour );
    case SPHERE_SHAPE_PROXYTYPE:
    {
        const btScalar radius = static_cast<const btSphereShape&>( shape ).getRadius();
        return drawing.add( render::sphere, transform, btVector3( radius, radius, radius ), colour );
    }
    case CAPSULE_SHAPE_PROXYTYPE:
        return drawCapsule( static_cast<const btCapsuleShape&>( shape ), transform, colour, drawing );
    case COMPOUND_SHAPE_PROXYTYPE:
    {
        const auto& compound = static_cast<const btCompoundShape&>( shape );
        for ( int k = 0; k < compound.getNumChildShapes(); ++k )
        {
            drawShape( *compound.getChildShape( k ), transform * compound.getChildTransform( k ), colour, drawing );
        }
        return;
    }
    default:
        return drawTriangles( shape, transform, colour, drawing );
    }
}

void WorldDrawer::draw( World& world, Drawing& drawing )
{
    drawing.hasShadows = true;
    const btCollisionObjectArray& objects = world.bullet().getCollisionObjectArray();
    for ( int k = 0; k < objects.size(); ++k )
    {
        const Colour colour = colourOf( *objects[k] );
        const btCollisionShape& shape = *objects[k]->getCollisionShape();
        if ( isGround( shape, objects[k]->getWorldTransform() ) )
        {
            drawing.hasGround = true;
        }
        else if ( btSoftBody::upcast( objects[k] ) == nullptr )
        {
            drawShape( shape, objects[k]->getWorldTransform(), colour, drawing );
        }
    }
    if ( world.soft() != nullptr )
    {
        drawCloths( *world.soft(), drawing );
    }
}

} // namespace cullet::demo
