// SPDX-License-Identifier: Zlib
/// \file layout.h
/// Where the bodies of a scene start and how they move, and which static boxes stand between them. A kind of scene is
/// one function for each of the two, and a line in scenes.c.
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
    float ( *centers )[3]; ///< of the bodies, in scenes of cubes; where the others are is a function of the step
    float* halfEdges;      ///< of the bodies; in scenes that are not of cubes, of what they are while they jump
    cltFall* falls;        ///< column only, else NULL
    double extent[3];      ///< before rounding to float: places are computed in double and rounded once
} cltSceneState;

/// Fill the arrays of the state and the boxes of the scene as they are before the first step. The filters are those of
/// bodies and static boxes already.
void cltLayOutBrownian( cltSceneState* state );
void cltLayOutMixed( cltSceneState* state );
void cltLayOutClustered( cltSceneState* state );
void cltLayOutCorridor( cltSceneState* state );
void cltLayOutDebris( cltSceneState* state );
void cltLayOutLevel( cltSceneState* state );
void cltLayOutColumn( cltSceneState* state );  // in column.c
void cltLayOutTremble( cltSceneState* state ); // in tremble.c
void cltLayOutCloth( cltSceneState* state );   // in cloth.c
void cltLayOutTeams( cltSceneState* state );   // in cloth.c
void cltLayOutTangle( cltSceneState* state );  // in tangle.c

/// Place the box of a body as it is after scene->step steps.
void cltWander( cltSceneState* state, uint32_t body );        // in scenes.c
void cltFollowFall( cltSceneState* state, uint32_t body );    // in column.c
void cltTremble( cltSceneState* state, uint32_t body );       // in tremble.c
void cltPlaceTriangle( cltSceneState* state, uint32_t body ); // in cloth.c
void cltPlaceEdge( cltSceneState* state, uint32_t body );     // in tangle.c

/// The box of a cube from its center and size.
void cltPlaceBody( cltSceneState* state, uint32_t body );

/// The first static box: from height -1 to 0 below all of the scene, and wider by far.
/// \param end  of the bodies, along x and y
void cltPlaceFloor( cltSceneState* state, float end );

/// The smallest box around the points.
cltAabb cltBoxAround( float points[][3], uint32_t count );

#endif
