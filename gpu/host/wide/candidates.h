// SPDX-License-Identifier: Zlib
/// \file candidates.h
/// Searching lanes against boxes near them. What meets the box around the searching lanes is noted down; then each box
/// noted is tested against all lanes of the searching block. So nothing but numbers of lanes is copied, and with 32
/// vector registers, as AVX-512 has, the searching block stays in them.
#ifndef CLT_HOST_WIDE_CANDIDATES_H
#define CLT_HOST_WIDE_CANDIDATES_H

#include "gpu/host/wide/measure.h"

/// The lanes of a block, as bits, that overlap the box in lane `lane` of the other.
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

/// The lanes of a record with which the box is what is looked for, as bits.
CLT_SPECIALIZED uint32_t FoundIn( Record record, cltWideFind find )
{
    const uint32_t now = (uint32_t)record & CLT_ALL_LANES;
    const uint32_t before = (uint32_t)record >> 16;
    return find == clt_wideChanges ? cltPairChange_Lanes( before, now ) : now | before;
}

/// Adds a hit for each lane of the searching block that `lanes` names. There must be room for CLT_LANE_COUNT.
static inline void AddHits( const Searcher* searcher, uint32_t lanes, uint32_t found )
{
    Hits* hits = searcher->hits;
    for ( uint32_t i = 0; i < CLT_LANE_COUNT; ++i ) // as one store, whichever count
    {
        hits->found[hits->count + i] = found;
    }
    hits->count += cltLanes_List( hits->of + hits->count, searcher->block * CLT_LANE_COUNT, lanes );
}

/// The same of a record, for whatever the lanes' boxes say: changes are few, mostly one a record.
CLT_SPECIALIZED void AddChanges( const Searcher* searcher, Record record, cltWideFind find )
{
    Hits* hits = searcher->hits;
    const uint32_t lane = (uint32_t)( record >> 32 );
    for ( uint32_t found = FoundIn( record, find ); found != 0; found &= found - 1u )
    {
        const uint32_t i = (uint32_t)__builtin_ctz( found );
        const bool now = ( record >> i & 1u ) != 0;
        const bool before = ( record >> ( 16u + i ) & 1u ) != 0;
        hits->of[hits->count] = searcher->block * CLT_LANE_COUNT + i;
        hits->found[hits->count++] = lane | cltPairChange( before, now ) << CLT_FOUND_SHIFT;
    }
}

/// Turns a record into hits.
CLT_SPECIALIZED void Unfold( const Searcher* searcher, Record record, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    if ( searcher->hits->count > HIT_CAPACITY - CLT_LANE_COUNT )
    {
        FlushHits( search, searcher->hits );
    }
    if ( find == clt_widePairs )
    {
        AddHits( searcher, (uint32_t)record & CLT_ALL_LANES,
                 (uint32_t)( record >> 32 ) | (uint32_t)CLT_PAIR_BEGAN << CLT_FOUND_SHIFT );
    }
    else
    {
        AddChanges( searcher, record, find );
    }
}

/// Both boxes of every lane of a block.
typedef struct LaneBoxes
{
    cltBoxes now[CLT_BLOCK_VECTORS];
    cltBoxes before[CLT_BLOCK_VECTORS];
} LaneBoxes;

/// Tests the box in a lane, of whatever block, against the lanes of the searching block that `allowed` names.
CLT_SPECIALIZED Record TestLane( const LaneBoxes* own, const cltWideSearch* search, uint32_t lane, uint32_t allowed,
                                 cltWideFind find )
{
    const uint32_t block = lane / CLT_LANE_COUNT;
    const uint32_t now = OverlapLane( own->now, search->now + block, lane % CLT_LANE_COUNT ) & allowed;
    uint32_t before = 0;
    if ( LooksAtBoth( find ) )
    {
        before = OverlapLane( own->before, BeforeOf( search, block ), lane % CLT_LANE_COUNT ) & allowed;
    }
    return now | before << 16 | (Record)lane << 32;
}

/// Tests the searching lanes against all candidates, which empties the list, and, with `self`, against each other.
/// Whether a test finds anything is a coin toss, so each leaves a record, and the next one takes its place if it is
/// empty.
CLT_SPECIALIZED void TestCandidates( Searcher* searcher, bool self, cltWideFind find )
{
    if ( find == clt_wideSlack )
    {
        MeasureCandidates( searcher );
        return;
    }
    if ( searcher->candidateCount == 0 && !self )
    {
        return; // half of the blocks, where only some may pair: their boxes need not be fetched
    }
    const cltWideSearch* search = searcher->search;
    LaneBoxes own;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        own.now[part] = cltBoxes_Load( search->now + searcher->block, part );
        own.before[part] = cltBoxes_Load( search->before + searcher->block, part );
    }
    Record records[RECORD_CAPACITY];
    uint32_t recordCount = 0;
    for ( uint32_t rest = self ? searcher->lanes : 0u; rest != 0; rest &= rest - 1u )
    {
        const uint32_t lane = (uint32_t)__builtin_ctz( rest );
        records[recordCount] = TestLane( &own, search, searcher->block * CLT_LANE_COUNT + lane,
                                         SelfLanes( searcher, lane ) & CLT_ALL_LANES, find );
        recordCount += FoundIn( records[recordCount], find ) != 0;
    }
    for ( uint32_t i = 0; i < searcher->candidateCount; ++i )
    {
        records[recordCount] = TestLane( &own, search, searcher->candidates[i], searcher->lanes, find );
        recordCount += FoundIn( records[recordCount], find ) != 0;
    }
    for ( uint32_t i = 0; i < recordCount; ++i )
    {
        Unfold( searcher, records[i], find );
    }
    searcher->candidateCount = 0;
}

/// Adds what meets the searcher's box in a block.
CLT_SPECIALIZED void VisitBlock( Searcher* searcher, uint32_t block, uint32_t allowed, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    const cltBoxLanes* now = search->now + block;
    const cltBoxLanes* before = LooksAtBoth( find ) ? BeforeOf( search, block ) : now;
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
