// SPDX-License-Identifier: Zlib
/// \file CulletGImpactAlgorithm.h
/// Collides moving concave meshes (btGImpactMeshShape) with each other, faster than Bullet's own algorithm and with the
/// same contact points. One line changes:
///
///     CulletGImpactAlgorithm::registerAlgorithm( &dispatcher );   // was: btGImpactCollisionAlgorithm::...
///
/// This class finds the triangles that may touch. Bullet's own function computes their contacts, and they are added in
/// Bullet's order, so that the same points reach the solver, bit for bit. Vertices beneath a plane are found here too.
/// GImpact with any other shape, a box or a height field, is left to Bullet.
///
/// A cltMeshSet would not find these pairs: GImpact also makes contacts for triangles that do not intersect, if their
/// boxes in the bodies' own axes overlap. And updating 40,000 moved triangles alone takes longer than all of Bullet's
/// step. So Bullet's trees are walked, which rotate with their bodies.
///
/// It consists of headers alone, and none of the plugin's sources includes them: a program that does not use GImpact
/// need not link GImpact. If fused multiply-add (-march=native) is used to compile this but not Bullet, the last bits
/// may differ; -ffp-contract=off keeps them equal.
#ifndef CULLET_GIMPACT_ALGORITHM_H
#define CULLET_GIMPACT_ALGORITHM_H

#include "gimpact/CulletGImpactContacts.h"
#include "gimpact/CulletGImpactPlane.h"

#include "BulletCollision/CollisionDispatch/btManifoldResult.h"
#include "BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h"

/// No larger than Bullet's class: the elements of the dispatcher's pool have one size.
class CulletGImpactAlgorithm : public btGImpactCollisionAlgorithm
{
public:
    using btGImpactCollisionAlgorithm::btGImpactCollisionAlgorithm;

    /// Registers this algorithm for all pairs with a GImpact shape. May be called for several dispatchers. As with
    /// Bullet's algorithm, two threads must not use the same mesh at a time: its lock count is not atomic.
    static void registerAlgorithm( btCollisionDispatcher* dispatcher )
    {
        static CreateFunc create;
        for ( int type = 0; type < MAX_BROADPHASE_COLLISION_TYPES; ++type )
        {
            dispatcher->registerCollisionCreateFunc( GIMPACT_SHAPE_PROXYTYPE, type, &create );
            dispatcher->registerCollisionCreateFunc( type, GIMPACT_SHAPE_PROXYTYPE, &create );
        }
    }

    /// Adds the contacts of two bodies to `result`.
    void processCollision( const btCollisionObjectWrapper* bodyA, const btCollisionObjectWrapper* bodyB,
                           const btDispatcherInfo& dispatchInfo, btManifoldResult* result ) override
    {
        const btGImpactShapeInterface* shapeA = meshOf( *bodyA );
        const btGImpactShapeInterface* shapeB = meshOf( *bodyB );
        if ( ( shapeA == nullptr && !isPlane( *bodyA ) ) || ( shapeB == nullptr && !isPlane( *bodyB ) ) )
        {
            btGImpactCollisionAlgorithm::processCollision( bodyA, bodyB, dispatchInfo, result );
            return;
        }
        clearCache();
        m_resultOut = result;
        m_dispatchInfo = &dispatchInfo;
        if ( shapeA == nullptr )
        {
            collideWithPlane( *bodyB, *bodyA, *shapeB, m_part1, true );
        }
        else if ( shapeB == nullptr )
        {
            collideWithPlane( *bodyA, *bodyB, *shapeA, m_part0, false );
        }
        else
        {
            collideMeshes( *bodyA, *bodyB, *shapeA, *shapeB );
        }
        if ( getLastManifold() != nullptr )
        {
            m_resultOut->refreshContactPoints(); // as Bullet does, for gContactProcessedCallback
        }
    }

    struct CreateFunc : btCollisionAlgorithmCreateFunc
    {
        btCollisionAlgorithm* CreateCollisionAlgorithm( btCollisionAlgorithmConstructionInfo& info,
                                                        const btCollisionObjectWrapper* bodyA,
                                                        const btCollisionObjectWrapper* bodyB ) override
        {
            void* memory = info.m_dispatcher1->allocateCollisionAlgorithm( sizeof( CulletGImpactAlgorithm ) );
            return new ( memory ) CulletGImpactAlgorithm( info, bodyA, bodyB );
        }
    };

private:
    typedef CulletGImpactContacts::Mesh Mesh;

    /// \return NULL if the shape is not a GImpact mesh, for example a GImpact compound
    static const btGImpactShapeInterface* meshOf( const btCollisionObjectWrapper& body )
    {
        if ( body.getCollisionShape()->getShapeType() != GIMPACT_SHAPE_PROXYTYPE )
        {
            return nullptr;
        }
        const auto* shape = static_cast<const btGImpactShapeInterface*>( body.getCollisionShape() );
        return shape->getGImpactShapeType() == CONST_GIMPACT_COMPOUND_SHAPE ? nullptr : shape;
    }

    static bool isPlane( const btCollisionObjectWrapper& body )
    {
        return body.getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE;
    }

    /// Calls `visit( part )` for each part of a mesh, the last one first as in Bullet.
    /// \param number  set to the number of the visited part, and to -1 at the end; unchanged if the shape is a single
    ///                part
    template <typename Visit>
    static void forEachPart( const btGImpactShapeInterface& shape, int& number, const Visit& visit )
    {
        if ( shape.getGImpactShapeType() == CONST_GIMPACT_TRIMESH_SHAPE_PART )
        {
            visit( static_cast<const btGImpactMeshShapePart&>( shape ) );
            return;
        }
        const auto& mesh = static_cast<const btGImpactMeshShape&>( shape );
        for ( number = mesh.getMeshPartCount() - 1; number >= 0; --number )
        {
            visit( *mesh.getMeshPart( number ) );
        }
    }

    /// \param number   set to the number of the mesh's part
    /// \param swapped  the plane is the first of the two bodies
    void collideWithPlane( const btCollisionObjectWrapper& body, const btCollisionObjectWrapper& planeBody,
                           const btGImpactShapeInterface& shape, int& number, bool swapped )
    {
        const auto& planeShape = static_cast<const btStaticPlaneShape&>( *planeBody.getCollisionShape() );
        forEachPart( shape, number,
                     [&]( const btGImpactMeshShapePart& part )
                     {
                         part.lockChildShapes();
                         const CulletGImpactPlane plane( planeShape, planeBody.getWorldTransform(), part,
                                                         body.getWorldTransform() );
                         plane.forEachVertexBeneath(
                             [&]( const btVector3& vertex, btScalar distance )
                             {
                                 addContactPoint( swapped ? &planeBody : &body, swapped ? &body : &planeBody, vertex,
                                                  swapped ? -plane.normal() : plane.normal(), distance );
                             } );
                         part.unlockChildShapes();
                     } );
    }

    void collideMeshes( const btCollisionObjectWrapper& bodyA, const btCollisionObjectWrapper& bodyB,
                        const btGImpactShapeInterface& shapeA, const btGImpactShapeInterface& shapeB )
    {
        forEachPart( shapeA, m_part0,
                     [&]( const btGImpactMeshShapePart& partA )
                     {
                         forEachPart( shapeB, m_part1,
                                      [&]( const btGImpactMeshShapePart& partB )
                                      { collideParts( bodyA, bodyB, partA, partB ); } );
                     } );
    }

    /// Adds the contacts of two parts. Needs 170 KB of stack (310 KB in double precision), and 3 KB more for each level
    /// of the trees. A tree of a million triangles has some 34 levels.
    void collideParts( const btCollisionObjectWrapper& bodyA, const btCollisionObjectWrapper& bodyB,
                       const btGImpactMeshShapePart& partA, const btGImpactMeshShapePart& partB )
    {
        if ( !partA.hasBoxSet() || !partB.hasBoxSet() ) // without updateBound() Bullet tests all triangles with all
        {
            gimpact_vs_gimpact( &bodyA, &bodyB, &partA, &partB );
            return;
        }
        const btGImpactQuantizedBvh& treeA = *partA.getBoxSet();
        const btGImpactQuantizedBvh& treeB = *partB.getBoxSet();
        const btTransform& transformA = bodyA.getWorldTransform();
        const btTransform& transformB = bodyB.getWorldTransform();
        partA.lockChildShapes();
        partB.lockChildShapes();
        CulletGImpactContacts contacts( static_cast<const Mesh&>( *partA.getPrimitiveManager() ), treeA, transformA,
                                        static_cast<const Mesh&>( *partB.getPrimitiveManager() ), treeB, transformB );
        CulletGImpactWalk walk( treeA, transformA, treeB, transformB );
        walk.findPairs( [&]( const CulletGImpactBlock& block ) { contacts.add( block ); } );
        contacts.forEach(
            [&]( int triangleA, int triangleB, const GIM_TRIANGLE_CONTACT& contact )
            {
                m_triface0 = triangleA;
                m_triface1 = triangleB;
                for ( int point = contact.m_point_count - 1; point >= 0; --point )
                {
                    addContactPoint( &bodyA, &bodyB, contact.m_points[point], contact.m_separating_normal,
                                     -contact.m_penetration_depth );
                }
            } );
        partA.unlockChildShapes();
        partB.unlockChildShapes();
    }
};

#endif
