// SPDX-License-Identifier: Zlib
// Fronts over many updates, against brute force. Bodies move slowly or fast, jump, get other filters and are sorted
// again. Memory is short or refused. After every update the entries cover each pair of leaves once.
extern "C" {
#include "gpu/host/front.h"
#include "gpu/host/level_tree.h"
}

#include "tests/support/boxes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

using namespace test;

namespace
{

const uint32_t frontSlotBits = 12;

/// An allocator that refuses all allocations from a given one on.
struct Purse
{
    uint64_t count = 0;
    uint64_t refusedFrom = UINT64_MAX;

    static void* allocate( size_t size, size_t alignment, void* context )
    {
        Purse* purse = static_cast<Purse*>( context );
        const size_t whole = ( size + alignment - 1 ) / alignment * alignment; // aligned_alloc requires a multiple
        return ++purse->count >= purse->refusedFrom ? nullptr : std::aligned_alloc( alignment, whole );
    }

    static void release( void* memory, size_t, void* )
    {
        std::free( memory );
    }
};

cltAabbD toWide( const cltAabb& box )
{
    return toDouble( box );
}

cltAabbD toWide( const cltAabbD& box )
{
    return box;
}

/// Bodies in leaf order, their tree and a front in it.
template <typename Box>
class FrontWorld
{
public:
    FrontWorld( uint32_t count, double reach, uint64_t seed, int threads = 1 ) : m_random( seed ), m_order( count )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.hooks.allocate = Purse::allocate;
        def.hooks.release = Purse::release;
        def.hooks.userContext = &purse;
        def.threadCount = threads;
        cltMemory_Init( &m_memory, &def );
        EXPECT_EQ( clt_ok, cltCreateWorkerPool( &def, &m_memory, &m_pool ) );
        EXPECT_EQ( clt_ok, cltBuffer_Reserve( &m_sink.buffer, &m_memory, 1 << 18, sizeof( uint64_t ) ) );
        for ( const cltAabbD& cube : randomCubes( m_random, count, reach ) )
        {
            m_now.push_back( boxOf( cube ) );
        }
        m_before = m_now;
        m_filters.assign( count, defaultFilter );
        m_filtersBefore = m_filters;
        std::iota( m_order.begin(), m_order.end(), 0u );
        sort();
    }

    ~FrontWorld()
    {
        cltFront_Release( &front, &m_memory );
        cltLevelStorage_Release( &m_room, &m_memory );
        cltBuffer_Release( &m_sink.buffer, &m_memory );
        cltDestroyWorkerPool( m_pool, &m_memory );
        EXPECT_EQ( 0u, m_memory.bytes );
    }

    FrontWorld( const FrontWorld& ) = delete;

    void move( double way )
    {
        for ( Box& box : m_now )
        {
            const double x = m_random.between( -way, way ), y = m_random.between( -way, way );
            const double z = m_random.between( -way, way ), growth = m_random.between( -way, way );
            cltAabbD cube = wide( box );
            cube.lower[0] += x, cube.upper[0] += x;
            cube.lower[1] += y, cube.upper[1] += y;
            cube.lower[2] += z, cube.upper[2] += z + growth;
            cube.upper[2] = std::max( cube.upper[2], cube.lower[2] );
            box = boxOf( cube );
        }
    }

    /// Moves bodies with an even index by `way` along x, and the others by -way.
    void meet( double way )
    {
        for ( size_t i = 0; i < m_now.size(); ++i )
        {
            cltAabbD box = wide( m_now[i] );
            box.lower[0] += i % 2 == 0 ? way : -way;
            box.upper[0] += i % 2 == 0 ? way : -way;
            m_now[i] = boxOf( box );
        }
    }

    void jump( uint32_t body, double reach )
    {
        m_now[body] = boxOf( randomCube( m_random, reach ) );
        m_jumped.insert( body );
        m_isSameOrder = false;
    }

    /// Makes a body infinite for good.
    void stretch( uint32_t body )
    {
        m_now[body] = boxOf( span( 0, infinity ) );
    }

    void refilter( uint32_t body )
    {
        m_filters[body] = { 1 << m_random.below( 2 ), int32_t( 1 + m_random.below( 3 ) ) };
        m_isRefiltered = true;
    }

    void refilterAll( const cltFilter& filter )
    {
        m_filters.assign( m_filters.size(), filter );
        m_isRefiltered = true;
    }

    /// Gives the tree another order of leaves in the next update.
    void sort()
    {
        std::sort( m_order.begin(), m_order.end(),
                   [this]( uint32_t a, uint32_t b ) { return wide( m_now[a] ).lower[0] < wide( m_now[b] ).lower[0]; } );
        m_isSameOrder = false;
    }

    /// Declares the order to be that of the last update.
    void keepOrder()
    {
        m_isSameOrder = true;
    }

    void shuffle()
    {
        for ( size_t i = m_order.size(); i > 1; --i )
        {
            std::swap( m_order[i - 1], m_order[m_random.below( uint32_t( i ) )] );
        }
        m_isSameOrder = false;
    }

    cltStatus search()
    {
        begin();
        return searchAgain();
    }

    cltStatus searchAgain()
    {
        m_sink.next = 0;
        return cltFront_FindChanges( &front, &m_scene, &m_sink, m_pool, &m_memory );
    }

    /// Expects that the search found the pairs of brute force, and that the front is a cut.
    void expectRight()
    {
        uint64_t* keys = static_cast<uint64_t*>( m_sink.buffer.data );
        std::sort( keys, keys + m_sink.next );
        cltPairSink_DropKept( &m_sink, frontSlotBits ); // of bodies with large displacements
        const std::vector<uint64_t> found( keys, keys + m_sink.next );
        ASSERT_EQ( expected(), found );
        const uint64_t leafCount = cltLevels_LeafCount( &m_tree.levels );
        ASSERT_EQ( leafCount * ( leafCount - 1 ) / 2, cltFront_CoveredCount( &front, &m_tree ) );
    }

    void commit()
    {
        m_before = m_now;
        m_filtersBefore = m_filters;
        m_isRefiltered = false;
        m_isSameOrder = m_jumped.empty();
        m_jumped.clear();
    }

    void update()
    {
        ASSERT_EQ( clt_ok, search() );
        ASSERT_NO_FATAL_FAILURE( expectRight() );
        commit();
    }

    /// Box tests of a search that begins at the root.
    uint64_t testsFromTheRoot() const
    {
        const cltPairTree trees = { &m_tree, &m_tree };
        const uint32_t root = m_tree.levels.starts[m_tree.levels.top];
        std::vector<cltPairPlace> stack = { cltPairPlace_Make( &trees, root, root ) };
        uint64_t tests = 0;
        while ( !stack.empty() )
        {
            const cltPairPlace place = stack.back();
            stack.pop_back();
            tests += !cltPairTree_IsSelf( &trees, &place );
            if ( cltPairTree_Meets( &trees, &place ) )
            {
                cltPairPlace below[CLT_MOST_PAIRS_BELOW];
                stack.insert( stack.end(), below, below + cltPairTree_Below( &trees, &place, below ) );
            }
        }
        return tests;
    }

    void begin();

    cltFront front = {};
    Purse purse;

private:
    static cltAabbD wide( const Box& box )
    {
        return toWide( box );
    }

    static Box boxOf( const cltAabbD& box );

    void addLeaf( uint32_t body, uint32_t kind )
    {
        m_records.push_back( { m_now[body], m_before[body], cltLeafRef_Make( body, kind ), {} } );
    }

    void addLeaves( uint32_t body )
    {
        if ( m_jumped.count( body ) > 0 )
        {
            addLeaf( body, CLT_LEAF_CURRENT );
            addLeaf( body, CLT_LEAF_PREVIOUS );
            return;
        }
        const bool isStill = std::memcmp( &m_now[body], &m_before[body], sizeof( Box ) ) == 0 && !m_isRefiltered;
        addLeaf( body, isStill ? CLT_LEAF_STILL : CLT_LEAF_MOVED );
    }

    std::vector<uint64_t> expected() const
    {
        std::vector<uint64_t> keys;
        for ( uint32_t i = 0; i < m_now.size(); ++i )
        {
            for ( uint32_t j = i + 1; j < m_now.size(); ++j )
            {
                const bool wasPair = overlaps( wide( m_before[i] ), wide( m_before[j] ) ) &&
                                     mayPair( m_filtersBefore[i], m_filtersBefore[j] );
                const bool isPair =
                    overlaps( wide( m_now[i] ), wide( m_now[j] ) ) && mayPair( m_filters[i], m_filters[j] );
                if ( wasPair != isPair )
                {
                    keys.push_back( cltPairKey( i, j, frontSlotBits ) |
                                    ( isPair ? cltPairKey_BeganBit( frontSlotBits ) : 0 ) );
                }
            }
        }
        std::sort( keys.begin(), keys.end() );
        return keys;
    }

    Random m_random;
    std::vector<uint32_t> m_order;
    std::vector<Box> m_now, m_before;
    std::vector<cltFilter> m_filters, m_filtersBefore;
    std::vector<std::conditional_t<sizeof( Box ) == sizeof( cltAabbD ), cltLeafD, cltLeaf>> m_records;
    std::set<uint32_t> m_jumped; ///< bodies that jumped since the last commit; they have a previous and a current leaf
    bool m_isSameOrder = false;
    bool m_isRefiltered = false;
    cltMemory m_memory = {};
    cltWorkerPool* m_pool = nullptr;
    cltLevelStorage m_room = {};
    cltLevelTree m_tree = {};
    cltLeaves m_leaves = {};
    cltFrontScene m_scene = {};
    cltPairSink m_sink = {};
};

template <typename Box>
void FrontWorld<Box>::begin()
{
    m_records.clear();
    std::for_each( m_order.begin(), m_order.end(), [this]( uint32_t body ) { addLeaves( body ); } );
    const uint32_t count = uint32_t( m_records.size() );
    const uint32_t room = ( count + CLT_FRONT_LEAF_MULTIPLE - 1 ) / CLT_FRONT_LEAF_MULTIPLE * CLT_FRONT_LEAF_MULTIPLE;
    ASSERT_EQ( clt_ok, cltLevelStorage_Make( &m_room, &m_memory, room, false, &m_tree ) );
    m_leaves = { m_records.data(),
                 { m_filters.data(), m_isRefiltered ? m_filtersBefore.data() : m_filters.data() },
                 sizeof( Box ) == sizeof( cltAabbD ),
                 frontSlotBits,
                 count };
    for ( uint32_t i = 0; i < room; ++i )
    {
        m_tree.nodes[i] = i < count ? cltLevelNode{ cltLeaves_Cover( &m_leaves, i ), cltLeaves_Filter( &m_leaves, i ) }
                                    : cltLevelNode_Empty();
    }
    cltLevelTree_Join( &m_tree, m_pool );
    m_scene = { &m_tree, &m_leaves, count };
    cltFront_BeginUpdate( &front, &m_scene, m_isSameOrder, m_pool );
}

template <>
cltAabb FrontWorld<cltAabb>::boxOf( const cltAabbD& box )
{
    return toFloat( box );
}

template <>
cltAabbD FrontWorld<cltAabbD>::boxOf( const cltAabbD& box )
{
    return box;
}

template <typename Box>
class FrontUpdates : public testing::Test
{
};

using BothPrecisions = testing::Types<cltAabb, cltAabbD>;
TYPED_TEST_SUITE( FrontUpdates, BothPrecisions );

} // namespace

TYPED_TEST( FrontUpdates, FindChangesAtAnySpeed )
{
    for ( double way : { 0.0, 0.0001, 0.001, 0.01, 0.1, 1.0 } )
    {
        FrontWorld<TypeParam> world( 150, 3, 5 );
        for ( int update = 0; update < 150; ++update )
        {
            world.move( way );
            ASSERT_NO_FATAL_FAILURE( world.update() ) << "way " << way << ", update " << update;
        }
    }
}

TYPED_TEST( FrontUpdates, FindChangesOfBodiesThatApproachEachOther )
{
    FrontWorld<TypeParam> world( 150, 3, 5 );
    for ( int update = 0; update < 400; ++update )
    {
        world.meet( update % 100 < 50 ? 0.02 : -0.02 );
        ASSERT_NO_FATAL_FAILURE( world.update() ) << "update " << update;
    }
}

TYPED_TEST( FrontUpdates, FindChangesWithLargeDisplacementsFiltersAndNewOrders )
{
    FrontWorld<TypeParam> world( 200, 4, 6, 3 );
    for ( uint32_t update = 0; update < 300; ++update )
    {
        world.move( 0.02 );
        if ( update % 7 == 3 )
        {
            world.jump( update % 200, 4 );
        }
        if ( update % 11 == 5 )
        {
            world.refilter( update % 200 );
        }
        if ( update % 17 == 8 )
        {
            world.sort();
        }
        if ( update % 31 == 9 )
        {
            world.shuffle();
        }
        ASSERT_NO_FATAL_FAILURE( world.update() ) << "update " << update;
    }
}

/// While filters change, nodes have the union of both, so the front still descends to the previous pairs.
TYPED_TEST( FrontUpdates, ClearTheFrontWhenFiltersRejectAllPairs )
{
    const uint32_t entryCount = CLT_FRONT_LEAF_MULTIPLE - 1; // the two below each node of the tree
    FrontWorld<TypeParam> world( 200, 2, 15 );
    for ( int update = 0; update < 40; ++update )
    {
        world.move( 0.001 );
        if ( update % 8 == 2 || update % 8 == 4 )
        {
            world.refilterAll( { 1, update % 8 == 2 ? -1 : 0 } );
        }
        ASSERT_NO_FATAL_FAILURE( world.update() ) << "update " << update;
        if ( update % 8 == 4 )
        {
            EXPECT_LT( 4000u, cltFront_Size( &world.front ) ) << "update " << update;
        }
        if ( update % 8 == 5 )
        {
            EXPECT_EQ( entryCount, cltFront_Size( &world.front ) ) << "update " << update;
        }
    }
}

TYPED_TEST( FrontUpdates, FindChangesFarFromTheOriginAndAtInfinity )
{
    FrontWorld<TypeParam> world( 60, 3, 8 );
    for ( uint32_t update = 0; update < 100; ++update )
    {
        world.move( update < 50 ? 0.01 : 1e6 );
        if ( update == 20 || update == 60 )
        {
            world.stretch( 3 );
        }
        ASSERT_NO_FATAL_FAILURE( world.update() ) << "update " << update;
    }
}

TYPED_TEST( FrontUpdates, FindChangesInRepeatedAndUncommittedUpdates )
{
    FrontWorld<TypeParam> world( 150, 3, 9 );
    for ( int update = 0; update < 60; ++update )
    {
        world.move( 0.01 );
        if ( update % 4 == 1 )
        {
            world.jump( uint32_t( update ), 3 );
        }
        ASSERT_EQ( clt_ok, world.search() );
        ASSERT_EQ( clt_ok, world.searchAgain() );
        ASSERT_NO_FATAL_FAILURE( world.expectRight() );
        if ( update % 3 == 0 )
        {
            world.move( 0.01 );
            ASSERT_EQ( clt_ok, world.search() );
            ASSERT_NO_FATAL_FAILURE( world.expectRight() );
        }
        world.commit();
    }
}

TYPED_TEST( FrontUpdates, FindChangesAfterAnOrderThatWasNotSearched )
{
    FrontWorld<TypeParam> world( 150, 3, 13 );
    for ( int update = 0; update < 40; ++update )
    {
        world.move( 0.01 );
        world.shuffle();
        world.begin();
        world.keepOrder();
        ASSERT_NO_FATAL_FAILURE( world.update() ) << "update " << update;
    }
}

TEST( FrontMemory, GrowsIfItIsTooSmall )
{
    FrontWorld<cltAabb> world( 1500, 8, 10, 3 );
    ASSERT_NO_FATAL_FAILURE( world.update() );
    const uint64_t count = world.front.count - world.front.holeCount;
    EXPECT_LT( 2080u, count ) << "more than it began with";
    for ( int update = 0; update < 3; ++update )
    {
        world.shuffle();
        ASSERT_NO_FATAL_FAILURE( world.update() );
    }
    EXPECT_LT( 2 * count, world.front.count ) << "in a bad order more pairs of nodes meet";
    world.sort();
    ASSERT_NO_FATAL_FAILURE( world.update() );
    EXPECT_EQ( count, world.front.count - world.front.holeCount ) << "entries went up to where they were";
}

TEST( FrontMemory, UpdatesAreRightAfterAnyFailedAllocation )
{
    for ( uint64_t k = 1; k < 12; ++k )
    {
        FrontWorld<cltAabb> world( 300, 3, 11 );
        ASSERT_NO_FATAL_FAILURE( world.update() );
        world.shuffle();
        world.purse.refusedFrom = world.purse.count + k;
        const cltStatus status = world.search();
        if ( k == 1 )
        {
            ASSERT_EQ( clt_hostMemory, status );
        }
        world.purse.refusedFrom = UINT64_MAX;
        ASSERT_NO_FATAL_FAILURE( world.update() ) << k;
        world.move( 0.01 );
        ASSERT_NO_FATAL_FAILURE( world.update() ) << k;
    }
}

TEST( Front, TestsFewPairsOfSlowBodies )
{
    FrontWorld<cltAabb> world( 1000, 7, 12 );
    ASSERT_NO_FATAL_FAILURE( world.update() );
    uint64_t tests = 0;
    uint64_t testsFromTheRoot = 0;
    for ( int update = 0; update < 50; ++update )
    {
        world.move( 0.005 );
        ASSERT_EQ( clt_ok, world.search() );
        world.commit();
        tests += world.front.testCount;
        testsFromTheRoot += world.testsFromTheRoot();
    }
    EXPECT_LT( 5 * tests, testsFromTheRoot ) << "7.5 times as many when this was written";
}
