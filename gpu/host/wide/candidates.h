// SPDX-License-Identifier: Zlib
/// \file candidates.h
/// Searching lanes against boxes near them. What meets the box around the searching lanes is noted down; then each box
/// noted is tested against all lanes of the searching block. So nothing but numbers of lanes is copied, and with 32
/// vector registers, as AVX-512 has, the searching block stays in them.
#ifndef CLT_HOST_WIDE_CANDIDATES_H
#define CLT_HOST_WIDE_CANDIDATES_H

#include "gpu/host/wide/kernels.h"
#include "gpu/host/wide/simd.h"

/// Candidates that are collected before they are tested: mostly some thirty, whose boxes are still in the cache.
#define CANDIDATE_CAPACITY 256u

/// Every candidate, and the lanes of the searching block.
#define RECORD_CAPACITY ( CANDIDATE_CAPACITY + CLT_LANE_COUNT )

/// Hits to collect before they are reported.
#define HIT_CAPACITY 512u

typedef struct Hits
{
    uint32_t of[HIT_CAPACITY];
    uint32_t found[HIT_CAPACITY];
    uint32_t count;
    cltPairBlock keys;
} Hits;

/// What came out of testing one box against all lanes of the searching block:
///
///     bit  61 .. 32              31 .. 16      15 .. 0
///          lane of the box       before        now         a bit a lane of the searching block
typedef uint64_t Record;

/// Who searches: some lanes of a block, inside one box.
typedef struct Searcher
{
    const cltWideSearch* search;
    uint32_t block;
    uint32_t lanes;
    uint32_t selfMovers; ///< lanes of the block that find the others of the block themselves
    cltAabb box;
    cltFilter filter;     ///< of all searching lanes; only where search->filters are
    uint32_t* candidates; ///< lanes; room for CANDIDATE_CAPACITY
    uint32_t candidateCount;
    Hits* hits;
} Searcher;

/// True if boxes before are as good a reason to look closer as boxes now.
CLT_SPECIALIZED bool LooksAtBoth( cltWideFind find )
{
    return find == clt_wideChanges || find == clt_wideTouching;
}

/// Where nothing moved, the boxes before are those now, and half of the memory need not be touched.
static inline const cltBoxLanes* BeforeOf( const cltWideSearch* search, uint32_t block )
{
    return search->onlyMoversDiffer && search->movers[block] == 0 ? search->now + block : search->before + block;
}

static inline void FlushHits( const cltWideSearch* search, Hits* hits )
{
    cltWide_Report( search, hits->of, hits->found, hits->count, &hits->keys );
    hits->count = 0;
}

/// The other lanes of the searching block that lane `lane`, which is one of selfMovers, has to test: not itself, and
/// not those that test it.
static inline uint32_t SelfLanes( const Searcher* searcher, uint32_t lane )
{
    const uint32_t later = ~1u << lane;
    return later | ~searcher->selfMovers;
}

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
static inline void AddHits( const Searcher* searcher, uint32_t lanes, uint32_t lane, uint32_t change )
{
    Hits* hits = searcher->hits;
    for ( uint32_t i = 0; i < CLT_LANE_COUNT; ++i ) // as one store; how many count is not to be foreseen
    {
        hits->found[hits->count + i] = lane | change << CLT_FOUND_SHIFT;
    }
    hits->count += cltLanes_List( hits->of + hits->count, searcher->block * CLT_LANE_COUNT, lanes );
}

/// Turns a record into hits.
CLT_SPECIALIZED void Unfold( const Searcher* searcher, Record record, cltWideFind find )
{
    const uint32_t lane = (uint32_t)( record >> 32 );
    const uint32_t now = (uint32_t)record & CLT_ALL_LANES;
    const uint32_t before = (uint32_t)record >> 16;
    if ( searcher->hits->count > HIT_CAPACITY - 3u * CLT_LANE_COUNT )
    {
        FlushHits( searcher->search, searcher->hits );
    }
    AddHits( searcher, now & ~before, lane, CLT_PAIR_BEGAN );
    if ( LooksAtBoth( find ) )
    {
        AddHits( searcher, before & ~now, lane, CLT_PAIR_ENDED );
    }
    if ( find == clt_wideTouching || ( find == clt_wideBegan && !searcher->search->boxesDecide ) )
    {
        AddHits( searcher, before & now, lane, CLT_PAIR_KEPT );
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

/// Adds what was before to a record of what is now. Lanes that met before as well are left out, if that decides it.
CLT_SPECIALIZED Record LookBack( const LaneBoxes* own, const cltWideSearch* search, Record record )
{
    const uint32_t lane = (uint32_t)( record >> 32 );
    const uint32_t now = (uint32_t)record & CLT_ALL_LANES;
    const uint32_t before =
        OverlapLane( own->before, search->before + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT ) & now;
    return search->boxesDecide ? (Record)lane << 32 | ( now & ~before ) : record | before << 16;
}

/// Tests the searching lanes against all candidates, which empties the list, and, with `self`, against each other.
/// Whether a test finds anything is a coin toss, so each leaves a record, and the next one takes its place if it is
/// empty.
CLT_SPECIALIZED void TestCandidates( Searcher* searcher, bool self, cltWideFind find )
{
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
        Unfold( searcher, find == clt_wideBegan ? LookBack( &own, search, records[i] ) : records[i], find );
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
