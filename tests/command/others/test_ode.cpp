// SPDX-License-Identifier: Zlib
// CulletSpace reports the same pairs as a space of ODE with copies of its geoms, and each pair once.
#include "demos/oracle/random.h"
#include "demos/others/cullet_space.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace
{

constexpr std::size_t geomCount = 120;

/// The pairs that a callback got, as numbers of geoms.
using Pairs = std::multiset<std::pair<std::size_t, std::size_t>>;

std::size_t numberOf( dGeomID geom )
{
    return reinterpret_cast<std::size_t>( dGeomGetData( geom ) );
}

void insertPair( void* pairs, dGeomID a, dGeomID b )
{
    static_cast<Pairs*>( pairs )->insert( std::minmax( numberOf( a ), numberOf( b ) ) );
}

/// Creates the geom with this number. 0 is a plane, 1 a ray, 2 a space of ODE with one box, others spheres or boxes.
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
    dSpaceID theirs = dSimpleSpaceCreate( nullptr );
    cullet::others::CulletSpace ours;

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
        dSpaceDestroy( theirs );
        dWorldDestroy( m_world );
    }

    /// Replaces a geom, changes its state or moves it.
    void change()
    {
        const std::size_t number = m_random.below( geomCount );
        const unsigned long bits = m_random.bits() & 15;
        switch ( m_random.below( 8 ) )
        {
        case 0:
            remove( number );
            return add( number );
        case 1:
            return both( number, dGeomDisable );
        case 2:
            return both( number, dGeomEnable );
        case 3:
            return both( number, [=]( dGeomID geom ) { dGeomSetCategoryBits( geom, bits ); } );
        case 4:
            return both( number, [=]( dGeomID geom ) { dGeomSetCollideBits( geom, bits ); } );
        default:
            return place( number );
        }
    }

private:
    template <typename Change>
    void both( std::size_t number, Change change )
    {
        std::for_each( m_twins[number].begin(), m_twins[number].end(), change );
    }

    void add( std::size_t number )
    {
        m_twins[number] = { create( number, theirs ), create( number, nullptr ) };
        ours.add( m_twins[number][1] );
        place( number );
        if ( number > 2 && m_random.oneIn( 3 ) ) // geoms on one body never meet each other
        {
            m_body = m_random.oneIn( 2 ) ? dBodyCreate( m_world ) : m_body;
            both( number, [this]( dGeomID geom ) { dGeomSetBody( geom, m_body ); } );
        }
    }

    void remove( std::size_t number )
    {
        ours.remove( m_twins[number][1] );
        both( number, dGeomDestroy );
    }

    /// Moves and turns a geom, and its body if it has one. A plane is not moved. Of a space, the box in it is moved.
    void place( std::size_t number )
    {
        const double x = m_random.between( 0, 8 ), y = m_random.between( 0, 8 ), z = m_random.between( 0, 8 );
        dMatrix3 turned;
        dRFromAxisAndAngle( turned, m_random.unit(), m_random.unit(), 1, m_random.between( 0, 3 ) );
        const auto placeOne = [&]( dGeomID geom )
        {
            const dGeomID placed = number == 2 ? dSpaceGetGeom( dSpaceID( geom ), 0 ) : geom;
            dGeomSetPosition( placed, x, y, z );
            dGeomSetRotation( placed, turned );
        };
        if ( number > 0 )
        {
            both( number, placeOne );
        }
    }

    cullet::Random m_random{ 17 };
    dWorldID m_world = dWorldCreate();
    std::array<std::array<dGeomID, 2>, geomCount> m_twins; ///< each geom in ODE's space, and its copy in `ours`
    dBodyID m_body = nullptr;
};

void expectTheSamePairs()
{
    TwinSpaces spaces;
    const dGeomID visitor = create( geomCount, nullptr ); // in neither space
    std::size_t total = 0, totalOfVisitor = 0;
    for ( int step = 0; step < 100; ++step )
    {
        Pairs expected, found, expectedOfVisitor, foundOfVisitor;
        dGeomSetPosition( visitor, step % 8, step / 8 % 8, 4 );
        dSpaceCollide( spaces.theirs, &expected, insertPair );
        spaces.ours.collide( &found, insertPair );
        ASSERT_EQ( found, expected ) << "in step " << step;
        dSpaceCollide2( visitor, dGeomID( spaces.theirs ), &expectedOfVisitor, insertPair );
        spaces.ours.collide2( visitor, &foundOfVisitor, insertPair );
        ASSERT_EQ( foundOfVisitor, expectedOfVisitor ) << "in step " << step;
        total += found.size();
        totalOfVisitor += foundOfVisitor.size();
        for ( int k = 0; k < 20; ++k )
        {
            spaces.change();
        }
    }
    EXPECT_GT( total, 10000u );
    EXPECT_GT( totalOfVisitor, 100u );
    dGeomDestroy( visitor );
}

TEST( OdeSpaces, FindTheSamePairs )
{
    dInitODE();
    expectTheSamePairs();
    dCloseODE();
}

} // namespace
