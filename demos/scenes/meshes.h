// SPDX-License-Identifier: Zlib
/// \file meshes.h
/// Named scenes of meshes of triangles, with exactly as many triangles as those of the papers' that they stand for.
/// Procedural: a vertex is a formula of the step, and has the same bits on every machine. Lengths are in edges of a
/// triangle, about.
#ifndef CLT_DEMOS_MESHES_H
#define CLT_DEMOS_MESHES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cltMeshSceneKind
{
    clt_meshSceneBlob,      ///< one ball with bumps that travel; of any size, and open where the last row is not whole
    clt_meshSceneClothDrop, ///< a sheet of 2,048 that sinks through a ball of 69,451; nothing answers the collision
    clt_meshSceneNBody,     ///< 305 rigid balls, of 146,000, on orbits both ways about one axis
    clt_meshSceneFunnel,    ///< a sheet of 12,800 drawn through a funnel by a ball, above a floor: 18,500
    clt_meshSceneClothBall  ///< a sheet of 80,000 in pleats over a ball, and in folds around it: 92,000
} cltMeshSceneKind;

typedef struct cltMesh
{
    uint32_t vertexCount;
    uint32_t triangleCount;
    float ( *vertices )[3];
    uint32_t ( *triangles )[3];
} cltMesh;

typedef struct cltMeshSceneDef
{
    cltMeshSceneKind kind;
    uint32_t triangleCount; ///< of the blob, 8 at least; else not looked at
    float speed;            ///< multiplies the length of a step: at 1 a tenth of an edge, about
} cltMeshSceneDef;

/// Owned by cltCreateMeshScene, given back by cltDestroyMeshScene. Read it, do not write.
typedef struct cltMeshScene
{
    cltMeshSceneDef def;
    uint32_t step;
    uint32_t meshCount;
    cltMesh* meshes;
} cltMeshScene;

/// NULL when memory runs out.
cltMeshScene* cltCreateMeshScene( const cltMeshSceneDef* def );

/// Places the vertices as they are after that many steps, in any order.
void cltMeshScene_GoTo( cltMeshScene* scene, uint32_t step );

void cltDestroyMeshScene( cltMeshScene* scene );

#ifdef __cplusplus
}
#endif

#endif
