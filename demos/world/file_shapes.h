// SPDX-License-Identifier: Zlib
/// \file file_shapes.h
/// Makes the collision shapes that a .bullet file describes.
#ifndef CLT_WORLD_FILE_SHAPES_H
#define CLT_WORLD_FILE_SHAPES_H

#include "bullet_file.h"
#include "world.h"

class btBvhTriangleMeshShape;
class btTriangleIndexVertexArray;

namespace cullet::demo
{

class FileShapes
{
public:
    /// \param world  owns the shapes
    FileShapes( const BulletFile& file, World& world ) : m_file( file ), m_world( world )
    {
    }

    /// NULL if this program cannot make a shape of its type. Throws BulletFileError.
    btCollisionShape* shapeAt( std::uint64_t address );

    int unknownChildren = 0; ///< of compounds; they are left out

private:
    btCollisionShape* make( const StoredStruct& stored );
    btCollisionShape* makeSphere( const StoredStruct& stored );
    btCollisionShape* makeConvex( const StoredStruct& stored, int type );
    btCollisionShape* makeCapsule( const StoredStruct& stored );
    btCollisionShape* makeSpheres( const StoredStruct& stored );
    btCollisionShape* makeHull( const StoredStruct& stored );
    btCollisionShape* makePlane( const StoredStruct& stored );
    btCollisionShape* makeCompound( const StoredStruct& stored );
    btBvhTriangleMeshShape* makeMesh( const StoredStruct& stored );
    btCollisionShape* makeScaledMesh( const StoredStruct& stored );
    btCollisionShape* makeMovingMesh( const StoredStruct& stored );
    btTriangleIndexVertexArray* makeTriangles( const StoredStruct& stored );

    const BulletFile& m_file;
    World& m_world;
    std::map<std::uint64_t, btCollisionShape*> m_shapes; ///< by address
    int m_depth = 0;                                     ///< of compounds within compounds
};

} // namespace cullet::demo

#endif
