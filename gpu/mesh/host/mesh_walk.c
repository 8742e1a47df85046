// SPDX-License-Identifier: Zlib
// Descends two trees, and tests pairs of leaves: their triangles, or the vertices and edges assigned to the triangles.
//
// Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal for Collision Detection on GPUs, 2018.
// A device processes all pairs of a level at a time; here a thread searches depth-first.

#include "gpu/mesh/host/mesh_walk.h"

/// The size of the stack. A walk descends both trees at once and leaves up to three pairs per level on the stack.
#define WALK_STACK_SIZE ( 3u * CLT_MAX_LEVELS + 4u )

// ---------------------------------------------------------------------------------------------------------- two leaves

/// A leaf's triangle, or the vertices or edges assigned to it.
typedef struct LeafParts
{
    uint32_t count;
    uint32_t numbers[3]; ///< the parts' numbers in the set
    uint32_t corners[3][3];
    cltAabb boxes[3];
} LeafParts;

/// Adds a part if its box overlaps `near`.
/// \param number  the part's number in the set
static void AddPart( LeafParts* parts, const cltMeshSide* side, uint32_t number, const uint32_t corners[3],
                     const cltAabb* near )
{
    const uint32_t i = parts->count;
    parts->numbers[i] = number;
    for ( int corner = 0; corner < 3; ++corner )
    {
        parts->corners[i][corner] = corners[corner];
    }
    parts->boxes[i] = cltMeshView_Box( &side->view, corners );
    parts->count += cltAabb_Overlaps( &parts->boxes[i], near ) ? 1u : 0u;
}

/// The parts of a leaf that overlap the box `near`.
static LeafParts PartsOfLeaf( const cltMeshSide* side, cltMeshPart part, uint32_t leaf, const cltAabb* near )
{
    const uint32_t triangle = side->triangles[leaf];
    const uint32_t* corners = cltMeshView_Corners( &side->view, leaf );
    const uint32_t first = side->firsts[part];
    LeafParts parts;
    parts.count = 0;
    if ( part == clt_partTriangle )
    {
        AddPart( &parts, side, first + triangle, corners, near );
        return parts;
    }
    const unsigned own = ( (const uint8_t*)side->mesh->ownParts[part].data )[triangle];
    const bool isEdge = part == clt_partEdge;
    const uint32_t* edges = isEdge ? (const uint32_t*)side->mesh->edgeNumbers.data + 3u * (size_t)triangle : NULL;
    for ( uint32_t i = 0; i < 3u; ++i )
    {
        const uint32_t end = isEdge ? corners[i == 2u ? 0u : i + 1u] : corners[i];
        const uint32_t part3[3] = { corners[i], corners[i], end };
        if ( ( own >> i & 1u ) != 0u )
        {
            AddPart( &parts, side, first + ( isEdge ? edges[i] : corners[i] ), part3, near );
        }
    }
    return parts;
}

static uint64_t PartKey( const cltMeshWalk* walk, uint32_t a, uint32_t b )
{
    return walk->partA == walk->partB ? cltPairKey( a, b, walk->bitsB ) : (uint64_t)a << walk->bitsB | b;
}

/// Tests parts of kind A in leaf `leafA` against parts of kind B in leaf `leafB`, which may be the same leaf.
static void TestParts( cltMeshWalk* walk, const cltMeshSide* sideA, uint32_t leafA, const cltMeshSide* sideB,
                       uint32_t leafB )
{
    const bool isSame = walk->isSelf && leafA == leafB && walk->partA == walk->partB;
    const LeafParts a = PartsOfLeaf( sideA, walk->partA, leafA, &sideB->mesh->tree.nodes[leafB].box );
    const LeafParts b = PartsOfLeaf( sideB, walk->partB, leafB, &sideA->mesh->tree.nodes[leafA].box );
    for ( uint32_t i = 0; i < a.count; ++i )
    {
        for ( uint32_t j = isSame ? i + 1u : 0u; j < b.count; ++j )
        {
            if ( !cltAabb_Overlaps( &a.boxes[i], &b.boxes[j] ) )
            {
                continue;
            }
            if ( walk->skipsShared && cltCornersShareVertex( a.corners[i], b.corners[j] ) )
            {
                ++walk->sharedCount;
            }
            else if ( cltMeshViews_ArePair( &sideA->view, a.corners[i], &sideB->view, b.corners[j], walk->test ) )
            {
                cltPairBlock_Add( walk->block, PartKey( walk, a.numbers[i], b.numbers[j] ) );
            }
        }
    }
}

static void TestTriangles( cltMeshWalk* walk, const cltMeshSide* a, uint32_t leafA, const cltMeshSide* b,
                           uint32_t leafB )
{
    const uint32_t* cornersA = cltMeshView_Corners( &a->view, leafA );
    const uint32_t* cornersB = cltMeshView_Corners( &b->view, leafB );
    if ( walk->skipsShared && cltCornersShareVertex( cornersA, cornersB ) )
    {
        ++walk->sharedCount;
    }
    else if ( cltMeshViews_ArePair( &a->view, cornersA, &b->view, cornersB, walk->test ) )
    {
        const uint32_t numberA = a->firsts[clt_partTriangle] + a->triangles[leafA];
        const uint32_t numberB = b->firsts[clt_partTriangle] + b->triangles[leafB];
        cltPairBlock_Add( walk->block, PartKey( walk, numberA, numberB ) );
    }
}

static void TestLeaves( cltMeshWalk* walk, cltNodePair pair )
{
    const cltMeshSide* a = &walk->sides[0];
    const cltMeshSide* b = &walk->sides[1];
    ++walk->candidateCount;
    if ( walk->partA == clt_partTriangle )
    {
        TestTriangles( walk, a, pair.a, b, pair.b );
        return;
    }
    TestParts( walk, a, pair.a, b, pair.b );
    if ( walk->partA != walk->partB )
    {
        TestParts( walk, b, pair.b, a, pair.a );
    }
}

/// Tests a leaf against itself, unless parts that share a vertex are skipped: a triangle shares a vertex with each of
/// its parts, and so do any two of its edges.
static void TestLeafWithItself( cltMeshWalk* walk, uint32_t leaf )
{
    if ( walk->partA != clt_partTriangle && !walk->skipsShared )
    {
        TestParts( walk, &walk->sides[0], leaf, &walk->sides[0], leaf );
    }
}

// ----------------------------------------------------------------------------------------------------- down two trees

/// If a pair meets: tests two leaves immediately, pushes other nodes onto the stack. \return the stack's new size
static uint32_t EnterNodes( cltMeshWalk* walk, cltNodeVisit visit, cltNodeVisit* stack, uint32_t count )
{
    const cltLevelNode* a = walk->sides[0].mesh->tree.nodes + visit.pair.a;
    const cltLevelNode* b = walk->sides[1].mesh->tree.nodes + visit.pair.b;
    const bool isSame = walk->isSelf && visit.pair.a == visit.pair.b;
    if ( !isSame && !cltLevelNode_Meets( a, b ) )
    {
        return count;
    }
    if ( ( visit.levelA | visit.levelB ) != 0u )
    {
        stack[count++] = visit;
    }
    else if ( isSame )
    {
        TestLeafWithItself( walk, visit.pair.a );
    }
    else
    {
        TestLeaves( walk, visit.pair );
    }
    return count;
}

void cltMeshWalk_From( cltMeshWalk* walk, cltNodeVisit entry )
{
    const cltLevels* levelsA = &walk->sides[0].mesh->tree.levels;
    const cltLevels* levelsB = &walk->sides[1].mesh->tree.levels;
    cltNodeVisit stack[WALK_STACK_SIZE];
    uint32_t count = EnterNodes( walk, entry, stack, 0 );
    while ( count > 0 )
    {
        const cltNodeVisit visit = stack[--count];
        const uint32_t stepA = visit.levelA > 0u ? 1u : 0u;
        const uint32_t stepB = visit.levelB > 0u ? 1u : 0u;
        const cltNodeRun runA = cltLevels_Below( levelsA, visit.levelA, visit.pair.a, stepA );
        const cltNodeRun runB = cltLevels_Below( levelsB, visit.levelB, visit.pair.b, stepB );
        const bool isSame = walk->isSelf && visit.pair.a == visit.pair.b;
        for ( uint32_t i = 0; i < runA.count; ++i )
        {
            for ( uint32_t j = isSame ? i : 0u; j < runB.count; ++j )
            {
                const cltNodeVisit below = {
                    { runA.first + i, runB.first + j }, visit.levelA - stepA, visit.levelB - stepB };
                count = EnterNodes( walk, below, stack, count );
            }
        }
    }
}
