// SPDX-License-Identifier: Zlib
/// \file file_shapes.cpp
/// Sizes are set to the stored numbers without a calculation, so that boxes have the same bits as in the program that
/// wrote the file.
#include "file_shapes.h"

#include "file_values.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h"
#include "BulletCollision/CollisionShapes/btCapsuleShape.h"
#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "BulletCollision/CollisionShapes/btConeShape.h"
#include "BulletCollision/CollisionShapes/btConvexHullShape.h"
#include "BulletCollision/CollisionShapes/btCylinderShape.h"
#include "BulletCollision/CollisionShapes/btMultiSphereShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"

#include <climits>

namespace cullet::demo
{
namespace
{

constexpr int deepest = 32;                       ///< compounds within compounds
constexpr btScalar leastNormal = btScalar( 0.5 ); ///< length of a plane's normal

/// The part of a convex shape that all convex shapes have.
StoredStruct convexPart( const StoredStruct& stored )
{
    return stored.has( "m_convexInternalShapeData" ) ? stored.member( "m_convexInternalShapeData" ) : stored;
}

/// The part that all shapes have.
StoredStruct commonPart( const StoredStruct& stored )
{
    const StoredStruct part =
        stored.has( "m_trimeshShapeData" ) ? stored.member( "m_trimeshShapeData" ) : convexPart( stored );
    return part.has( "m_collisionShapeData" ) ? part.member( "m_collisionShapeData" ) : part;
}

/// A shape along an axis: 0, 1 or 2.
/// \tparam X, Y, Z  its classes by axis
template <typename X, typename Y, typename Z, typename... Sizes>
Y& makeAlong( World& world, int axis, Sizes... sizes )
{
    return axis == 0 ? world.make<X>( sizes... ) : axis == 1 ? world.make<Y>( sizes... ) : world.make<Z>( sizes... );
}

} // namespace

btCollisionShape* FileShapes::shapeAt( std::uint64_t address )
{
    const auto known = m_shapes.find( address );
    if ( known != m_shapes.end() )
    {
        return known->second;
    }
    const StoredBlock* block = m_file.blockAt( address );
    demandSound( block != nullptr, "a body has no shape" );
    demandSound( ++m_depth <= deepest, "compounds within compounds have no end" );
    btCollisionShape* shape = make( m_file.element( *block ) );
    --m_depth;
    m_shapes.emplace( address, shape );
    return shape;
}

btCollisionShape* FileShapes::make( const StoredStruct& stored )
{
    const int type = wholeOf( commonPart( stored ), "m_shapeType", 0, INT_MAX );
    switch ( type )
    {
    case SPHERE_SHAPE_PROXYTYPE:
        return makeSphere( stored );
    case BOX_SHAPE_PROXYTYPE:
    case CYLINDER_SHAPE_PROXYTYPE:
    case CONE_SHAPE_PROXYTYPE:
        return makeConvex( stored, type );
    case CAPSULE_SHAPE_PROXYTYPE:
        return makeCapsule( stored );
    case MULTI_SPHERE_SHAPE_PROXYTYPE:
        return makeSpheres( stored );
    case CONVEX_HULL_SHAPE_PROXYTYPE:
        return makeHull( stored );
    case STATIC_PLANE_PROXYTYPE:
        return makePlane( stored );
    case COMPOUND_SHAPE_PROXYTYPE:
        return makeCompound( stored );
    case TRIANGLE_MESH_SHAPE_PROXYTYPE:
        return makeMesh( stored );
    case SCALED_TRIANGLE_MESH_SHAPE_PROXYTYPE:
        return makeScaledMesh( stored );
    case GIMPACT_SHAPE_PROXYTYPE:
        return makeMovingMesh( stored );
    default:
        return nullptr;
    }
}

/// Only x is written.
btCollisionShape* FileShapes::makeSphere( const StoredStruct& stored )
{
    const StoredStruct size = stored.member( "m_implicitShapeDimensions" );
    auto& shape = m_world.make<btSphereShape>( lengthOf( size, "m_floats" ) );
    shape.setLocalScaling( scalingOf( stored, "m_localScaling" ) );
    return &shape;
}

/// Cones store their size without scaling, boxes and cylinders with it and without the margin.
btCollisionShape* FileShapes::makeConvex( const StoredStruct& stored, int type )
{
    const StoredStruct convex = convexPart( stored );
    const btVector3 size = placeOf( convex, "m_implicitShapeDimensions" );
    const bool isScaled = type == BOX_SHAPE_PROXYTYPE || type == CYLINDER_SHAPE_PROXYTYPE;
    btConvexInternalShape* shape = nullptr;
    if ( type == BOX_SHAPE_PROXYTYPE )
    {
        shape = &m_world.make<btBoxShape>( size );
    }
    else if ( type == CYLINDER_SHAPE_PROXYTYPE )
    {
        const int axis = wholeOf( stored, "m_upAxis", 0, 2 );
        shape = &makeAlong<btCylinderShapeX, btCylinderShape, btCylinderShapeZ>( m_world, axis, size );
    }
    else
    {
        const int axis = wholeOf( stored, "m_upIndex", 0, 2 );
        shape =
            &makeAlong<btConeShapeX, btConeShape, btConeShapeZ>( m_world, axis, size[axis == 0 ? 1 : 0], size[axis] );
    }
    shape->setMargin( lengthOf( convex, "m_collisionMargin" ) );
    shape->setLocalScaling( scalingOf( convex, "m_localScaling" ) );
    if ( isScaled )
    {
        shape->setImplicitShapeDimensions( size );
    }
    return shape;
}

/// Its size is stored with scaling, which also sets the margin: it is the radius.
btCollisionShape* FileShapes::makeCapsule( const StoredStruct& stored )
{
    const StoredStruct convex = convexPart( stored );
    const int axis = wholeOf( stored, "m_upAxis", 0, 2 );
    const btVector3 size = placeOf( convex, "m_implicitShapeDimensions" );
    const btVector3 scaling = scalingOf( convex, "m_localScaling" );
    const btVector3 plain = size / scaling;
    auto& shape = makeAlong<btCapsuleShapeX, btCapsuleShape, btCapsuleShapeZ>( m_world, axis, plain[( axis + 2 ) % 3],
                                                                               2 * plain[axis] );
    shape.setLocalScaling( scaling );
    shape.setImplicitShapeDimensions( size );
    return &shape;
}

btCollisionShape* FileShapes::makeSpheres( const StoredStruct& stored )
{
    const StoredStruct convex = convexPart( stored );
    const int count = wholeOf( stored, "m_localPositionArraySize", 1, INT_MAX );
    std::vector<btVector3> places;
    std::vector<btScalar> radii;
    for ( int k = 0; k < count; ++k )
    {
        const StoredStruct ball = stored.target( "m_localPositionArrayPtr", std::size_t( k ) );
        places.push_back( placeOf( ball, "m_pos" ) );
        radii.push_back( lengthOf( ball, "m_radius" ) );
    }
    auto& shape = m_world.make<btMultiSphereShape>( places.data(), radii.data(), count );
    shape.setMargin( lengthOf( convex, "m_collisionMargin" ) );
    shape.setLocalScaling( scalingOf( convex, "m_localScaling" ) );
    return &shape;
}

btCollisionShape* FileShapes::makeHull( const StoredStruct& stored )
{
    const StoredStruct convex = convexPart( stored );
    const int count = wholeOf( stored, "m_numUnscaledPoints", 1, INT_MAX );
    const bool isFloat = stored.address( "m_unscaledPointsFloatPtr" ) != 0;
    auto& shape = m_world.make<btConvexHullShape>();
    for ( int k = 0; k < count; ++k )
    {
        const StoredStruct point =
            stored.target( isFloat ? "m_unscaledPointsFloatPtr" : "m_unscaledPointsDoublePtr", std::size_t( k ) );
        shape.addPoint( placeOf( point ), false );
    }
    shape.setMargin( lengthOf( convex, "m_collisionMargin" ) );
    shape.setLocalScaling( scalingOf( convex, "m_localScaling" ) ); // also computes the bounds
    return &shape;
}

btCollisionShape* FileShapes::makePlane( const StoredStruct& stored )
{
    const btVector3 normal = placeOf( stored, "m_planeNormal" );
    demandSound( normal.length() >= leastNormal, "a plane has no normal" );
    auto& shape = m_world.make<btStaticPlaneShape>( normal, lengthOf( stored, "m_planeConstant" ) );
    shape.setLocalScaling( scalingOf( stored, "m_localScaling" ) );
    return &shape;
}

/// A compound without children is no shape.
btCollisionShape* FileShapes::makeCompound( const StoredStruct& stored )
{
    const int count = wholeOf( stored, "m_numChildShapes", 0, INT_MAX );
    auto& shape = m_world.make<btCompoundShape>();
    for ( int k = 0; k < count; ++k )
    {
        const StoredStruct child = stored.target( "m_childShapePtr", std::size_t( k ) );
        btCollisionShape* part = shapeAt( child.address( "m_childShape" ) );
        part == nullptr ? void( ++unknownChildren ) : shape.addChildShape( transformOf( child, "m_transform" ), part );
    }
    shape.setMargin( lengthOf( stored, "m_collisionMargin" ) );
    return shape.getNumChildShapes() > 0 ? &shape : nullptr;
}

} // namespace cullet::demo
