// SPDX-License-Identifier: Zlib
/// \file draw.h
/// The parts of the debug drawing of a query: what the functions of ask.h would visit and test.
#ifndef CLT_HOST_QUERIES_DRAW_H
#define CLT_HOST_QUERIES_DRAW_H

#include "gpu/drawing.h"
#include "gpu/host/queries/ask.h"

// The questions need no visitor.

void cltDraw_BaseTree( const cltQuestion* question, const cltDrawing* drawing );
void cltDraw_Overview( const cltQuestion* question, const cltBoxTree* overview, const cltDrawing* drawing );
void cltDraw_Forest( const cltQuestion* question, const cltDrawing* drawing );
void cltDraw_OutsideTrees( const cltQuestion* question, bool withOutliers, bool withLoose, const cltDrawing* drawing );

#endif
