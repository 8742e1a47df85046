// SPDX-License-Identifier: Zlib
/// \file wide_kernels_body.h
/// The loops that take the time, in the operations of simd.h. Included by one small file for each instruction set, which
/// defines CLT_KERNELS, the name of the table to fill, and CLT_KERNELS_SIMD.
///
/// A search goes in three steps: walk the tree with the box around the searching lanes; pack every box that meets it,
/// with its lane, into a dense list of candidates; test each searching lane against the whole list. So the blocks' loose
/// fit is paid for once a block, and the tests that remain run over full vectors.
#ifndef CLT_HOST_WIDE_KERNELS_BODY_H
#define CLT_HOST_WIDE_KERNELS_BODY_H

#include "gpu/host/simd.h"
#include "gpu/host/wide_kernels.h"

#include <math.h>

/// Searches are specialised for what they look for: the compiler has to see it as a constant.
#if defined( __GNUC__ )
#define CLT_SPECIALIZED static inline __attribute__( ( always_inline ) )
#else
#define CLT_SPECIALIZED static inline
#endif

/// Candidates that are collected before they are tested: they stay in the first level cache.
#define CANDIDATE_CAPACITY 256u

/// One vector of candidates gives at most CLT_LANE_COUNT vectors of hits.
#define HIT_CAPACITY ( 768u + CLT_LANE_COUNT * CLT_WIDTH )

/// Levels of the tree times the children of a node.
#define STACK_SIZE ( CLT_BOX_TREE_LEVELS * CLT_LANE_COUNT )

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

// -------------------------------------------------------------------------------------------------------- blocks

static void BoundRows( const cltBoxLanes* block, cltFloats lower[3], cltFloats upper[3] )
{
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const cltBoxes boxes = cltBoxes_Load( block, part );
        for ( int axis = 0; axis < 3; ++axis )
        {
            lower[axis] = cltFloats_Min( boxes.rows[axis], lower[axis] );
            upper[axis] = cltFloats_Max( boxes.rows[axis + 3], upper[axis] );
        }
    }
}

static cltAabb Bound( const cltBoxLanes* now, const cltBoxLanes* before )
{
    cltFloats lower[3];
    cltFloats upper[3];
    for ( int axis = 0; axis < 3; ++axis )
    {
        lower[axis] = cltFloats_Splat( INFINITY );
        upper[axis] = cltFloats_Splat( -INFINITY );
    }
    BoundRows( now, lower, upper );
    if ( before != NULL )
    {
        BoundRows( before, lower, upper );
    }
    cltAabb bounds;
    for ( int axis = 0; axis < 3; ++axis )
    {
        bounds.lower[axis] = cltFloats_Lowest( lower[axis] );
        bounds.upper[axis] = cltFloats_Highest( upper[axis] );
    }
    return bounds;
}

static cltFloats LongestEdges( const cltBoxes* boxes )
{
    cltFloats longest = cltFloats_Subtract( boxes->rows[3], boxes->rows[0] );
    for ( int axis = 1; axis < 3; ++axis )
    {
        longest = cltFloats_Max( cltFloats_Subtract( boxes->rows[axis + 3], boxes->rows[axis] ), longest );
    }
    return longest;
}

/// The same question as cltJumped, lane by lane. A lane without one of the boxes has not jumped: its sums are NaN.
static uint32_t FindStrays( const cltBoxLanes* now, const cltBoxLanes* before, float largest )
{
    uint32_t strays = 0;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const cltBoxes is = cltBoxes_Load( now, part );
        const cltBoxes was = cltBoxes_Load( before, part );
        cltBoxes both;
        for ( int axis = 0; axis < 3; ++axis )
        {
            both.rows[axis] = cltFloats_Min( is.rows[axis], was.rows[axis] );
            both.rows[axis + 3] = cltFloats_Max( is.rows[axis + 3], was.rows[axis + 3] );
        }
        const cltFloats edge = LongestEdges( &is );
        const cltFloats room = cltFloats_Add( edge, LongestEdges( &was ) );
        const cltFlags far = cltFloats_Less( cltFloats_Add( room, room ), LongestEdges( &both ) );
        const cltFlags large = cltFloats_Less( cltFloats_Splat( largest ), edge );
        strays |= ( cltFlags_Bits( far ) | cltFlags_Bits( large ) ) << ( part * CLT_WIDTH );
    }
    return strays;
}

// ------------------------------------------------------------------------------------------------------ candidates

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

static void FlushHits( const cltWideSearch* search, Hits* hits )
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
CLT_SPECIALIZED void TestLane( const Searcher* searcher, uint32_t lane, const cltBoxes* now, const cltBoxes* before,
                               cltWords lanes, uint32_t allowed, cltWideFind find )
{
    Hits* hits = searcher->hits;
    const float* is = searcher->search->now[searcher->block].lower[0] + lane;
    const cltFlags overlap = cltBoxes_Overlap( now, is, CLT_LANE_COUNT );
    uint32_t found = cltFlags_Bits( overlap );
    if ( find != clt_widePairs )
    {
        const float* was = searcher->search->before[searcher->block].lower[0] + lane;
        const cltFlags overlapped = cltBoxes_Overlap( before, was, CLT_LANE_COUNT );
        const uint32_t foundBefore = cltFlags_Bits( overlapped );
        found = find == clt_wideChanges ? found ^ foundBefore : found | foundBefore;
        lanes = cltWords_Mark( lanes, overlapped, CLT_WIDE_WAS );
    }
    found &= allowed;
    lanes = cltWords_Mark( lanes, overlap, CLT_WIDE_IS );
    cltWords_Pack( hits->found + hits->count, lanes, cltKeep_Make( found ) );
    cltWords_Fill( hits->of + hits->count, searcher->block * CLT_LANE_COUNT + lane );
    hits->count += (uint32_t)__builtin_popcount( found );
}

/// Tests all searching lanes against all candidates, and empties the list.
CLT_SPECIALIZED void TestCandidates( const Searcher* searcher, cltWideFind find )
{
    Candidates* candidates = searcher->candidates;
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
        const cltWords lanes = cltWords_Load( candidates->lanes + first );
        const bool self = candidates->hasSelf && first < CLT_LANE_COUNT;
        for ( uint32_t rest = searcher->lanes; rest != 0; rest &= rest - 1u )
        {
            const uint32_t lane = (uint32_t)__builtin_ctz( rest );
            const uint32_t allowed = self ? SelfLanes( searcher, lane ) >> first : CLT_ALL_LANES;
            TestLane( searcher, lane, &now, &before, lanes, allowed, find );
        }
        if ( searcher->hits->count > HIT_CAPACITY - CLT_LANE_COUNT * CLT_WIDTH - CLT_WIDTH )
        {
            FlushHits( searcher->search, searcher->hits );
        }
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
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const cltBoxes is = cltBoxes_Load( search->now + block, part );
        const cltBoxes was = cltBoxes_Load( before, part );
        const cltWords lanes = cltWords_CountFrom( block * CLT_LANE_COUNT + part * CLT_WIDTH );
        TestLane( searcher, lane, &is, &was, lanes, allowed >> ( part * CLT_WIDTH ), find );
    }
    if ( searcher->hits->count > HIT_CAPACITY - CLT_LANE_COUNT * CLT_WIDTH - CLT_WIDTH )
    {
        FlushHits( search, searcher->hits );
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

// --------------------------------------------------------------------------------------------------------- walking

/// The children of a node with an index in [first, last], as bits.
static inline uint32_t ChildrenWithin( uint32_t node, uint32_t first, uint32_t last )
{
    const uint32_t start = node * CLT_LANE_COUNT;
    const uint32_t from = first > start ? first - start : 0u;
    const uint32_t to = last - start; // no less than 0: nodes beyond the last are not visited
    const uint32_t below = from < CLT_LANE_COUNT ? CLT_ALL_LANES << from : 0u;
    return to < CLT_LANE_COUNT - 1u ? below & ~( ~1u << to ) : below & CLT_ALL_LANES;
}

static inline void PrefetchBlock( const cltBoxLanes* block )
{
    for ( int row = 0; row < 6; ++row )
    {
        __builtin_prefetch( cltRow( block, row ) );
    }
}

/// Visits the blocks under the tree from `first` to `last` that the searcher's box meets. Two-sided, a block's own movers
/// are left out in blocks before the searching one, for they find it themselves.
CLT_SPECIALIZED void WalkTree( const Searcher* searcher, uint32_t first, uint32_t last, bool twoSided,
                               cltWideFind find )
{
    const cltBoxTree* tree = searcher->search->tree;
    uint32_t stack[STACK_SIZE]; // level above, node below
    uint32_t size = 0;
    stack[size++] = ( tree->levelCount - 1u ) << 28;
    while ( size > 0 )
    {
        const uint32_t level = stack[--size] >> 28;
        const uint32_t node = stack[size] & 0x0fffffffu;
        const uint32_t shift =
            CLT_LANE_BITS * ( level - 1u ); // a child there has so many bits of a block's index below
        uint32_t near = cltBlock_Overlap( tree->levels[level] + node, &searcher->box );
        near &= ChildrenWithin( node, first >> shift, last >> shift );
        if ( level == 1u )
        {
            for ( uint32_t rest = near; rest != 0; rest &= rest - 1u )
            {
                const uint32_t block = node * CLT_LANE_COUNT + (uint32_t)__builtin_ctz( rest ) + CLT_ASIDE_BLOCKS;
                PrefetchBlock( searcher->search->now + block );
                if ( find != clt_widePairs )
                {
                    PrefetchBlock( BeforeOf( searcher->search, block ) );
                }
            }
        }
        for ( ; near != 0; near &= near - 1u )
        {
            const uint32_t child = node * CLT_LANE_COUNT + (uint32_t)__builtin_ctz( near );
            if ( level > 1u )
            {
                stack[size++] = ( ( level - 1u ) << 28 ) | child;
                continue;
            }
            const uint32_t block = child + CLT_ASIDE_BLOCKS;
            if ( !twoSided )
            {
                VisitBlock( searcher, block, CLT_ALL_LANES, find );
            }
            else if ( block != searcher->block )
            {
                const uint32_t movers = searcher->search->movers[block];
                VisitBlock( searcher, block, block < searcher->block ? ~movers : CLT_ALL_LANES, find );
            }
        }
    }
}

CLT_SPECIALIZED void SearchBlock( Searcher* searcher, uint32_t block, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    searcher->block = block;
    searcher->lanes = CLT_ALL_LANES;
    searcher->selfMovers = CLT_ALL_LANES;
    searcher->isSingle = false;
    AddSelf( searcher, find );
    if ( block < CLT_ASIDE_BLOCKS )
    {
        searcher->box = Bound( search->now + block, search->before + block );
    }
    else
    {
        const uint32_t leaf = block - CLT_ASIDE_BLOCKS;
        searcher->box = cltBoxLanes_Get( search->tree->levels[1] + leaf / CLT_LANE_COUNT, leaf % CLT_LANE_COUNT );
        if ( block + 1u < search->orderedEnd )
        {
            WalkTree( searcher, leaf + 1u, search->orderedEnd - CLT_ASIDE_BLOCKS - 1u, false, find );
        }
    }
    for ( uint32_t a = block < CLT_ASIDE_BLOCKS ? block + 1u : 0u; a < search->asideBlockCount; ++a )
    {
        VisitBlock( searcher, a, CLT_ALL_LANES, find );
    }
    TestCandidates( searcher, find );
}

/// The box around what the lanes hold.
static cltAabb BoundLanes( const cltWideSearch* search, uint32_t block, uint32_t lanes )
{
    cltAabb bounds = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for ( ; lanes != 0; lanes &= lanes - 1u )
    {
        const uint32_t lane = (uint32_t)__builtin_ctz( lanes );
        const cltBoxLanes* both[2] = { search->now + block, search->before + block };
        for ( int i = 0; i < 2; ++i )
        {
            const cltAabb box = cltBoxLanes_Get( both[i], lane );
            bounds = cltAabb_Union( &box, &bounds ); // a NaN loses when it comes first
        }
    }
    return bounds;
}

CLT_SPECIALIZED void SearchLanes( Searcher* searcher, uint32_t block, uint32_t lanes, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    searcher->block = block;
    searcher->lanes = lanes;
    searcher->selfMovers = search->movers[block];
    searcher->box = BoundLanes( search, block, lanes );
    searcher->isSingle = ( lanes & ( lanes - 1u ) ) == 0;
    if ( searcher->isSingle )
    {
        TestBlock( searcher, block, SelfLanes( searcher, (uint32_t)__builtin_ctz( lanes ) ), find );
    }
    else
    {
        AddSelf( searcher, find );
    }
    if ( search->blockCount > CLT_ASIDE_BLOCKS )
    {
        WalkTree( searcher, 0, search->blockCount - CLT_ASIDE_BLOCKS - 1u, true, find );
    }
    for ( uint32_t a = 0; a < search->asideBlockCount; ++a )
    {
        if ( a != block )
        {
            VisitBlock( searcher, a, a < block ? ~(uint32_t)search->movers[a] : CLT_ALL_LANES, find );
        }
    }
    if ( !searcher->isSingle )
    {
        TestCandidates( searcher, find );
    }
}

/// Movers of one block search together, for they are neighbours. Strays and bodies set aside are not.
CLT_SPECIALIZED void SearchMoversOf( Searcher* searcher, uint32_t block, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    uint32_t lanes = search->movers[block];
    if ( block >= CLT_ASIDE_BLOCKS && block < search->orderedEnd )
    {
        SearchLanes( searcher, block, lanes, find );
        return;
    }
    for ( ; lanes != 0; lanes &= lanes - 1u )
    {
        SearchLanes( searcher, block, lanes & ( 0u - lanes ), find );
    }
}

// --------------------------------------------------------------------------------------------------------- kernels

CLT_SPECIALIZED void SearchBlocksFor( Searcher* searcher, uint32_t first, uint32_t last, cltWideFind find )
{
    for ( uint32_t block = first; block < last; ++block )
    {
        SearchBlock( searcher, block, find );
    }
}

CLT_SPECIALIZED void SearchMoversFor( Searcher* searcher, const uint32_t* blocks, uint32_t count, cltWideFind find )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        SearchMoversOf( searcher, blocks[i], find );
    }
}

static void SearchBlocks( const cltWideSearch* search, uint32_t first, uint32_t last )
{
    Candidates candidates;
    Hits hits;
    hits.count = 0;
    cltPairBlock_Init( &hits.keys, search->sink );
    Searcher searcher = { .search = search, .candidates = &candidates, .hits = &hits };
    switch ( search->find )
    {
    case clt_wideChanges:
        SearchBlocksFor( &searcher, first, last, clt_wideChanges );
        break;
    case clt_wideTouching:
        SearchBlocksFor( &searcher, first, last, clt_wideTouching );
        break;
    case clt_widePairs:
        SearchBlocksFor( &searcher, first, last, clt_widePairs );
        break;
    }
    FlushHits( search, &hits );
    cltPairBlock_Flush( &hits.keys );
}

static void SearchMovers( const cltWideSearch* search, const uint32_t* blocks, uint32_t count )
{
    Candidates candidates;
    Hits hits;
    hits.count = 0;
    cltPairBlock_Init( &hits.keys, search->sink );
    Searcher searcher = { .search = search, .candidates = &candidates, .hits = &hits };
    switch ( search->find )
    {
    case clt_wideChanges:
        SearchMoversFor( &searcher, blocks, count, clt_wideChanges );
        break;
    case clt_wideTouching:
        SearchMoversFor( &searcher, blocks, count, clt_wideTouching );
        break;
    case clt_widePairs:
        SearchMoversFor( &searcher, blocks, count, clt_widePairs );
        break;
    }
    FlushHits( search, &hits );
    cltPairBlock_Flush( &hits.keys );
}

extern const cltWideKernels CLT_KERNELS;

const cltWideKernels CLT_KERNELS = { .simd = CLT_KERNELS_SIMD,
                                     .bound = Bound,
                                     .findStrays = FindStrays,
                                     .searchBlocks = SearchBlocks,
                                     .searchMovers = SearchMovers };

#endif
