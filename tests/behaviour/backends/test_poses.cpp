// SPDX-License-Identifier: Zlib
// Poses: many bodies, the dancers, jump in one step. The search for changes then depends on the shares of bodies that
// jump and that move. So dancers are alone, or beside an audience: other bodies that stand still or drift.
#include "tests/behaviour/backends/each_config.h"

using namespace test;

CLT_EACH_CONFIG( Poses );

namespace
{

enum class Audience
{
    none,
    still,
    drifting
};

constexpr double reach = 4;
constexpr int audienceCount = 1400;
const cltAabbD hidden{ { notANumber, 0, 0 }, { 1, 1, 1 } };

class Dance
{
public:
    Dance( const cltBroadphaseDef& def, Audience audience, int dancerCount )
        : m_world( def ), m_audience( audience ), m_random( uint64_t( dancerCount ) )
    {
        m_dancers = m_world.createAll( randomCubes( m_random, size_t( dancerCount ), reach ) );
        if ( audience != Audience::none )
        {
            m_others = m_world.createAll( boxesOf(
                audienceCount, []( int i ) { return cube( 100 + 2 * ( i % 40 ), 2 * ( i / 40 ), 0, 0.75 ); } ) );
        }
        m_world.updateOnly();
    }

    /// Updates after `share` of eight dancers jumped, on average.
    void step( uint32_t share )
    {
        for ( const cltProxyId dancer : m_dancers )
        {
            if ( m_random.below( 8 ) < share )
            {
                m_world.move( dancer, m_random.oneIn( 12 ) ? hidden : randomCube( m_random, reach ) );
            }
        }
        for ( const cltProxyId other : m_audience == Audience::drifting ? m_others : Ids() )
        {
            m_world.move( other, shifted( m_world.boxOf( other ), m_random.between( -0.5, 0.5 ) ) );
        }
        m_world.updateOnly();
        if ( m_random.oneIn( 2 ) )
        {
            m_world.expectPairs();
        }
    }

    /// Replaces dancers, changes filters, hides and shows dancers, and makes some of them outliers.
    void comeAndGo()
    {
        for ( cltProxyId& dancer : m_dancers )
        {
            switch ( m_random.below( 24 ) )
            {
            case 0:
                m_world.destroy( dancer );
                dancer = m_world.create( randomCube( m_random, reach ) );
                break;
            case 1:
                m_world.setFilter( dancer, { 1, m_random.oneIn( 2 ) ? 1 : 2 } );
                break;
            case 2:
            {
                const cltAabbD box = m_world.boxOf( dancer );
                m_world.move( dancer, hidden );
                m_world.move( dancer, box );
                break;
            }
            case 3: // an outlier until its next jump
                m_world.move( dancer, span( -100, m_random.between( 0, 100 ) ) );
                break;
            default:
                break;
            }
        }
    }

private:
    World m_world;
    Audience m_audience;
    Random m_random;
    Ids m_dancers;
    Ids m_others;
};

} // namespace

TEST_P( Poses, OneAfterTheOther )
{
    for ( const Audience audience : { Audience::none, Audience::still, Audience::drifting } )
    {
        SCOPED_TRACE( int( audience ) );
        Dance dance( def(), audience, 250 );
        for ( const uint32_t share : { 8, 8, 1, 8, 0, 4, 2, 8 } )
        {
            dance.step( share );
        }
    }
}

TEST_P( Poses, WhileBodiesComeGoHideAndChangeTheirFilters )
{
    for ( const Audience audience : { Audience::none, Audience::still, Audience::drifting } )
    {
        SCOPED_TRACE( int( audience ) );
        Dance dance( def(), audience, 200 );
        for ( const uint32_t share : { 8, 8, 1, 7, 0, 8, 3, 8 } )
        {
            dance.comeAndGo();
            dance.step( share );
        }
    }
}

TEST_P( Poses, OfFew )
{
    for ( int dancerCount = 1; dancerCount < 40; dancerCount += 3 )
    {
        Dance dance( def(), Audience::none, dancerCount );
        for ( int step = 0; step < 4; ++step )
        {
            dance.step( 8 );
        }
    }
}

/// More bodies need more bits per body number, also in the data kept of the previous pose.
TEST_P( Poses, OfMoreAndMore )
{
    Random random( 3 );
    World world( def() );
    Ids ids;
    for ( size_t count = 3; count < 1200; count += count / 2 )
    {
        const Ids more = world.createAll( randomCubes( random, count - ids.size(), reach ) );
        ids.insert( ids.end(), more.begin(), more.end() );
        world.updateOnly();
        for ( int step = 0; step < 2; ++step )
        {
            world.moveAll( ids, randomCubes( random, count, reach ) );
            world.destroy( ids[step] );
            ids[step] = world.create( randomCube( random, reach ) );
            world.updateOnly();
        }
    }
    world.expectPairs();
}

/// Before a pose, the list of previous pairs is known, must be found, or follows from changes.
TEST_P( Poses, BetweenStepsInWhichLittleMoves )
{
    Random random( 4 );
    World world( def() );
    const Ids ids = world.createAll( randomCubes( random, 300, reach ) );
    for ( int step = 0; step < 24; ++step )
    {
        const bool isPose = step % 4 == 3;
        for ( const cltProxyId id : ids )
        {
            world.move( id, isPose ? randomCube( random, reach )
                                   : shifted( world.boxOf( id ), random.between( -0.2, 0.2 ) ) );
        }
        world.updateOnly();
        if ( step % 8 == 1 || step % 8 == 6 )
        {
            world.expectPairs();
        }
    }
}

/// The initial capacity is two pairs per body. About 300 pairs per body begin in one step, by jumps and by creation,
/// and end in one step.
TEST_P( Poses, WithMorePairsThanThereIsRoomFor )
{
    const auto row = []( double apart ) { return boxesOf( 600, [=]( int i ) { return cube( apart * i, 0, 0, 1 ); } ); };
    World world( def() );
    const Ids ids = world.createAll( row( 3 ) );
    world.updateOnly();
    for ( const double apart : { 0.003, 4.0, 0.003 } )
    {
        world.moveAll( ids, row( apart ) );
        world.updateOnly();
    }
    EXPECT_EQ( 600u * 599u / 2u, world.pairCount() );
    World another( def() );
    another.createAll( row( 0.003 ) );
    another.update();
}
