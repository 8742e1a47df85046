// SPDX-License-Identifier: Zlib
// Creates and steps scenes. A step draws the direction and distance of each moving body from random numbers of that
// body (random.h), so that bodies at rest cost nothing and do not affect others.

#include "scenes.h"

#include "layout.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CLT_CHANNEL_DISTANCE = 3, // of a step. Attempt t to draw a direction uses channels 4 t, 4 t + 1 and 4 t + 2
    CLT_CHANNEL_MOVES = 7,    // of step CLT_STEP_PLACING; layout.c has its other channels
    CLT_CHANNEL_JUMPS = 64,   // of a step; after the channels of all attempts
    CLT_CHANNEL_LANDING = 65, // of a step, also the two following channels
    CLT_MAX_TRIES = 16        // an attempt fails with probability 0.48, and all 16 fail once in 100,000 draws
};

static const cltFilter s_bodyFilter = { 1, -1 };
static const cltFilter s_staticFilter = { 2, ~2 };

/// A kind of scene.
typedef struct cltSceneTraits
{
    const char* name;
    const char* description;
    void ( *layOut )( cltSceneState* state );
    void ( *move )( cltSceneState* state, uint32_t body );
    uint32_t staticCount;     // static boxes for any number of bodies
    uint32_t staticsForABody; // further static boxes for each body
} cltSceneTraits;

static const cltSceneTraits s_sceneTraits[CLT_SCENE_COUNT] = {
    [clt_sceneBrownian] = { "brownian", "unit cubes in random motion, two pairs for each body", //
                            cltLayOutBrownian, cltWander, 0, 0 },
    [clt_sceneMixed] = { "mixed", "edges from 0.1 to 10 in random motion, ten huge boxes and a plane", //
                         cltLayOutMixed, cltWander, 11, 0 },
    [clt_sceneColumn] = { "column", "a lattice of unit cubes falling on a floor", //
                          cltLayOutColumn, cltPlaceFallingBody, 1, 0 },
    [clt_sceneClustered] = { "clustered", "unit cubes in random motion, nine tenths of them in 20 heaps", //
                             cltLayOutClustered, cltWander, 0, 0 },
    [clt_sceneCloth] = { "cloth", "triangles of a pleated sheet over a figure; --speed 100: large displacements", //
                         cltLayOutCloth, cltPlaceTriangle, 0, 0 },
    [clt_sceneTeams] = { "teams", "the same, with pairs of sheet and figure only", //
                         cltLayOutTeams, cltPlaceTriangle, 0, 0 },
    [clt_sceneTangle] = { "tangle", "edges of tangled rods, two hundred pairs for each edge", //
                          cltLayOutTangle, cltPlaceEdge, 0, 0 },
    [clt_sceneLevel] = { "level", "unit cubes in random motion among ten times as many static boxes", //
                         cltLayOutLevel, cltWander, 0, 10 },
    [clt_sceneTremble] = { "tremble", "walls of unit boxes at rest, which move by 0.0001", //
                           cltLayOutTremble, cltTremble, 1, 0 },
    [clt_sceneDebris] = { "debris", "clustered over a floor; bodies pair with the floor only", //
                          cltLayOutDebris, cltWander, 1, 0 },
    [clt_sceneCorridor] = { "corridor", "dense cubes in a corridor, six pairs for each body", //
                            cltLayOutCorridor, cltWander, 0, 0 },
    [clt_sceneChurn] = { "churn", "level with 150 static boxes a body; a step replaces one for each 20 bodies", //
                         cltLayOutLevel, cltWander, 0, 150 },
};

static bool cltAllocateScene( cltSceneState* state )
{
    cltScene* scene = &state->scene;
    const size_t bodyCount = scene->def.bodyCount;
    const bool falls = scene->def.kind == clt_sceneColumn;
    // One extra element each, because calloc may return NULL for size 0.
    scene->boxes = calloc( (size_t)scene->boxCount + 1, sizeof *scene->boxes );
    scene->filters = calloc( (size_t)scene->boxCount + 1, sizeof *scene->filters );
    scene->moved = calloc( bodyCount + 1, sizeof *scene->moved );
    scene->replaced = calloc( (size_t)scene->replacedCount + 1, sizeof *scene->replaced );
    state->centers = calloc( bodyCount + 1, sizeof *state->centers );
    state->halfEdges = calloc( bodyCount + 1, sizeof *state->halfEdges );
    state->falls = falls ? calloc( bodyCount + 1, sizeof *state->falls ) : NULL;
    return scene->boxes && scene->filters && scene->moved && scene->replaced && state->centers && state->halfEdges &&
           ( state->falls || !falls );
}

// Whether the body jumps in this step. No body jumps before the first step.
static bool cltJumps( const cltScene* scene, uint32_t body )
{
    const cltDraw draw = { scene->def.seed, body, scene->step };
    return scene->step > 0 && 100.0 * (double)cltUniform( draw, CLT_CHANNEL_JUMPS ) < scene->def.jumpingPercent;
}

static void cltChooseMoved( cltScene* scene )
{
    scene->movedCount = 0;
    for ( uint32_t body = 0; body < scene->def.bodyCount; ++body )
    {
        const cltDraw draw = { scene->def.seed, body, CLT_STEP_PLACING };
        if ( 100.0 * (double)cltUniform( draw, CLT_CHANNEL_MOVES ) < scene->def.movingPercent ||
             cltJumps( scene, body ) )
        {
            scene->moved[scene->movedCount++] = body;
        }
    }
}

cltScene* cltCreateScene( const cltSceneDef* def )
{
    const cltSceneTraits* rule = &s_sceneTraits[def->kind];
    const uint64_t boxCount = rule->staticCount + ( 1ull + rule->staticsForABody ) * def->bodyCount;
    cltSceneState* state = boxCount <= CLT_MAX_PROXIES ? calloc( 1, sizeof *state ) : NULL;
    if ( !state )
    {
        return NULL;
    }
    cltScene* scene = &state->scene;
    scene->def = *def;
    scene->boxCount = (uint32_t)boxCount;
    scene->replacedCount = def->kind == clt_sceneChurn ? ( def->bodyCount + 19u ) / 20u : 0u;
    if ( !cltAllocateScene( state ) )
    {
        cltDestroyScene( scene );
        return NULL;
    }
    for ( uint32_t box = 0; box < scene->boxCount; ++box )
    {
        scene->filters[box] = box < def->bodyCount ? s_bodyFilter : s_staticFilter;
    }
    cltChooseMoved( scene );
    rule->layOut( state );
    for ( int axis = 0; axis < 3; ++axis )
    {
        scene->extent[axis] = (float)state->extent[axis];
    }
    return scene;
}

void cltDestroyScene( cltScene* scene )
{
    if ( !scene )
    {
        return;
    }
    cltSceneState* state = (cltSceneState*)scene;
    free( state->falls );
    free( state->halfEdges );
    free( state->centers );
    free( scene->replaced );
    free( scene->moved );
    free( scene->filters );
    free( scene->boxes );
    free( state );
}

// Draws a point in the unit ball, not too close to its center, so that it can be scaled. Returns its squared length.
static float cltDrawDirection( cltDraw draw, float direction[3] )
{
    float lengthSquared = 0.0f;
    for ( uint32_t attempt = 0; attempt < CLT_MAX_TRIES; ++attempt )
    {
        lengthSquared = 0.0f;
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            direction[axis] = cltUniformSigned( draw, 4 * attempt + axis );
            lengthSquared += direction[axis] * direction[axis];
        }
        if ( lengthSquared <= 1.0f && lengthSquared > 1e-4f )
        {
            break;
        }
    }
    return lengthSquared;
}

// Moves a body by 0.1 to 0.3 of its edge times the scene's speed, in a random direction, reflected at the walls.
void cltWander( cltSceneState* state, uint32_t body )
{
    const cltScene* scene = &state->scene;
    const cltDraw draw = { scene->def.seed, body, scene->step };
    float direction[3];
    const float lengthSquared = cltDrawDirection( draw, direction );
    const float distance = scene->def.speed * ( 0.1f + 0.2f * cltUniform( draw, CLT_CHANNEL_DISTANCE ) );
    const float scale = distance * 2.0f * state->halfEdges[body] / sqrtf( lengthSquared );
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float wall = scene->extent[axis];
        float place = state->centers[body][axis] + scale * direction[axis];
        place = place < 0.0f ? -place : place;
        state->centers[body][axis] = place > wall ? 2.0f * wall - place : place;
    }
    cltPlaceBody( state, body );
}

// Moves a body to a uniformly random place in the scene. A falling body comes to rest where it lands.
static void cltJump( cltSceneState* state, uint32_t body )
{
    const cltScene* scene = &state->scene;
    const cltDraw draw = { scene->def.seed, body, scene->step };
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        state->centers[body][axis] = scene->extent[axis] * cltUniform( draw, CLT_CHANNEL_LANDING + axis );
    }
    if ( state->falls )
    {
        memcpy( state->falls[body].rest, state->centers[body], sizeof state->falls[body].rest );
        state->falls[body].startHeight = state->centers[body][2];
    }
    cltPlaceBody( state, body );
}

void cltScene_Step( cltScene* scene )
{
    cltSceneState* state = (cltSceneState*)scene;
    const bool anyJumps = scene->def.jumpingPercent > 0.0;
    void ( *const move )( cltSceneState*, uint32_t ) = s_sceneTraits[scene->def.kind].move;
    ++scene->step;
    if ( anyJumps )
    {
        cltChooseMoved( scene );
    }
    for ( uint32_t k = 0; k < scene->movedCount; ++k )
    {
        const uint32_t body = scene->moved[k];
        ( anyJumps && cltJumps( scene, body ) ? cltJump : move )( state, body );
    }
    for ( uint32_t k = 0; k < scene->replacedCount; ++k )
    {
        scene->replaced[k] = cltReplaceLevelBox( state, ( scene->step - 1 ) * scene->replacedCount + k );
    }
}

const char* cltSceneName( cltSceneKind kind )
{
    return (unsigned)kind < CLT_SCENE_COUNT ? s_sceneTraits[kind].name : "unknown";
}

const char* cltSceneDescription( cltSceneKind kind )
{
    return (unsigned)kind < CLT_SCENE_COUNT ? s_sceneTraits[kind].description : "unknown";
}
