// SPDX-License-Identifier: Zlib
// The pairs of a small world as a symmetric matrix of bits: bit j of row i says that slots i and j are a pair. The box
// of each changed slot is tested against all boxes, sixteen at a time: for so few slots this takes less time than to
// keep them in an order. Previous boxes are not needed: the matrix of the last committed update has the previous pairs.

#include "gpu/drawing.h"
#include "gpu/host/host_algorithm.h"

#include "bridge/cullet_bits.h"

#include <string.h>

typedef struct Matrix
{
    cltHostAlgorithm base;
    cltMemory* memory;
    cltMeetBlocksFcn* meetBlocks;
    uint64_t committed[CLT_FEW_SLOTS]; ///< rows as of the last committed update
    uint64_t current[CLT_FEW_SLOTS];   ///< rows of the update in progress
    uint64_t differing;                ///< rows that differ, as bits
    uint32_t rowCount;
} Matrix;

static inline uint64_t BitOf( uint32_t slot )
{
    return (uint64_t)1 << slot;
}

/// Removes a slot's pairs from the committed rows: they ended when its proxy was destroyed, and are not reported.
static void ForgetPairs( Matrix* matrix, uint32_t slot )
{
    for ( uint64_t others = matrix->committed[slot]; others != 0; others &= others - 1u )
    {
        matrix->committed[cltLowestBit64( others )] &= ~BitOf( slot );
    }
    matrix->committed[slot] = 0;
}

/// Keeps the others of which the exact boxes overlap and the filters accept the pair.
static uint64_t Refine( const cltSearchInput* input, uint32_t slot, uint64_t others )
{
    const cltFilter* filters = input->filters.now;
    uint64_t kept = 0;
    for ( ; others != 0; others &= others - 1u )
    {
        const uint32_t other = cltLowestBit64( others );
        const bool overlap =
            !input->slots.isDouble || cltBoxesOverlap( input->slots.now, input->slots.isDouble, slot, other );
        const bool isPair = overlap && ( filters == NULL || cltFilter_Allows( filters + slot, filters + other ) );
        kept |= isPair ? BitOf( other ) : 0u;
    }
    return kept;
}

/// The current row of a slot, from current boxes.
/// \param skipCount  blocks that are not tested: the row of each of their slots has its bit for this slot
static uint64_t FindRow( const Matrix* matrix, const cltUpload* upload, const cltSearchInput* input, uint32_t slot,
                         uint32_t skipCount )
{
    const cltAabb box = cltCoverBox( upload->boxes, input->slots.isDouble, slot );
    const uint32_t firstSlot = skipCount * CLT_LANE_COUNT;
    const uint64_t met =
        matrix->meetBlocks( upload->lanes + skipCount, cltBlocksFor( upload->slotCount ) - skipCount, &box );
    const uint64_t others = ( met << firstSlot ) & ~BitOf( slot );
    const bool isExact = !input->slots.isDouble && input->filters.now == NULL;
    return ( isExact ? others : Refine( input, slot, others ) ) |
           ( matrix->current[slot] & ( BitOf( firstSlot ) - 1u ) );
}

/// Replaces a row, and the slot's bit in the rows of the others.
static void SetRow( Matrix* matrix, uint32_t slot, uint64_t row )
{
    const uint64_t flipped = matrix->current[slot] ^ row;
    matrix->current[slot] = row;
    matrix->differing |= flipped != 0 ? flipped | BitOf( slot ) : 0u;
    for ( uint64_t others = flipped; others != 0; others &= others - 1u )
    {
        matrix->current[cltLowestBit64( others )] ^= BitOf( slot );
    }
}

/// If there are too many slots. The caller then builds another algorithm.
static bool ShouldRebuildMatrix( const cltHostAlgorithm* algorithm, const cltUpload* upload )
{
    (void)algorithm;
    return upload->slotCount > CLT_FEW_SLOTS;
}

static cltStatus BuildMatrix( cltHostAlgorithm* algorithm, const cltUpload* upload, const cltSearchInput* input,
                              bool isFresh )
{
    (void)isFresh; // always false
    Matrix* matrix = (Matrix*)algorithm;
    uint64_t changed = 0;
    matrix->rowCount = upload->slotCount;
    for ( uint32_t i = 0; i < upload->changedCount; ++i )
    {
        changed |= BitOf( upload->changed[i] );
        if ( ( upload->states[upload->changed[i]] & CLT_SLOT_DESTROYED ) != 0 )
        {
            ForgetPairs( matrix, upload->changed[i] );
        }
    }
    memcpy( matrix->current, matrix->committed, upload->slotCount * sizeof matrix->current[0] );
    matrix->differing = 0;
    const uint32_t allChanged = changed == UINT64_MAX ? CLT_FEW_SLOTS : cltLowestBit64( ~changed );
    for ( uint32_t i = 0; i < upload->changedCount; ++i )
    {
        const uint32_t slot = upload->changed[i];
        const uint32_t earlier = ( slot < allChanged ? slot : allChanged ) / CLT_LANE_COUNT;
        SetRow( matrix, slot, FindRow( matrix, upload, input, slot, earlier ) );
    }
    return clt_ok;
}

/// Adds the keys of pairs that `rows` has and `without` has not, in canonical order.
/// \param chosen  the rows to read, as bits
static void AddKeys( uint64_t chosen, const uint64_t* rows, const uint64_t* without, bool began, uint32_t slotBits,
                     cltPairBlock* keys )
{
    const uint64_t beganBit = began ? cltPairKey_BeganBit( slotBits ) : 0u;
    for ( ; chosen != 0; chosen &= chosen - 1u )
    {
        const uint32_t slot = cltLowestBit64( chosen );
        const uint64_t above = ~( BitOf( slot ) | ( BitOf( slot ) - 1u ) );
        for ( uint64_t others = rows[slot] & ~without[slot] & above; others != 0; others &= others - 1u )
        {
            cltPairBlock_Add( keys, cltPairKey( slot, cltLowestBit64( others ), slotBits ) | beganBit );
        }
    }
}

static cltStatus FindInMatrix( cltHostAlgorithm* algorithm, cltFind find, const cltSearchInput* input,
                               cltPairSink* sink )
{
    static const uint64_t none[CLT_FEW_SLOTS] = { 0 };
    const Matrix* matrix = (const Matrix*)algorithm;
    const uint32_t slotBits = cltIndexBits( input->slots.count );
    cltPairBlock keys;
    cltPairBlock_Init( &keys, sink );
    if ( find == clt_findPairs )
    {
        AddKeys( UINT64_MAX, matrix->current, none, true, slotBits, &keys );
    }
    else
    {
        AddKeys( matrix->differing, matrix->committed, matrix->current, false, slotBits, &keys );
        AddKeys( matrix->differing, matrix->current, matrix->committed, true, slotBits, &keys );
    }
    cltPairBlock_Flush( &keys );
    sink->isOrdered = true;
    return clt_ok;
}

static void CommitMatrix( cltHostAlgorithm* algorithm )
{
    Matrix* matrix = (Matrix*)algorithm;
    memcpy( matrix->committed, matrix->current, matrix->rowCount * sizeof matrix->current[0] );
}

static cltStatus RestoreMatrix( cltHostAlgorithm* algorithm, const cltSearchInput* committed )
{
    (void)committed;
    Matrix* matrix = (Matrix*)algorithm;
    memcpy( matrix->current, matrix->committed, sizeof matrix->current );
    return clt_ok;
}

uint64_t cltPairMatrix_PairsOf( const cltHostAlgorithm* algorithm, uint32_t slot )
{
    return ( (const Matrix*)algorithm )->committed[slot];
}

static const cltQueryBase* ViewMatrix( const cltHostAlgorithm* algorithm )
{
    (void)algorithm;
    return NULL; // queries test so few boxes one by one
}

/// The bridge draws the bodies.
static void DrawMatrix( const cltHostAlgorithm* algorithm, const cltDrawing* drawing )
{
    (void)algorithm;
    (void)drawing;
}

static void GetMatrixStats( const cltHostAlgorithm* algorithm, cltStats* stats, cltResearchStats* research )
{
    (void)algorithm;
    (void)stats;
    (void)research;
}

static void DestroyMatrix( cltHostAlgorithm* algorithm )
{
    Matrix* matrix = (Matrix*)algorithm;
    cltMemory_Release( matrix->memory, matrix, sizeof *matrix );
}

static const cltHostAlgorithmOps matrixOps = { .shouldRebuild = ShouldRebuildMatrix,
                                               .build = BuildMatrix,
                                               .find = FindInMatrix,
                                               .commit = CommitMatrix,
                                               .restore = RestoreMatrix,
                                               .viewBoxes = ViewMatrix,
                                               .draw = DrawMatrix,
                                               .getStats = GetMatrixStats,
                                               .destroy = DestroyMatrix };

cltStatus cltCreatePairMatrix( cltMeetBlocksFcn* meetBlocks, cltMemory* memory, cltHostAlgorithm** algorithm )
{
    Matrix* matrix = cltMemory_Allocate( memory, sizeof *matrix );
    if ( matrix == NULL )
    {
        return clt_hostMemory;
    }
    *matrix = ( Matrix ){ .base = { .ops = &matrixOps }, .memory = memory, .meetBlocks = meetBlocks };
    *algorithm = &matrix->base;
    return clt_ok;
}
