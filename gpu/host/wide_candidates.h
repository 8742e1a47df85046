// SPDX-License-Identifier: Zlib
/// \file wide_candidates.h
/// Searching lanes against boxes near them, in the operations of simd.h. What meets the box around the searching lanes is
/// packed, with its lane, into a dense list; then each lane is tested against the whole list. So the blocks' loose fit is
/// paid for once a block, and the tests that remain run over full vectors.
#ifndef CLT_HOST_WIDE_CANDIDATES_H
#define CLT_HOST_WIDE_CANDIDATES_H

#include "gpu/host/simd.h"
#include "gpu/host/wide_kernels.h"

/// Searches are specialised for what they look for: the compiler has to see it as a constant.
#if defined( __GNUC__ )
#define CLT_SPECIALIZED static inline __attribute__( ( always_inline ) )
#else
#define CLT_SPECIALIZED static inline
#endif

/// Candidates that are collected before they are tested: they stay in the first level cache.
#define CANDIDATE_CAPACITY 256u

/// Every searching lane against every vector of candidates.
#define RECORD_CAPACITY ( CLT_LANE_COUNT * ( CANDIDATE_CAPACITY + CLT_LANE_COUNT ) / CLT_WIDTH )

/// Hits to collect before they are reported.
#define HIT_CAPACITY 512u

/// Boxes packed side by side, with room for a vector behind the last.
typedef struct Candidates
{
    float now[6][CANDIDATE_CAPACITY + CLT_LANE_COUNT];
    float before[6][CANDIDATE_CAPACITY + CLT_LANE_COUNT];
    uint32_t lanes[CANDIDATE_CAPACITY + CLT_LANE_COUNT];
    uint32_t count;
    bool hasSelf; ///< the first CLT_LANE_COUNT are the searching block itself
} Candidates;

typedef struct Hits
{
    uint32_t of[HIT_CAPACITY];
    uint32_t found[HIT_CAPACITY];
    uint32_t count;
    cltPairBlock keys;
} Hits;

/// What came out of testing one lane against a vector of candidates:
///
///     bit  47 .. 36                   35 .. 32    31 .. 16    15 .. 0
///          first of the candidates    lane        overlapped  overlap     a bit a candidate
typedef uint64_t Record;

/// Who searches: some lanes of a block, inside one box.
typedef struct Searcher
{
    const cltWideSearch* search;
    uint32_t block;
    uint32_t lanes;
    uint32_t selfMovers; ///< lanes of the block that find the others of the block themselves
    bool isSingle;       ///< one lane searches, block by block
    cltAabb box;
    Candidates* candidates;
    Hits* hits;
} Searcher;

/// The searching block itself goes first and unpacked, so that a candidate's place tells its lane.
CLT_SPECIALIZED void AddSelf( const Searcher* searcher, cltWideFind find )
{
    Candidates* candidates = searcher->candidates;
    const cltBoxLanes* now = searcher->search->now + searcher->block;
    const cltBoxLanes* before = searcher->search->before + searcher->block;
    for ( uint32_t part = 0; part < CLT_LANE_COUNT; part += CLT_WIDTH )
    {
        for ( int row = 0; row < 6; ++row )
        {
            cltFloats_Store( candidates->now[row] + part, cltFloats_Load( cltRow( now, row ) + part ) );
            if ( find != clt_widePairs )
            {
                cltFloats_Store( candidates->before[row] + part, cltFloats_Load( cltRow( before, row ) + part ) );
            }
        }
        cltWords_Store( candidates->lanes + part, cltWords_CountFrom( searcher->block * CLT_LANE_COUNT + part ) );
    }
    candidates->count = CLT_LANE_COUNT;
    candidates->hasSelf = true;
}

/// Where nothing moved, the previous boxes are the present ones, and half of the memory need not be touched.
static inline const cltBoxLanes* BeforeOf( const cltWideSearch* search, uint32_t block )
{
    return search->onlyMoversDiffer && search->movers[block] == 0 ? search->now + block : search->before + block;
}

/// Packs the lanes of a block that `kept` names.
CLT_SPECIALIZED void AddLanes( const Searcher* searcher, uint32_t block, uint32_t kept, cltWideFind find )
{
    Candidates* candidates = searcher->candidates;
    const cltBoxLanes* now = searcher->search->now + block;
    const cltBoxLanes* before = BeforeOf( searcher->search, block );
    for ( uint32_t part = 0; part < CLT_LANE_COUNT; part += CLT_WIDTH )
    {
        const uint32_t lanes = kept >> part & ( CLT_ALL_LANES >> ( CLT_LANE_COUNT - CLT_WIDTH ) );
        const cltKeep keep = cltKeep_Make( lanes );
        const uint32_t end = candidates->count;
        for ( int row = 0; row < 6; ++row )
        {
            cltFloats_Pack( candidates->now[row] + end, cltRow( now, row ) + part, keep );
            if ( find != clt_widePairs )
            {
                cltFloats_Pack( candidates->before[row] + end, cltRow( before, row ) + part, keep );
            }
        }
        cltWords_Pack( candidates->lanes + end, cltWords_CountFrom( block * CLT_LANE_COUNT + part ), keep );
        candidates->count = end + (uint32_t)__builtin_popcount( lanes );
    }
}

static inline void FlushHits( const cltWideSearch* search, Hits* hits )
{
    cltWide_Report( search, hits->of, hits->found, hits->count, &hits->keys );
    hits->count = 0;
}

/// Candidates of the searching block itself that lane `lane` has to test: not itself, and not those that test it.
static inline uint32_t SelfLanes( const Searcher* searcher, uint32_t lane )
{
    const uint32_t later = ~1u << lane;
    return later | ( ~searcher->selfMovers & ~( 1u << lane ) );
}

/// Tests one lane against one vector of candidates. `allowed` are the candidates to look at.
CLT_SPECIALIZED Record TestLane( const Searcher* searcher, uint32_t lane, const cltBoxes* now, const cltBoxes* before,
                                 uint32_t allowed, cltWideFind find )
{
    const float* is = searcher->search->now[searcher->block].lower[0] + lane;
    const uint32_t overlap = cltFlags_Bits( cltBoxes_Overlap( now, is, CLT_LANE_COUNT ) ) & allowed;
    uint32_t overlapped = 0;
    if ( find != clt_widePairs )
    {
        const float* was = searcher->search->before[searcher->block].lower[0] + lane;
        overlapped = cltFlags_Bits( cltBoxes_Overlap( before, was, CLT_LANE_COUNT ) ) & allowed;
    }
    return overlap | overlapped << 16 | (Record)lane << 32;
}

/// The candidates of a record that are what is looked for, as bits.
CLT_SPECIALIZED uint32_t FoundIn( Record record, cltWideFind find )
{
    const uint32_t overlap = (uint32_t)record & CLT_ALL_LANES;
    const uint32_t overlapped = (uint32_t)record >> 16;
    return find == clt_wideChanges ? overlap ^ overlapped : overlap | overlapped;
}

/// Turns a record into hits. `lanes` are those of its candidates.
CLT_SPECIALIZED void Unfold( const Searcher* searcher, Record record, const uint32_t* lanes, cltWideFind find )
{
    Hits* hits = searcher->hits;
    if ( hits->count > HIT_CAPACITY - CLT_LANE_COUNT )
    {
        FlushHits( searcher->search, hits );
    }
    const uint32_t of = searcher->block * CLT_LANE_COUNT + ( (uint32_t)( record >> 32 ) & ( CLT_LANE_COUNT - 1u ) );
    for ( uint32_t found = FoundIn( record, find ); found != 0; found &= found - 1u )
    {
        const uint32_t i = (uint32_t)__builtin_ctz( found );
        const uint32_t is = (uint32_t)record >> i & 1u;
        const uint32_t was = (uint32_t)record >> ( 16u + i ) & 1u;
        hits->of[hits->count] = of;
        hits->found[hits->count++] = lanes[i] | is * CLT_WIDE_IS | was * CLT_WIDE_WAS;
    }
}

/// Tests all searching lanes against all candidates, and empties the list. Whether a test finds anything is a coin toss,
/// so each leaves a record, and the next one takes its place if it is empty.
CLT_SPECIALIZED void TestCandidates( const Searcher* searcher, cltWideFind find )
{
    Candidates* candidates = searcher->candidates;
    Record records[RECORD_CAPACITY];
    uint32_t recordCount = 0;
    for ( int row = 0; row < 6; ++row ) // nothing overlaps what fills the last vector up
    {
        cltFloats_Store( candidates->now[row] + candidates->count, cltFloats_Splat( cltNan() ) );
        cltFloats_Store( candidates->before[row] + candidates->count, cltFloats_Splat( cltNan() ) );
    }
    for ( uint32_t first = 0; first < candidates->count; first += CLT_WIDTH )
    {
        cltBoxes now;
        cltBoxes before;
        for ( int row = 0; row < 6; ++row )
        {
            now.rows[row] = cltFloats_Load( candidates->now[row] + first );
            before.rows[row] = cltFloats_Load( candidates->before[row] + first );
        }
        const bool self = candidates->hasSelf && first < CLT_LANE_COUNT;
        for ( uint32_t rest = searcher->lanes; rest != 0; rest &= rest - 1u )
        {
            const uint32_t lane = (uint32_t)__builtin_ctz( rest );
            const uint32_t allowed = self ? SelfLanes( searcher, lane ) >> first & CLT_ALL_LANES : CLT_ALL_LANES;
            const Record record = TestLane( searcher, lane, &now, &before, allowed, find );
            records[recordCount] = record | (Record)first << 36;
            recordCount += FoundIn( record, find ) != 0;
        }
    }
    for ( uint32_t i = 0; i < recordCount; ++i )
    {
        Unfold( searcher, records[i], candidates->lanes + ( records[i] >> 36 ), find );
    }
    candidates->count = 0;
    candidates->hasSelf = false;
}

/// Tests one searching lane against a block as it is: a single lane needs no list.
CLT_SPECIALIZED void TestBlock( const Searcher* searcher, uint32_t block, uint32_t allowed, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    const cltBoxLanes* before = find != clt_widePairs ? BeforeOf( search, block ) : search->now + block;
    const uint32_t lane = (uint32_t)__builtin_ctz( searcher->lanes );
    for ( uint32_t part = 0; part < CLT_LANE_COUNT; part += CLT_WIDTH )
    {
        const cltBoxes is = cltBoxes_Load( search->now + block, part / CLT_WIDTH );
        const cltBoxes was = cltBoxes_Load( before, part / CLT_WIDTH );
        const Record record = TestLane( searcher, lane, &is, &was, allowed >> part & CLT_ALL_LANES, find );
        if ( FoundIn( record, find ) != 0 )
        {
            uint32_t lanes[CLT_WIDTH];
            cltWords_Store( lanes, cltWords_CountFrom( block * CLT_LANE_COUNT + part ) );
            Unfold( searcher, record, lanes, find );
        }
    }
}

/// Adds what meets the searcher's box in a block.
CLT_SPECIALIZED void VisitBlock( const Searcher* searcher, uint32_t block, uint32_t allowed, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    if ( searcher->isSingle )
    {
        TestBlock( searcher, block, allowed, find );
        return;
    }
    const cltBoxLanes* now = search->now + block;
    const cltBoxLanes* before = find != clt_widePairs ? BeforeOf( search, block ) : now;
    uint32_t near = cltBlock_Overlap( now, &searcher->box );
    if ( before != now )
    {
        near |= cltBlock_Overlap( before, &searcher->box );
    }
    near &= allowed;
    if ( near == 0 )
    {
        return;
    }
    if ( searcher->candidates->count > CANDIDATE_CAPACITY - CLT_LANE_COUNT )
    {
        TestCandidates( searcher, find );
    }
    AddLanes( searcher, block, near, find );
}

#endif
