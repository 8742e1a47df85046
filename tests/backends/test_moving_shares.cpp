// SPDX-License-Identifier: Zlib
// Steps of every kind in one life: few bodies move, many do, some jump, hide, grow huge, come and go. Each kind leaves
// something behind that the next one has to cope with.
#include "tests/backends/each_config.h"

using namespace test;

CLT_EACH_CONFIG( MovingShares );

namespace
{

const double reach = 6;

class Crowd
{
public:
    explicit Crowd( const cltBroadphaseDef& def ) : m_world( def ), m_random( 71 )
    {
        m_proxies = m_world.createAll( randomCubes( m_random, 500, reach ) );
        m_world.update();
    }

    /// Moves a share of the bodies by a part of their size.
    void stir( double share )
    {
        for ( cltProxyId proxy : m_proxies )
        {
            if ( m_random.between( 0, 1 ) < share )
            {
                const cltAabbD box = m_world.oracle().proxies().at( proxy ).box;
                m_world.move( proxy, shifted( box ) );
            }
        }
    }

    /// Gives so many bodies a box that has nothing to do with their last one.
    template <typename Box>
    void replace( int count, Box box )
    {
        for ( int i = 0; i < count; ++i )
        {
            m_world.move( any(), box( m_random ) );
        }
    }

    void renew( int count )
    {
        for ( int i = 0; i < count; ++i )
        {
            const size_t victim = m_random.below( uint32_t( m_proxies.size() ) );
            m_world.destroy( m_proxies[victim] );
            m_proxies[victim] = m_world.create( randomCube( m_random, reach ) );
        }
    }

    void refilter( int count )
    {
        for ( int i = 0; i < count; ++i )
        {
            m_world.setFilter( any(), { 1 << m_random.below( 3 ), int32_t( m_random.below( 8 ) ) } );
        }
    }

    void update( bool withPairs )
    {
        if ( withPairs )
        {
            m_world.update();
        }
        else
        {
            m_world.updateOnly();
        }
    }

    uint32_t below( uint32_t count )
    {
        return m_random.below( count );
    }

private:
    cltProxyId any()
    {
        return m_proxies[m_random.below( uint32_t( m_proxies.size() ) )];
    }

    cltAabbD shifted( cltAabbD box )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            const double way = m_random.between( -0.2, 0.2 );
            box.lower[axis] += way;
            box.upper[axis] += way;
        }
        return box;
    }

    World m_world;
    Random m_random;
    std::vector<cltProxyId> m_proxies;
};

cltAabbD hidden( Random& )
{
    return { { notANumber, 0, 0 }, { 1, 1, 1 } };
}

cltAabbD huge( Random& random )
{
    return cube( random.between( -reach, reach ), 0, 0, random.between( 20, 200 ) );
}

cltAabbD endless( Random& )
{
    return { { -infinity, -1, -infinity }, { infinity, 0, infinity } };
}

cltAabbD anywhere( Random& random )
{
    return randomCube( random, reach );
}

void step( Crowd& crowd, uint32_t kind )
{
    switch ( kind )
    {
    case 0:
        crowd.stir( 0.01 );
        break;
    case 1:
        crowd.stir( 0.9 );
        break;
    case 2:
        crowd.replace( 5, anywhere );
        break;
    case 3:
        crowd.stir( 1 );
        crowd.replace( 40, anywhere );
        break;
    case 4:
        crowd.replace( 3, hidden );
        break;
    case 5:
        crowd.replace( 4, huge );
        crowd.replace( 1, endless );
        break;
    case 6:
        crowd.renew( 10 );
        break;
    case 7:
        crowd.stir( 0.1 );
        crowd.refilter( 4 );
        break;
    default:
        crowd.stir( 0.5 );
        crowd.refilter( 4 );
        crowd.renew( 60 );
    }
}

} // namespace

TEST_P( MovingShares, EveryKindAfterEveryOther )
{
    Crowd crowd( def() );
    for ( uint32_t first = 0; first < 9; ++first )
    {
        for ( uint32_t second = 0; second < 9; ++second )
        {
            step( crowd, first );
            crowd.update( crowd.below( 2 ) == 0 );
            step( crowd, second );
            crowd.update( crowd.below( 2 ) == 0 );
        }
    }
}

/// Asking for all pairs searches with everybody; the next small step must search with its few movers again. In a large
/// world, which is why no oracle watches.
TEST_P( MovingShares, AskedForPairsBetweenSmallSteps )
{
    const BroadphasePtr broadphase = createBroadphase( def() );
    std::vector<cltAabb> boxes;
    for ( int i = 0; i < 5000; ++i )
    {
        boxes.push_back( toFloat( cube( 3 * ( i % 17 ), 3 * ( i / 17 % 17 ), 3 * ( i / 289 ), 1 ) ) );
    }
    cltPairChanges changes;
    const cltPair* pairs;
    size_t count;
    const auto create = [&]( const std::vector<cltAabb>& what )
    {
        ASSERT_EQ( clt_ok, cltBroadphase_CreateProxies( broadphase.get(), what.size(), what.data(), nullptr, nullptr,
                                                        nullptr ) );
        ASSERT_EQ( clt_ok, cltBroadphase_Update( broadphase.get(), &changes ) );
        ASSERT_EQ( 0u, changes.beganCount );
    };
    const auto move = [&]( cltProxyId proxy, const cltAabbD& box, size_t began )
    {
        const cltAabb given = toFloat( box );
        ASSERT_EQ( clt_ok, cltBroadphase_MoveProxy( broadphase.get(), proxy, &given ) );
        ASSERT_EQ( clt_ok, cltBroadphase_Update( broadphase.get(), &changes ) );
        ASSERT_EQ( began, changes.beganCount );
    };
    create( boxes );
    create( { toFloat( cube( 100, 0, 0, 1 ) ), toFloat( cube( 105, 0, 0, 1 ) ), toFloat( cube( 110, 0, 0, 1 ) ) } );
    move( 0, cube( 0.1, 0, 0, 1 ), 0 );
    ASSERT_EQ( clt_ok, cltBroadphase_GetPairs( broadphase.get(), &pairs, &count ) );
    ASSERT_EQ( 0u, count );
    move( 5001, cube( 101.5, 0, 0, 1 ), 1 );
    move( 5002, cube( 102.5, 0, 0, 1 ), 1 );
}

/// What is set aside is tested against everything, so there is a limit to it; beyond, large bodies are bodies like others.
TEST_P( MovingShares, MoreLargeBodiesThanAreSetAside )
{
    World world( def() );
    Random random( 72 );
    world.createAll( randomCubes( random, 200, reach ) );
    world.update();
    std::vector<cltProxyId> large;
    for ( int i = 0; i < 80; ++i )
    {
        large.push_back( world.create( huge( random ) ) );
        if ( i % 7 == 0 )
        {
            world.update();
        }
    }
    for ( cltProxyId proxy : large )
    {
        world.move( proxy, huge( random ) );
    }
    world.update();
    for ( size_t i = 0; i < large.size(); i += 3 )
    {
        world.move( large[i], randomCube( random, reach ) );
    }
    world.update();
}

/// A body that was set aside needs a place among the others when it is no longer large, however full they are.
TEST_P( MovingShares, SetAsideAndBackAgain )
{
    for ( size_t count = 96; count < 130; ++count )
    {
        World world( def() );
        Random random( 73 );
        const std::vector<cltProxyId> small = world.createAll( randomCubes( random, count, reach ) );
        std::vector<cltProxyId> large;
        for ( int i = 0; i < 20; ++i )
        {
            large.push_back( world.create( huge( random ) ) );
        }
        world.updateOnly();
        for ( cltProxyId proxy : large )
        {
            world.move( proxy, randomCube( random, reach ) );
        }
        for ( size_t i = 0; i < small.size(); i += 4 )
        {
            world.move( small[i], randomCube( random, 100 * reach ) );
        }
        world.updateOnly();
        for ( size_t i = 0; i < small.size(); i += 2 )
        {
            world.move( small[i], randomCube( random, reach ) );
        }
        world.updateOnly();
    }
}
