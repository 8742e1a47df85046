// SPDX-License-Identifier: Zlib
// The pairs of a small world as a symmetric matrix of bits: bit j of row i says that slots i and j are a pair. The box
// of each changed slot is tested against all boxes, sixteen at a time: for so few slots this takes less time than to
// keep them in an order. Previous boxes are not needed: the matrix of the last committed update has the previous pairs.

#include "gpu/drawing.h"
#include "gpu/host/host_algorithm.h"

#include "bridge/cullet_bits.h"

#include <string.h>

typedef struct Row
{
    uint64_t committed; ///< as of the last committed update
    uint64_t current;   ///< of the update in progress
} Row;

typedef struct Matrix
{
    cltHostAlgorithm base;
    cltMemory* memory;
    cltMeetBlocksFcn* meetBlocks;
    cltBuffer rows;     ///< Row, by slot
    uint32_t rowCount;  ///< rows in use; all others are 0
    uint64_t differing; ///< rows that differ, as bits
} Matrix;

static Row* RowsOf( const Matrix* matrix )
{
    return matrix->rows.data;
}

static inline uint64_t BitOf( uint32_t slot )
{
    return (uint64_t)1 << slot;
}

static cltStatus AddRows( Matrix* matrix, uint32_t rowCount )
{
    const size_t bytesBefore = matrix->rows.bytes;
    CLT_TRY( cltBuffer_Grow( &matrix->rows, matrix->memory, rowCount, sizeof( Row ) ) );
    if ( matrix->rows.bytes > bytesBefore )
    {
        memset( (char*)matrix->rows.data + bytesBefore, 0, matrix->rows.bytes - bytesBefore );
    }
    matrix->rowCount = rowCount;
    return clt_ok;
}

/// Removes a slot's pairs from the committed rows: they ended when its proxy was destroyed, and are not reported.
static void ForgetPairs( Matrix* matrix, uint32_t slot )
{
    Row* rows = RowsOf( matrix );
    for ( uint64_t others = rows[slot].committed; others != 0; others &= others - 1u )
    {
        rows[cltLowestBit64( others )].committed &= ~BitOf( slot );
    }
    rows[slot].committed = 0;
}

/// Keeps the slots with exact boxes that overlap and filters that accept the pair.
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
/// \param skipCount  blocks that are not tested: all their slots changed, and have rows of their own
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
           ( RowsOf( matrix )[slot].current & ( BitOf( firstSlot ) - 1u ) );
}

/// Replaces a row, and the slot's bit in the rows of the others.
static void SetRow( Matrix* matrix, uint32_t slot, uint64_t row )
{
    Row* rows = RowsOf( matrix );
    const uint64_t flipped = rows[slot].current ^ row;
    rows[slot].current = row;
    matrix->differing |= flipped != 0 ? flipped | BitOf( slot ) : 0u;
    for ( uint64_t others = flipped; others != 0; others &= others - 1u )
    {
        rows[cltLowestBit64( others )].current ^= BitOf( slot );
    }
}

/// Makes the committed rows the current ones.
static void BeginRows( const Matrix* matrix )
{
    for ( uint32_t slot = 0; slot < matrix->rowCount; ++slot )
    {
        RowsOf( matrix )[slot].current = RowsOf( matrix )[slot].committed;
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
    CLT_TRY( AddRows( matrix, upload->slotCount ) );
    for ( uint32_t i = 0; i < upload->changedCount; ++i )
    {
        changed |= BitOf( upload->changed[i] );
        if ( ( upload->states[upload->changed[i]] & CLT_SLOT_DESTROYED ) != 0 )
        {
            ForgetPairs( matrix, upload->changed[i] );
        }
    }
    BeginRows( matrix );
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

/// Adds the keys of a row's pairs with higher slots, in canonical order.
static void AddKeys( uint64_t row, uint32_t slot, bool began, uint32_t slotBits, cltPairBlock* keys )
{
    const uint64_t beganBit = began ? cltPairKey_BeganBit( slotBits ) : 0u;
    const uint64_t above = ~( BitOf( slot ) | ( BitOf( slot ) - 1u ) );
    for ( uint64_t others = row & above; others != 0; others &= others - 1u )
    {
        cltPairBlock_Add( keys, cltPairKey( slot, cltLowestBit64( others ), slotBits ) | beganBit );
    }
}

static void AddAllPairs( const Matrix* matrix, uint32_t slotBits, cltPairBlock* keys )
{
    for ( uint32_t slot = 0; slot < matrix->rowCount; ++slot )
    {
        AddKeys( RowsOf( matrix )[slot].current, slot, true, slotBits, keys );
    }
}

/// Adds the pairs that ended, or those that began.
static void AddChanges( const Matrix* matrix, bool began, uint32_t slotBits, cltPairBlock* keys )
{
    for ( uint64_t rest = matrix->differing; rest != 0; rest &= rest - 1u )
    {
        const uint32_t slot = cltLowestBit64( rest );
        const Row row = RowsOf( matrix )[slot];
        AddKeys( began ? row.current & ~row.committed : row.committed & ~row.current, slot, began, slotBits, keys );
    }
}

static cltStatus FindInMatrix( cltHostAlgorithm* algorithm, cltFind find, const cltSearchInput* input,
                               cltPairSink* sink )
{
    const Matrix* matrix = (const Matrix*)algorithm;
    const uint32_t slotBits = cltIndexBits( input->slots.count );
    cltPairBlock keys;
    cltPairBlock_Init( &keys, sink );
    if ( find == clt_findPairs )
    {
        AddAllPairs( matrix, slotBits, &keys );
    }
    else
    {
        AddChanges( matrix, false, slotBits, &keys );
        AddChanges( matrix, true, slotBits, &keys );
    }
    cltPairBlock_Flush( &keys );
    sink->isOrdered = true;
    return clt_ok;
}

static void CommitMatrix( cltHostAlgorithm* algorithm )
{
    Matrix* matrix = (Matrix*)algorithm;
    for ( uint32_t slot = 0; slot < matrix->rowCount; ++slot )
    {
        RowsOf( matrix )[slot].committed = RowsOf( matrix )[slot].current;
    }
}

static cltStatus RestoreMatrix( cltHostAlgorithm* algorithm, const cltSearchInput* committed )
{
    (void)committed;
    Matrix* matrix = (Matrix*)algorithm;
    BeginRows( matrix );
    return clt_ok;
}

uint64_t cltPairMatrix_PairsOf( const cltHostAlgorithm* algorithm, uint32_t slot )
{
    const Matrix* matrix = (const Matrix*)algorithm;
    return slot < matrix->rowCount ? RowsOf( matrix )[slot].committed : 0u;
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
    cltBuffer_Release( &matrix->rows, matrix->memory );
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
