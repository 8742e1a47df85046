// SPDX-License-Identifier: Zlib
/// \file tree_drawing.h
/// A debug drawing of a box tree, or of the part of it that a query visits.
#ifndef CLT_HOST_TREE_DRAWING_H
#define CLT_HOST_TREE_DRAWING_H

#include "gpu/drawing.h"
#include "gpu/host/box_tree.h"

/// Called for entry i of level 0, which may hold no box.
typedef void cltDrawEntryFcn( uint32_t i, void* context );

typedef struct cltTreeDrawing
{
    const cltBoxTree* tree;
    const cltDrawing* drawing;
    cltLanesFcn* touches; ///< decides which children are visited; NULL: all
    void* shape;          ///< the argument of `touches`
    cltDrawEntryFcn* drawEntry;
    void* context; ///< of drawEntry
} cltTreeDrawing;

/// Draws each node that a walk visits, in preorder, and the entries of each leaf right after it.
void cltTreeDrawing_Run( const cltTreeDrawing* trees );

#endif
