// SPDX-License-Identifier: Zlib
/// \file layout.h
/// Where the bodies of a scene start, how large they are, and which static boxes stand between them.
#ifndef CLT_DEMOS_LAYOUT_H
#define CLT_DEMOS_LAYOUT_H

#include "scenes.h"

/// A body of the column rests at `rest` once it has fallen there from `startHeight`.
typedef struct cltFall
{
    float rest[3];
    float startHeight;
} cltFall;

/// A scene and what it knows beside its boxes.
typedef struct cltSceneState
{
    cltScene scene;        ///< the first member: what the caller of cltCreateScene sees
    float ( *centers )[3]; ///< of the bodies
    float* halfEdges;      ///< of the bodies, all cubes
    cltFall* falls;        ///< column only, else NULL
    double extent[3];      ///< before rounding to float: places are computed in double and rounded once
} cltSceneState;

/// How many static boxes a scene of this kind adds.
uint32_t cltStaticBoxCount( cltSceneKind kind );

/// Fills the arrays of the state and the boxes of the scene as they are before the first step.
void cltLayOutScene( cltSceneState* state );

/// The box of a body from its center and size.
void cltPlaceBody( cltSceneState* state, uint32_t body );

/// The column's part of cltLayOutScene; in column.c.
void cltLayOutColumn( cltSceneState* state );

/// The center of a body of the column after scene->step steps; in column.c.
void cltFollowFall( cltSceneState* state, uint32_t body );

#endif
