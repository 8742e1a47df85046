// SPDX-License-Identifier: Zlib
/// \file meshes.h
/// Scenes of triangle meshes, with exactly as many triangles as the papers' scenes that they imitate. A vertex is a
/// formula of the step and has the same bits on every machine. The unit of length is about the edge of a triangle.
#ifndef CLT_DEMOS_MESHES_H
#define CLT_DEMOS_MESHES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cltMeshSceneKind
{
    clt_meshSceneBlob,      ///< a ball with moving bumps, of any size; it has a gap if its last row is incomplete
    clt_meshSceneClothDrop, ///< a sheet of 2,048 triangles that sinks through a ball of 69,451
    clt_meshSceneNBody,     ///< 305 rigid balls of 146,000 triangles in all, which orbit an axis in both directions
    clt_meshSceneFunnel,    ///< 18,500 triangles: a sheet of 12,800 that a ball pulls through a funnel, and a boulder
    clt_meshSceneClothBall  ///< 92,000 triangles: a sheet of 80,000 in pleats over a ball and in folds around it
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
    uint32_t triangleCount; ///< of the blob, at least 8; ignored by other scenes
    float speed;            ///< multiplies the length of a step, which is about a tenth of an edge at 1
} cltMeshSceneDef;

/// Created by cltCreateMeshScene, freed by cltDestroyMeshScene. Read-only for callers.
typedef struct cltMeshScene
{
    cltMeshSceneDef def;
    uint32_t step;
    uint32_t meshCount;
    cltMesh* meshes;
} cltMeshScene;

/// NULL if memory runs out.
cltMeshScene* cltCreateMeshScene( const cltMeshSceneDef* def );

/// Moves the vertices to a step. Steps can be visited in any order.
void cltMeshScene_GoTo( cltMeshScene* scene, uint32_t step );

void cltDestroyMeshScene( cltMeshScene* scene );

#ifdef __cplusplus
}
#endif

#endif
