// SPDX-License-Identifier: Zlib
/// \file layout.h
/// The two functions of each kind of scene: one places its bodies and static boxes, the other moves a body. scenes.c
/// lists the kinds.
#ifndef CLT_DEMOS_LAYOUT_H
#define CLT_DEMOS_LAYOUT_H

#include "scenes.h"

/// A falling body of the column: starts at `startHeight` and comes to rest at `rest`.
typedef struct cltFall
{
    float rest[3];
    float startHeight;
} cltFall;

/// A scene with its private data.
typedef struct cltSceneState
{
    cltScene scene;        ///< the first member, which cltCreateScene returns
    float ( *centers )[3]; ///< by body, in scenes of cubes. In other scenes the place is a function of the step
    float* halfEdges;      ///< by body. In scenes without cubes, half the size of the box of a body that jumps
    cltFall* falls;        ///< by body in scene column, else NULL
    double extent[3];      ///< scene.extent in double: places are computed in double and rounded once
} cltSceneState;

/// Fill the arrays of the state, and set the boxes before the first step. The filters of bodies and static boxes are
/// already set.
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

/// Set the box of a body after scene->step steps.
void cltWander( cltSceneState* state, uint32_t body );           // in scenes.c
void cltPlaceFallingBody( cltSceneState* state, uint32_t body ); // in column.c
void cltTremble( cltSceneState* state, uint32_t body );          // in tremble.c
void cltPlaceTriangle( cltSceneState* state, uint32_t body );    // in cloth.c
void cltPlaceEdge( cltSceneState* state, uint32_t body );        // in tangle.c

/// Puts a static box of `level` that is no tile to another place.
/// \param number  of the replacement; the boxes take turns
/// \return the box
uint32_t cltReplaceLevelBox( cltSceneState* state, uint32_t number );

/// Sets the box of a cube from its center and size.
void cltPlaceBody( cltSceneState* state, uint32_t body );

/// Sets the first static box: a floor from height -1 to 0, 1,000 wider than the scene on each side.
/// \param end  upper bound of the bodies along x and y
void cltPlaceFloor( cltSceneState* state, float end );

/// The smallest box around the points.
cltAabb cltBoxAround( float points[][3], uint32_t count );

#endif
