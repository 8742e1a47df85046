// SPDX-License-Identifier: Zlib
/// \file candidates.h
/// Candidates: lanes with a box that overlaps the box around the searching lanes. First they are listed; then each
/// candidate is tested against all lanes of the searching block. So only lane numbers are copied, and with the 32
/// vector registers of AVX-512 the searching block stays in registers.
#ifndef CLT_HOST_WIDE_CANDIDATES_H
#define CLT_HOST_WIDE_CANDIDATES_H

#include "gpu/host/wide/measure.h"

/// The lanes of a block that overlap the box in lane `lane` of block `other`, as bits.
CLT_SPECIALIZED uint32_t OverlapLane( const cltBoxes* boxes, const cltBoxLanes* other, uint32_t lane )
{
    uint32_t hits = 0;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const cltFlags hit = cltBoxes_Overlap( boxes + part, other->lower[0] + lane, CLT_LANE_COUNT );
        hits |= cltFlags_Bits( hit ) << ( part * CLT_WIDTH );
    }
    return hits;
}

/// Both boxes of every lane of a block.
typedef struct LaneBoxes
{
    cltBoxes now[CLT_BLOCK_VECTORS];
    cltPreviousBoxes before;
} LaneBoxes;

/// Tests the box in lane `lane`, which may be of any block, against the `allowed` lanes of the searching block.
CLT_SPECIALIZED Record TestLane( const LaneBoxes* own, const cltWideSearch* search, uint32_t lane, uint32_t allowed,
                                 cltWideFind find )
{
    const uint32_t block = lane / CLT_LANE_COUNT;
    const uint32_t now = OverlapLane( own->now, search->current + block, lane % CLT_LANE_COUNT ) & allowed;
    uint32_t before = 0;
    if ( TestsPreviousBoxes( find ) )
    {
        const float* other = PreviousBoxesOf( search, block )->lower[0] + lane % CLT_LANE_COUNT;
        CLT_HIDE_ORIGIN( other ); // else gcc computes the address in two places, and separates loads from splats
        before = cltPreviousBoxes_Overlap( &own->before, other, CLT_LANE_COUNT ) & allowed;
    }
    return now | before << 16 | (Record)lane << 32;
}

/// Tests the searching lanes against all candidates and, with `self`, against each other. Empties the candidates' list.
/// Each test writes a record without a branch; an empty record is overwritten by the next.
CLT_SPECIALIZED void TestCandidates( Searcher* searcher, bool self, cltWideFind find )
{
    if ( find == clt_wideMeasure )
    {
        MeasureCandidates( searcher );
        return;
    }
    if ( searcher->candidateCount == 0 && !self )
    {
        return; // without reading boxes. If filters reject many pairs, half of the blocks return here
    }
    const cltWideSearch* search = searcher->search;
    LaneBoxes own;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        own.now[part] = cltBoxes_Load( search->current + searcher->block, part );
    }
    own.before = cltPreviousBoxes_Load( search->previous + searcher->block );
    Record records[RECORD_CAPACITY];
    uint32_t recordCount = 0;
    for ( uint32_t rest = self ? searcher->lanes : 0u; rest != 0; rest &= rest - 1u )
    {
        const uint32_t lane = cltLowestBit( rest );
        records[recordCount] = TestLane( &own, search, searcher->block * CLT_LANE_COUNT + lane,
                                         SelfLanes( searcher, lane ) & CLT_ALL_LANES, find );
        recordCount += PairedLanes( records[recordCount], find ) != 0;
    }
    for ( uint32_t i = 0; i < searcher->candidateCount; ++i )
    {
        records[recordCount] = TestLane( &own, search, searcher->candidates[i], searcher->lanes, find );
        recordCount += PairedLanes( records[recordCount], find ) != 0;
    }
    RecordsToHits( searcher, records, recordCount, find );
    searcher->candidateCount = 0;
}

/// Adds to the candidates those `allowed` lanes of a block that overlap the searcher's box.
CLT_SPECIALIZED void VisitBlock( Searcher* searcher, uint32_t block, uint32_t allowed, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    const cltBoxLanes* now = search->current + block;
    const cltBoxLanes* before = TestsPreviousBoxes( find ) ? PreviousBoxesOf( search, block ) : now;
    uint32_t near = cltBlock_Overlap( now, &searcher->box );
    if ( before != now )
    {
        near |= cltBlock_Overlap( before, &searcher->box );
    }
    if ( searcher->candidateCount > CANDIDATE_CAPACITY - CLT_LANE_COUNT )
    {
        TestCandidates( searcher, false, find );
    }
    searcher->candidateCount +=
        cltLanes_List( searcher->candidates + searcher->candidateCount, block * CLT_LANE_COUNT, near & allowed );
}

#endif
