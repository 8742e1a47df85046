// SPDX-License-Identifier: Zlib
// CulletSpace calls back for the same pairs as a space of ODE's with twins of its geoms, and of a pair only once.
#include "demos/oracle/random.h"
#include "demos/others/cullet_space.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace
{

using cullet::Random;
using Pair = std::pair<std::size_t, std::size_t>;

/// Pairs of geoms by their numbers.
struct Pairs
{
    std::set<Pair> set;
    std::size_t calls = 0;
};

std::size_t numberOf( dGeomID geom )
{
    return reinterpret_cast<std::size_t>( dGeomGetData( geom ) );
}

void note( void* context, dGeomID a, dGeomID b )
{
    Pairs& pairs = *static_cast<Pairs*>( context );
    pairs.set.insert( std::minmax( numberOf( a ), numberOf( b ) ) );
    ++pairs.calls;
}

/// A geom in one of ODE's spaces, and one just like it in ours.
struct Twins
{
    dGeomID theirs;
    dGeomID ours;

    template <typename Change>
    void both( Change change ) const
    {
        change( theirs );
        change( ours );
    }
};

class OdeSpaces : public ::testing::Test
{
protected:
    static constexpr std::size_t geomCount = 120;

    void SetUp() override
    {
        dInitODE();
        m_world = dWorldCreate();
        m_theirs = dSimpleSpaceCreate( nullptr );
        for ( std::size_t k = 0; k < geomCount; ++k )
        {
            add( k );
        }
    }

    void TearDown() override
    {
        for ( std::size_t k = 0; k < geomCount; ++k )
        {
            remove( k );
        }
        dSpaceDestroy( m_theirs );
        dWorldDestroy( m_world );
        dCloseODE();
    }

    static dGeomID create( std::size_t number, dSpaceID space )
    {
        const dGeomID geom = number == 0       ? dCreatePlane( space, 0, 0.6, 0.8, 3 )
                             : number == 1     ? dCreateRay( space, 9 )
                             : number % 3 == 0 ? dCreateSphere( space, 0.7 )
                                               : dCreateBox( space, 1, 0.5 + 0.01 * double( number ), 2 );
        dGeomSetData( geom, reinterpret_cast<void*>( number ) );
        return geom;
    }

    void add( std::size_t number )
    {
        m_twins[number] = { create( number, m_theirs ), create( number, nullptr ) };
        m_ours.add( m_twins[number].ours );
        place( number );
        if ( number != 0 && m_random.oneIn( 3 ) ) // several on one body, which never meet each other
        {
            if ( m_random.oneIn( 2 ) )
            {
                m_bodies = { dBodyCreate( m_world ), dBodyCreate( m_world ) };
            }
            dGeomSetBody( m_twins[number].theirs, m_bodies.theirs );
            dGeomSetBody( m_twins[number].ours, m_bodies.ours );
        }
    }

    void remove( std::size_t number )
    {
        m_ours.remove( m_twins[number].ours );
        m_twins[number].both( dGeomDestroy );
    }

    /// Moves and turns it, with its body if it has one.
    void place( std::size_t number )
    {
        const double x = m_random.between( 0, 8 );
        const double y = m_random.between( 0, 8 );
        const double z = m_random.between( 0, 8 );
        dMatrix3 turned;
        dRFromAxisAndAngle( turned, m_random.unit(), m_random.unit(), 1, m_random.between( 0, 3 ) );
        if ( number != 0 )
        {
            m_twins[number].both(
                [&]( dGeomID geom )
                {
                    dGeomSetPosition( geom, x, y, z );
                    dGeomSetRotation( geom, turned );
                } );
        }
    }

    void change( std::size_t number )
    {
        const Twins& twins = m_twins[number];
        const unsigned long category = 1ul << m_random.below( 4 );
        const unsigned long collide = m_random.bits() & 15;
        switch ( m_random.below( 8 ) )
        {
        case 0:
            remove( number );
            add( number );
            break;
        case 1:
            twins.both( dGeomDisable );
            break;
        case 2:
            twins.both( dGeomEnable );
            break;
        case 3:
            twins.both( [=]( dGeomID geom ) { dGeomSetCategoryBits( geom, category ); } );
            break;
        case 4:
            twins.both( [=]( dGeomID geom ) { dGeomSetCollideBits( geom, collide ); } );
            break;
        default:
            place( number );
        }
    }

    Random m_random{ 17 };
    dWorldID m_world = nullptr;
    dSpaceID m_theirs = nullptr;
    cullet::others::CulletSpace m_ours;
    Twins m_twins[geomCount] = {};
    struct
    {
        dBodyID theirs;
        dBodyID ours;
    } m_bodies = {};
};

TEST_F( OdeSpaces, FindTheSamePairs )
{
    std::size_t total = 0;
    for ( int step = 0; step < 100; ++step )
    {
        Pairs theirs;
        Pairs ours;
        dSpaceCollide( m_theirs, &theirs, note );
        m_ours.collide( &ours, note );
        ASSERT_EQ( ours.set, theirs.set ) << "in step " << step;
        ASSERT_EQ( ours.calls, ours.set.size() );
        total += ours.calls;
        for ( int k = 0; k < 20; ++k )
        {
            change( m_random.below( geomCount ) );
        }
    }
    EXPECT_GT( total, 10000u );
}

TEST_F( OdeSpaces, TellTheSameOfAGeomOutside )
{
    for ( int k = 0; k < 200; ++k )
    {
        change( m_random.below( geomCount ) );
    }
    Pairs unused;
    m_ours.collide( &unused, note );
    const dGeomID visitor = create( geomCount, nullptr );
    std::size_t total = 0;
    for ( int step = 0; step < 100; ++step )
    {
        dGeomSetPosition( visitor, m_random.between( 0, 8 ), m_random.between( 0, 8 ), m_random.between( 0, 8 ) );
        Pairs theirs;
        Pairs ours;
        dSpaceCollide2( visitor, dGeomID( m_theirs ), &theirs, note );
        m_ours.collide2( visitor, &ours, note );
        ASSERT_EQ( ours.set, theirs.set ) << "in step " << step;
        ASSERT_EQ( ours.calls, ours.set.size() );
        total += ours.calls;
    }
    dGeomDestroy( visitor );
    EXPECT_GT( total, 100u );
}

TEST_F( OdeSpaces, MayHoldASpaceOfOdes )
{
    const dSpaceID group = dSimpleSpaceCreate( nullptr );
    const dGeomID inside = create( geomCount, group );
    dGeomSetPosition( inside, 4, 4, 4 );
    m_ours.add( dGeomID( group ) );
    dSpaceSetManualCleanup( group, 1 );
    std::set<std::size_t> expected;
    for ( std::size_t k = 0; k < geomCount; ++k )
    {
        Pairs pairs;
        dSpaceCollide2( dGeomID( group ), m_twins[k].theirs, &pairs, note );
        if ( pairs.calls != 0 )
        {
            expected.insert( k );
        }
    }
    ASSERT_FALSE( expected.empty() );

    struct Met
    {
        dGeomID group;
        std::set<std::size_t> others;
    } met = { dGeomID( group ), {} };
    const auto noteGroup = []( void* context, dGeomID a, dGeomID b )
    {
        Met& noted = *static_cast<Met*>( context );
        if ( a == noted.group || b == noted.group )
        {
            noted.others.insert( numberOf( a == noted.group ? b : a ) );
        }
    };
    m_ours.collide( &met, noteGroup );
    EXPECT_EQ( met.others, expected );
    m_ours.remove( dGeomID( group ) );
    dSpaceDestroy( group );
}

} // namespace
