// SPDX-License-Identifier: Zlib
/// \file scenes.h
/// Named scenes of moving boxes, shared by the command, the tests and the benchmarks. They use seeded, counter-based
/// random numbers, so that a scene has the same floats on every machine.
#ifndef CLT_DEMOS_SCENES_H
#define CLT_DEMOS_SCENES_H

#include "cullet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The scenes; scenes.c describes them. To add one, add a value here and a line in scenes.c. The command, the tests and
/// the benchmarks then use it.
typedef enum cltSceneKind
{
    clt_sceneBrownian,
    clt_sceneMixed,
    clt_sceneColumn,
    clt_sceneClustered,
    clt_sceneCloth,
    clt_sceneTeams,
    clt_sceneTangle,
    clt_sceneLevel,
    clt_sceneTremble,
    clt_sceneDebris,
    clt_sceneCorridor,
    clt_sceneChurn
} cltSceneKind;

#define CLT_SCENE_COUNT 12
#define CLT_SCENE_SEED 12345u

typedef struct cltSceneDef
{
    cltSceneKind kind;
    uint32_t bodyCount;    ///< bodies that can move; the scene appends static boxes
    double movingPercent;  ///< share of the bodies that move, 0 to 100; a fixed random subset
    float speed;           ///< multiplies the length of a step, mostly 0.1 to 0.3 of a body's size
    uint64_t seed;         ///< CLT_SCENE_SEED for the published tables
    double jumpingPercent; ///< share of all bodies that jump anywhere, 0 to 100; different bodies in each step
} cltSceneDef;

/// Created by cltCreateScene, freed by cltDestroyScene. Read-only for callers.
typedef struct cltScene
{
    cltSceneDef def;
    uint32_t boxCount;  ///< bodies and static boxes
    uint32_t step;      ///< steps made so far
    cltAabb* boxes;     ///< boxCount boxes, bodies first
    cltFilter* filters; ///< boxCount filters
    uint32_t* moved;    ///< the bodies that the last step moved, ascending; before the first step, those that will move
    uint32_t movedCount;
    uint32_t* replaced; ///< static boxes that the last step removed and put elsewhere, all different; in `churn` only
    uint32_t replacedCount;
    float extent[3]; ///< the bodies stay in [0, extent]
} cltScene;

/// NULL if memory runs out.
cltScene* cltCreateScene( const cltSceneDef* def );
void cltScene_Step( cltScene* scene );
void cltDestroyScene( cltScene* scene );

const char* cltSceneName( cltSceneKind kind );
const char* cltSceneDescription( cltSceneKind kind );

#ifdef __cplusplus
}
#endif

#endif
