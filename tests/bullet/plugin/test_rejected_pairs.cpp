// SPDX-License-Identifier: Zlib
// Pairs that a filter callback rejected: when and how often it is asked about them again, and when their memory is
// freed. And dense bodies that groups and masks keep from pairing: they cost no more than bodies without overlaps.
#include "tests/bullet/support/block_count.h"
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

#include "broadphase/CulletFilterCensus.h"
#include "pair_cache/CulletPairNote.h"

using namespace test;

namespace
{

/// Coincident boxes in a broadphase with a filter callback that can change its answer.
struct Heap : Arena
{
    explicit Heap( int count, btOverlappingPairCache* givenCache = nullptr )
        : Arena( culletAuto, 1, 1, nullptr, givenCache )
    {
        cache.setOverlapFilterCallback( &filter );
        bodies.createAt( cube( 0, 0, 0, 1 ), count );
    }

    ~Heap()
    {
        cache.setOverlapFilterCallback( nullptr );
    }

    /// Sets the body's box, shifted by `shift`.
    void set( size_t at, btScalar shift )
    {
        bodies.move( bodies.at( at ), cube( shift, 0, 0, 1 ) );
    }

    void setAll( btScalar shift )
    {
        for ( size_t i = 0; i < bodies.size(); ++i ) // the filter may destroy bodies meanwhile
        {
            set( i, shift );
        }
    }

    /// How often an update asks the filter.
    int countAsksOfUpdate()
    {
        askCount = 0;
        bodies.update();
        return askCount;
    }

    int askCount = 0;
    std::function<bool()> answer = [] { return false; };
    Filter filter{ [this]( const auto&, const auto& ) { return ++askCount, answer(); } };
};

class RejectedPairs : public OwnAndGivenCache
{
};

INSTANTIATE_TEST_SUITE_P(, RejectedPairs, testing::Bool(), cacheName );

TEST( RejectedPairsOfTheOwnCache, AllowTheFilterToDestroyABodyWhenAskedAgain )
{
    for ( const size_t destroyed : { 0u, 7u } )
    {
        Heap heap( 8 );
        heap.bodies.update();
        EXPECT_EQ( 0, heap.pairCount() );
        heap.answer = [&]
        {
            const bool isDestroyer = heap.bodies.size() == 8;
            isDestroyer ? heap.bodies.destroy( destroyed ) : void();
            return !isDestroyer;
        };
        for ( const btScalar shift : { btScalar( 0.1 ), btScalar( 0.2 ) } ) // the second time also for the first pair
        {
            heap.setAll( shift );
            EXPECT_GE( 1 + 21, heap.countAsksOfUpdate() ) << "more than once about a pair";
        }
        EXPECT_TRUE( heap.hasExpectedPairs() );
        EXPECT_EQ( 21, heap.pairCount() );
    }
}

/// The filter callback is replaced, then removed, while no box is set.
TEST_P( RejectedPairs, AreOfferedToAnotherFilterAndAddedWithoutOne )
{
    Heap heap( 4, cache() );
    EXPECT_EQ( 0, heap.countAsksOfUpdate() ) << "it was asked when the boxes were created";
    EXPECT_EQ( 0, heap.pairCount() );
    Filter other( []( const auto& a, const auto& ) { return a.m_uniqueId == 1; } );
    heap.cache.setOverlapFilterCallback( &other );
    heap.bodies.update();
    EXPECT_EQ( 3, heap.pairCount() );
    heap.cache.setOverlapFilterCallback( nullptr );
    heap.bodies.update();
    EXPECT_TRUE( heap.hasExpectedPairs() );
}

/// The searches right after boxes are set leave a rejected pair to the update that follows, which asks once about it.
TEST( RejectedPairsOfTheOwnCache, AreOfferedOnceAStep )
{
    Heap heap( 2 );
    for ( int step = 1; step <= 4; ++step )
    {
        heap.set( 0, btScalar( step ) / 8 );
        heap.bodies.move( heap.bodies.at( 1 ), cube( 0, btScalar( step ) / 8, 0, 1 ) );
        heap.bodies.update();
        EXPECT_EQ( step, heap.askCount );
    }
    heap.bodies.moveAll( []( const Body& body ) { return body.box; } );
    heap.bodies.update();
    EXPECT_EQ( 4, heap.askCount ) << "no box has changed";
}

/// Bullet sets all boxes in every step. The filter is not asked about unchanged boxes, unless a mask was edited: the
/// filter may depend on the mask.
TEST_P( RejectedPairs, AreOfferedOnlyForBoxesAndMasksThatChanged )
{
    const int count = 100;
    Heap heap( count, cache() );
    heap.bodies.update();
    EXPECT_EQ( count * ( count - 1 ) / 2, heap.askCount );
    heap.setAll( 0 );
    EXPECT_EQ( 0, heap.countAsksOfUpdate() );
    for ( const btScalar shift : { btScalar( 0.5 ), btScalar( 0 ) } )
    {
        heap.askCount = 0;
        heap.set( count - 1, shift );
        EXPECT_EQ( 0, heap.askCount );
        EXPECT_EQ( count - 1, heap.countAsksOfUpdate() ) << "for the one box that moved";
    }
    heap.bodies.at( 7 ).proxies[0]->m_collisionFilterMask = 6;
    heap.setAll( 0 );
    EXPECT_EQ( count - 1, heap.countAsksOfUpdate() );
    heap.setAll( 0 );
    EXPECT_EQ( 0, heap.countAsksOfUpdate() );
    heap.setAll( btScalar( 0.5 ) );
    EXPECT_EQ( count * ( count - 1 ) / 2, heap.countAsksOfUpdate() );
    heap.setAll( btScalar( 0.5 ) );
    EXPECT_EQ( 0, heap.countAsksOfUpdate() );
}

/// After many overlapping bodies have separated or are destroyed, the memory of their pairs is freed.
TEST_P( RejectedPairs, FreeTheirMemory )
{
    const int count = 400;
    const size_t atLeast = count * ( count - 1 ) / 2 * sizeof( CulletProxyPair );
    for ( const bool areDestroyed : { false, true } )
    {
        const BlockCount blocks;
        Heap heap( 0, cache() );
        for ( int i = 0; i < count; ++i )
        {
            heap.bodies.create( cube( btScalar( 2 * i ), 0, 0, 1 ) );
        }
        heap.bodies.update();
        const size_t apart = blocks.held();
        heap.setAll( 0 );
        heap.bodies.update();
        EXPECT_GT( blocks.held(), apart + atLeast );
        for ( int i = 2; i < count; ++i )
        {
            areDestroyed ? heap.bodies.destroy( 2 ) : heap.set( size_t( i ), btScalar( 2 * i ) );
        }
        heap.bodies.update();
        EXPECT_LT( blocks.held(), apart + atLeast / 10 );
    }
}

/// Bodies of one group that their masks reject, and six steps in which they move a little.
struct Debris : Arena
{
    Debris( btOverlappingPairCache* givenCache, int count, btScalar distance )
        : Arena( culletAuto, 1, 1, nullptr, givenCache )
    {
        for ( int i = 0; i < count; ++i )
        {
            bodies.create( cube( btScalar( i ) * distance, 0, 0, 1 ), 2, ~2 );
        }
        runSteps();
    }

    void runSteps()
    {
        for ( int step = 0; step < 6; ++step )
        {
            const btVector3 way( 0, btScalar( step % 2 ? 0.01 : -0.01 ), 0 );
            bodies.moveAll( [way]( const Body& body ) { return Box{ body.box.lower + way, body.box.upper + way }; } );
            bodies.update();
        }
    }
};

TEST( FilteredDebris, NeedsNoMemoryForPairs )
{
    const std::function<btOverlappingPairCache*()> caches[] = {
        [] { return nullptr; }, [] { return new btHashedOverlappingPairCache; },
        [] { return new btSortedOverlappingPairCache; }, [] { return new CountingCache; } };
    for ( const auto& makeCache : caches )
    {
        const Debris first( makeCache(), 1, 0 ); // allocates what a program allocates once for this class
        size_t bytes[2];
        for ( const int distance : { 0, 10 } )
        {
            const BlockCount blocks;
            const Debris debris( makeCache(), 500, btScalar( distance ) );
            bytes[distance != 0] = blocks.bytes();
        }
        EXPECT_EQ( bytes[1], bytes[0] );
    }
}

/// A cache is asked about debris in each step only if it has a rule of its own; otherwise only after masks are edited.
TEST( FilteredDebris, CallsNoCacheWithBulletsFilterUntilAMaskIsEdited )
{
    EitherSideCache* asked = new EitherSideCache;
    const Debris withOwnFilter( asked, 50, 0 );
    EXPECT_EQ( 6 * 50 * 49 / 2, asked->addCalls ) << "in each of six steps";
    EXPECT_EQ( 0, withOwnFilter.pairCount() );

    CountingCache* cache = new CountingCache;
    Debris debris( cache, 50, 0 );
    EXPECT_EQ( 0, cache->addCalls + cache->removeCalls );
    for ( const size_t edited : { 7u, 8u } )
    {
        debris.bodies.at( edited ).mask = debris.bodies.at( edited ).proxies[0]->m_collisionFilterMask = -1;
    }
    debris.runSteps();
    EXPECT_TRUE( debris.hasExactPairs() );
    EXPECT_EQ( 1, cache->addCalls );
}

/// More bodies than an update checks for edited masks. The edits of the last body are read only when it is set.
struct LongRow : Arena
{
    explicit LongRow( btOverlappingPairCache* given ) : Arena( culletAuto, 1, 1, nullptr, given )
    {
        for ( int i = 0; i < 16 * CulletBroadphase::LOOKS; ++i )
        {
            bodies.create( cube( btScalar( 2 * i ), 0, 0, 1 ) );
        }
        bodies.update();
    }

    Body& first()
    {
        return bodies.at( 0 );
    }

    Body& last()
    {
        return bodies.at( bodies.size() - 1 );
    }

    static void edit( Body& body, int mask )
    {
        body.proxies[0]->m_collisionFilterMask = mask;
    }

    /// Moves the first body onto the last one.
    int pairCountAfterMovingFirst( btScalar shift )
    {
        bodies.move( first(), cube( btScalar( 2 * ( bodies.size() - 1 ) ) + shift, 0, 0, 1 ) );
        bodies.update();
        return pairCountAfterSetting( first() ); // asks a callback that was asked in the search right after the move
    }

    /// Sets the body to the box that it has.
    int pairCountAfterSetting( Body& body )
    {
        bodies.move( body, body.box );
        bodies.update();
        return pairCount();
    }
};

Filter masksFilter()
{
    return Filter(
        []( const auto& a, const auto& b )
        {
            return ( a.m_collisionFilterGroup & b.m_collisionFilterMask ) != 0 &&
                   ( b.m_collisionFilterGroup & a.m_collisionFilterMask ) != 0;
        } );
}

/// A given cache rejects a pair by an edited mask, and the edit is reverted before the broadphase reads the mask.
TEST( FilteredDebris, FindsThePairWhenAnEditIsReverted )
{
    LongRow row( new btHashedOverlappingPairCache );
    row.edit( row.last(), 0 );
    EXPECT_EQ( 0, row.pairCountAfterMovingFirst( 0 ) );
    row.edit( row.last(), -1 );
    EXPECT_EQ( 1, row.pairCountAfterSetting( row.last() ) );
}

/// The same with a callback that compares masks: once as the pair begins, once as it is offered again.
TEST_P( RejectedPairs, AreOfferedWhenAnEditIsReverted )
{
    for ( const bool isOfferedAgain : { false, true } )
    {
        Filter filter = masksFilter();
        LongRow row( cache() );
        row.cache.setOverlapFilterCallback( &filter );
        row.bodies.update(); // reads all masks
        row.edit( row.first(), isOfferedAgain ? 0 : -1 );
        row.edit( row.last(), isOfferedAgain ? -1 : 0 );
        EXPECT_EQ( 0, row.pairCountAfterMovingFirst( 0 ) );
        row.edit( row.first(), -1 );
        row.edit( row.last(), 0 );
        EXPECT_EQ( 0, row.pairCountAfterMovingFirst( btScalar( 0.25 ) ) );
        row.edit( row.last(), -1 );
        EXPECT_EQ( 1, row.pairCountAfterSetting( row.last() ) ) << isOfferedAgain;
        row.cache.setOverlapFilterCallback( nullptr );
    }
}

/// A body is marked because its box changed, and destroyed. The body that takes its place is not marked.
TEST_P( RejectedPairs, OfADestroyedBodyAreNotThoseOfTheNext )
{
    Heap heap( 2, cache() );
    heap.bodies.update();
    heap.set( 1, btScalar( 0.1 ) );
    heap.bodies.destroy( 1 );
    heap.bodies.update(); // the next body gets the memory of the destroyed one
    heap.bodies.create( cube( 0, 0, 0, 1 ) );
    heap.askCount = 0;
    for ( int update = 0; update < 2; ++update )
    {
        heap.bodies.update();
        heap.setAll( 0 );
    }
    EXPECT_EQ( 0, heap.askCount );
}

/// The only group that the mask of the new body accepts was edited in place, and no update has read it.
TEST( FilteredDebris, MeetsAtOnceABodyWithAnEditedGroup )
{
    Arena arena( culletAuto, 1, 1 );
    arena.bodies.create( cube( 0, 0, 0, 1 ), 4, -1 );
    arena.bodies.update();
    arena.bodies.at( 0 ).group = arena.bodies.at( 0 ).proxies[0]->m_collisionFilterGroup = 1;
    arena.bodies.create( cube( 0, 0, 0, 1 ), 2, 1 );
    EXPECT_EQ( 1, arena.cache.getNumOverlappingPairs() );
    EXPECT_TRUE( arena.hasExactPairs() );
}

/// Nothing is set, so the new body alone makes the first update look for the edited mask. The second one changes
/// nothing.
TEST( FilteredDebris, IsReadInTheUpdateAfterABodyWasCreated )
{
    for ( const bool isReadFirst : { false, true } )
    {
        Arena arena( culletAuto, 1, 1 );
        arena.bodies.create( cube( 0, 0, 0, 1 ), 1, 0 );
        arena.bodies.create( cube( 0, 0, 0, 1 ) );
        arena.bodies.update();
        arena.bodies.at( 0 ).mask = arena.bodies.at( 0 ).proxies[0]->m_collisionFilterMask = -1;
        arena.bodies.create( cube( 0, 0, 0, 1 ) );
        if ( isReadFirst )
        {
            EXPECT_EQ( 2, arena.pairCount() ) << "those of the new body";
        }
        arena.bodies.update();
        EXPECT_EQ( 3, arena.pairCount() );
        arena.bodies.update();
        EXPECT_EQ( 3, arena.pairCount() );
    }
}

/// NULL, for the broadphase's own cache, and a cache of Bullet's.
std::vector<btOverlappingPairCache*> givenCaches()
{
    return { nullptr, new btHashedOverlappingPairCache };
}

/// In the last step nothing is set, so the removed pair alone makes the update look for the edited mask.
TEST( FilteredDebris, GetsAPairBackThatTheApplicationRemovedAfterAMaskWasEdited )
{
    for ( btOverlappingPairCache* const given : givenCaches() )
    {
        Arena arena( culletAuto, 1, 1, nullptr, given );
        arena.bodies.create( cube( 0, 0, 0, 1 ), 1, 0 );
        arena.bodies.update();
        arena.bodies.at( 0 ).mask = arena.bodies.at( 0 ).proxies[0]->m_collisionFilterMask = -1;
        arena.bodies.create( cube( 0, 0, 0, 1 ) );
        EXPECT_EQ( 1, arena.pairCount() );
        arena.bodies.update();
        arena.cache.removeOverlappingPair( arena.proxy( 0 ), arena.proxy( 1 ), nullptr );
        EXPECT_EQ( 0, arena.pairCount() );
        arena.bodies.update();
        EXPECT_EQ( 1, arena.pairCount() );
    }
}

/// As with btDbvtBroadphase, setAabb finds the pair again at once, although it is not new.
TEST( RemovedPairs, AreFoundAgainWhenABoxMoves )
{
    for ( btOverlappingPairCache* const given : givenCaches() )
    {
        Arena arena( culletAuto, 1, 1, nullptr, given );
        GhostPairTracker ghost; // an observer, so that searches are not pending
        arena.cache.setInternalGhostPairCallback( &ghost );
        for ( int i = 0; i < 100; ++i )
        {
            arena.bodies.create( cube( btScalar( 5 * ( i / 2 ) ), 0, 0, 1 ) );
        }
        for ( int step = 1; step < 8; ++step ) // after some steps, a search leaves out what the last update found
        {
            arena.bodies.update();
            arena.cache.removeOverlappingPair( arena.proxy( 40 ), arena.proxy( 41 ), nullptr );
            EXPECT_EQ( 49, arena.pairCount() );
            arena.bodies.move( arena.bodies.at( 40 ), cube( btScalar( 100 + step * 0.01 ), 0, 0, 1 ) );
            EXPECT_EQ( 50, arena.pairCount() ) << step;
        }
        arena.bodies.destroyAll();
        arena.cache.setInternalGhostPairCallback( nullptr );
    }
}

/// More kinds of groups and masks than the census has entries, added and removed at random.
TEST( FilteredDebris, CountsManyKindsOfFilters )
{
    CulletFilterCensus census;
    Random random( 1 );
    std::vector<std::pair<int, int>> alive;
    int rejectedCount = 0;
    for ( int i = 0; i < 20000; ++i )
    {
        const uint32_t bits = i < 10000 ? 16 : 4;
        int group = 1 << random.below( bits ), mask = 1 << random.below( bits );
        if ( random.below( 100 ) < ( i / 1000 % 2 ? 45 : 55 ) )
        {
            alive.emplace_back( group, mask );
            census.add( group, mask );
        }
        else if ( !alive.empty() )
        {
            std::swap( alive.back(), alive[random.below( uint32_t( alive.size() ) )] );
            census.remove( alive.back().first, alive.back().second );
            alive.pop_back();
        }
        group = 1 << random.below( bits );
        mask = 1 << random.below( bits );
        const auto accepts = [=]( const auto& other )
        { return ( group & other.second ) != 0 && ( other.first & mask ) != 0; };
        EXPECT_LE( std::any_of( alive.begin(), alive.end(), accepts ), census.hasPartner( group, mask ) );
        rejectedCount += !census.hasPartner( group, mask );
    }
    EXPECT_GT( rejectedCount, 500 );
}

} // namespace
