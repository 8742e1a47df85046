// SPDX-License-Identifier: Zlib
// CulletSpace calls back for the same pairs as a space of ODE with twins of its geoms, and once for each pair.
#include "demos/oracle/random.h"
#include "demos/others/cullet_space.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace
{

constexpr std::size_t geomCount = 120;

/// The pairs of a callback, by the geoms' numbers.
using Pairs = std::multiset<std::pair<std::size_t, std::size_t>>;

std::size_t numberOf( dGeomID geom )
{
    return reinterpret_cast<std::size_t>( dGeomGetData( geom ) );
}

void note( void* pairs, dGeomID a, dGeomID b )
{
    static_cast<Pairs*>( pairs )->insert( std::minmax( numberOf( a ), numberOf( b ) ) );
}

/// A plane, a ray, a space of ODE with one box, spheres and boxes.
dGeomID create( std::size_t number, dSpaceID space )
{
    const dSpaceID group = number == 2 ? dSimpleSpaceCreate( space ) : nullptr;
    const dGeomID geom = number == 0       ? dCreatePlane( space, 0, 0.6, 0.8, 3 )
                         : number == 1     ? dCreateRay( space, 9 )
                         : number == 2     ? dGeomID( group )
                         : number % 3 == 0 ? dCreateSphere( space, 0.7 )
                                           : dCreateBox( space, 1, 0.5 + 0.01 * double( number ), 2 );
    if ( group != nullptr )
    {
        dCreateBox( group, 1, 2, 3 );
    }
    dGeomSetData( geom, reinterpret_cast<void*>( number ) );
    return geom;
}

/// Geoms in one of ODE's spaces, and their twins in a CulletSpace.
class TwinSpaces
{
public:
    TwinSpaces()
    {
        for ( std::size_t number = 0; number < geomCount; ++number )
        {
            add( number );
        }
    }

    ~TwinSpaces()
    {
        for ( std::size_t number = 0; number < geomCount; ++number )
        {
            remove( number );
        }
        dSpaceDestroy( m_theirs );
        dWorldDestroy( m_world );
    }

    TwinSpaces( const TwinSpaces& ) = delete;

    /// Replaces a geom, or changes its state or place.
    void change()
    {
        const std::size_t number = m_random.below( geomCount );
        const unsigned long bits = m_random.bits() & 15;
        switch ( m_random.below( 8 ) )
        {
        case 0:
            remove( number );
            add( number );
            break;
        case 1:
            both( number, dGeomDisable );
            break;
        case 2:
            both( number, dGeomEnable );
            break;
        case 3:
            both( number, [=]( dGeomID geom ) { dGeomSetCategoryBits( geom, bits ); } );
            break;
        case 4:
            both( number, [=]( dGeomID geom ) { dGeomSetCollideBits( geom, bits ); } );
            break;
        default:
            place( number );
        }
    }

    /// The pairs within the spaces: ODE's, and the CulletSpace's.
    std::array<Pairs, 2> pairs()
    {
        std::array<Pairs, 2> found;
        dSpaceCollide( m_theirs, &found[0], note );
        m_ours.collide( &found[1], note );
        return found;
    }

    /// The same with a geom that is in neither.
    std::array<Pairs, 2> pairsWith( dGeomID visitor ) const
    {
        std::array<Pairs, 2> found;
        dSpaceCollide2( visitor, dGeomID( m_theirs ), &found[0], note );
        m_ours.collide2( visitor, &found[1], note );
        return found;
    }

private:
    template <typename Change>
    void both( std::size_t number, Change change )
    {
        change( m_twins[number][0] );
        change( m_twins[number][1] );
    }

    void add( std::size_t number )
    {
        m_twins[number] = { create( number, m_theirs ), create( number, nullptr ) };
        m_ours.add( m_twins[number][1] );
        place( number );
        if ( number > 2 && m_random.oneIn( 3 ) ) // several on one body, which never meet each other
        {
            m_body = m_random.oneIn( 2 ) ? dBodyCreate( m_world ) : m_body;
            both( number, [this]( dGeomID geom ) { dGeomSetBody( geom, m_body ); } );
        }
    }

    void remove( std::size_t number )
    {
        m_ours.remove( m_twins[number][1] );
        both( number, dGeomDestroy );
    }

    /// Moves and turns a geom, with its body if it has one.
    void place( std::size_t number )
    {
        const double x = m_random.between( 0, 8 ), y = m_random.between( 0, 8 ), z = m_random.between( 0, 8 );
        dMatrix3 turned;
        dRFromAxisAndAngle( turned, m_random.unit(), m_random.unit(), 1, m_random.between( 0, 3 ) );
        if ( number > 0 ) // a plane has no place
        {
            both( number,
                  [&]( dGeomID geom )
                  {
                      const dGeomID placed = number == 2 ? dSpaceGetGeom( dSpaceID( geom ), 0 ) : geom;
                      dGeomSetPosition( placed, x, y, z );
                      dGeomSetRotation( placed, turned );
                  } );
        }
    }

    cullet::Random m_random{ 17 };
    dWorldID m_world = dWorldCreate();
    dSpaceID m_theirs = dSimpleSpaceCreate( nullptr );
    cullet::others::CulletSpace m_ours;
    std::array<std::array<dGeomID, 2>, geomCount> m_twins;
    dBodyID m_body = nullptr;
};

TEST( OdeSpaces, FindTheSamePairs )
{
    dInitODE();
    {
        TwinSpaces spaces;
        const dGeomID visitor = create( geomCount, nullptr );
        std::size_t total = 0, totalOfVisitor = 0;
        for ( int step = 0; step < 100; ++step )
        {
            dGeomSetPosition( visitor, step % 8, step / 8 % 8, 4 );
            const auto within = spaces.pairs();
            const auto ofVisitor = spaces.pairsWith( visitor );
            ASSERT_EQ( within[1], within[0] ) << "in step " << step;
            ASSERT_EQ( ofVisitor[1], ofVisitor[0] ) << "in step " << step;
            total += within[0].size();
            totalOfVisitor += ofVisitor[0].size();
            for ( int k = 0; k < 20; ++k )
            {
                spaces.change();
            }
        }
        EXPECT_GT( total, 10000u );
        EXPECT_GT( totalOfVisitor, 100u );
        dGeomDestroy( visitor );
    }
    dCloseODE();
}

} // namespace
