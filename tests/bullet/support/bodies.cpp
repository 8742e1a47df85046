// SPDX-License-Identifier: Zlib
#include "bodies.h"

#include "demos/oracle/oracle.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

namespace test
{

bool overlap( const Box& a, const Box& b )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( !( a.lower[axis] <= b.upper[axis] && b.lower[axis] <= a.upper[axis] ) )
        {
            return false;
        }
    }
    return true;
}

btVector3 randomPoint( Random& random, double halfWidth )
{
    const btScalar x = btScalar( random.between( -halfWidth, halfWidth ) );
    const btScalar y = btScalar( random.between( -halfWidth, halfWidth ) );
    return btVector3( x, y, btScalar( random.between( -halfWidth, halfWidth ) ) );
}

double spreadFor( int bodyCount )
{
    return 1.0 + 0.7 * std::cbrt( double( bodyCount ) );
}

Bodies::Bodies( std::vector<btBroadphaseInterface*> broadphases, uint64_t seed, double spread,
                btDispatcher* dispatcher )
    : m_broadphases( std::move( broadphases ) ), m_dispatcher( dispatcher ), m_random( seed ), m_spread( spread )
{
}

Bodies::Bodies( btBroadphaseInterface& broadphase, uint64_t seed, double spread, btDispatcher* dispatcher )
    : Bodies( std::vector<btBroadphaseInterface*>{ &broadphase }, seed, spread, dispatcher )
{
}

Body& Bodies::create( const Box& box, int group, int mask )
{
    m_bodies.emplace_back( new Body( ++m_lastId, box, group, mask ) );
    Body& body = *m_bodies.back();
    for ( btBroadphaseInterface* broadphase : m_broadphases )
    {
        body.proxies.push_back( broadphase->createProxy( box.lower, box.upper, 0, &body, group, mask, m_dispatcher ) );
    }
    return body;
}

void Bodies::move( Body& body, const Box& box )
{
    body.box = box;
    for ( size_t i = 0; i < m_broadphases.size(); ++i )
    {
        m_broadphases[i]->setAabb( body.proxies[i], box.lower, box.upper, m_dispatcher );
    }
}

void Bodies::destroy( size_t index )
{
    for ( size_t i = 0; i < m_broadphases.size(); ++i )
    {
        m_broadphases[i]->destroyProxy( m_bodies[index]->proxies[i], m_dispatcher );
    }
    m_bodies.erase( m_bodies.begin() + static_cast<std::ptrdiff_t>( index ) );
}

void Bodies::destroyAll()
{
    while ( !m_bodies.empty() )
    {
        destroy( m_bodies.size() - 1 );
    }
}

void Bodies::update()
{
    for ( btBroadphaseInterface* broadphase : m_broadphases )
    {
        broadphase->calculateOverlappingPairs( m_dispatcher );
    }
}

Box Bodies::randomBox()
{
    Box box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double edge = 0.2 * std::pow( 15.0, m_random.unit() );
        const double lower = m_random.between( -m_spread, m_spread - edge );
        box.lower[axis] = btScalar( lower );
        box.upper[axis] = btScalar( lower + edge );
    }
    return box;
}

void Bodies::createAt( const Box& box, int count )
{
    for ( int i = 0; i < count; ++i )
    {
        create( box );
    }
}

void Bodies::createBoxes( int count )
{
    for ( int i = 0; i < count; ++i )
    {
        create( randomBox() );
    }
}

void Bodies::createRandom( int count )
{
    const int groups[] = { 1, 1, 1, 2, 4 };
    const int masks[] = { -1, -1, -1, -1, ~2, 1 | 2, 0, INT32_MIN };
    for ( int i = 0; i < count; ++i )
    {
        create( randomBox(), groups[m_random.below( 5 )], masks[m_random.below( 8 )] );
    }
}

void Bodies::destroyRandom()
{
    destroy( m_random.below( static_cast<uint32_t>( m_bodies.size() ) ) );
}

void Bodies::randomOperation()
{
    if ( m_bodies.empty() )
    {
        createRandom( 1 );
        return;
    }
    Body& body = *m_bodies[m_random.below( static_cast<uint32_t>( m_bodies.size() ) )];
    const Box box = body.box;
    switch ( m_random.below( 10 ) )
    {
    case 0:
        createRandom( 1 );
        break;
    case 1:
        destroyRandom();
        break;
    case 2:
        destroyRandom();
        createRandom( 1 );
        break;
    case 3:
        move( body, randomBox() );
        break;
    case 4:
        move( body, { box.lower, box.lower + ( box.upper - box.lower ) * btScalar( 0.5 ) } );
        break;
    case 5:
        move( body, { box.lower, box.lower + ( box.upper - box.lower ) * btScalar( 1.5 ) } );
        break;
    case 6:
        move( body, box );
        break;
    default:
        const btVector3 step = randomPoint( m_random, 0.3 );
        move( body, { box.lower + step, box.upper + step } );
    }
}

void Bodies::runRandomOperations( int operationCount )
{
    for ( int i = 0; i < operationCount; ++i )
    {
        randomOperation();
    }
}

std::vector<IdPair> Bodies::expectedPairs() const
{
    std::vector<cullet::Candidate<cltAabbD>> candidates;
    for ( const std::unique_ptr<Body>& body : m_bodies )
    {
        const btVector3 &lower = body->box.lower, &upper = body->box.upper;
        candidates.push_back( { { { lower.x(), lower.y(), lower.z() }, { upper.x(), upper.y(), upper.z() } },
                                { body->group, body->mask },
                                uint32_t( body->id ) } );
    }
    std::vector<IdPair> pairs;
    for ( cullet::PairKey key : cullet::sweptPairs( std::move( candidates ) ) )
    {
        pairs.emplace_back( int( cullet::smallerOf( key ) ), int( cullet::largerOf( key ) ) );
    }
    return pairs;
}

IdPair idsOf( const btBroadphaseProxy& proxy0, const btBroadphaseProxy& proxy1 )
{
    return std::minmax( { static_cast<const Body*>( proxy0.m_clientObject )->id,
                          static_cast<const Body*>( proxy1.m_clientObject )->id } );
}

std::vector<IdPair> arrayOf( const btOverlappingPairCache& cache )
{
    std::vector<IdPair> pairs;
    for ( int i = 0; i < cache.getNumOverlappingPairs(); ++i )
    {
        pairs.push_back( idsOf( cache.getOverlappingPairArrayPtr()[i] ) );
    }
    return pairs;
}

std::vector<IdPair> pairsOf( const btOverlappingPairCache& cache )
{
    std::vector<IdPair> pairs = arrayOf( cache );
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

std::vector<char> bytesOf( const btOverlappingPairCache& cache )
{
    std::vector<char> bytes( static_cast<size_t>( cache.getNumOverlappingPairs() ) * sizeof( btBroadphasePair ) );
    if ( !bytes.empty() )
    {
        std::memcpy( bytes.data(), static_cast<const void*>( cache.getOverlappingPairArrayPtr() ), bytes.size() );
    }
    return bytes;
}

testing::AssertionResult samePairs( const std::vector<IdPair>& expected, const std::vector<IdPair>& actual )
{
    if ( expected == actual )
    {
        return testing::AssertionSuccess();
    }
    std::vector<IdPair> missing, extra;
    std::set_difference( expected.begin(), expected.end(), actual.begin(), actual.end(),
                         std::back_inserter( missing ) );
    std::set_difference( actual.begin(), actual.end(), expected.begin(), expected.end(), std::back_inserter( extra ) );
    return testing::AssertionFailure() << expected.size() << " pairs expected, " << actual.size() << " found, "
                                       << missing.size() << " missing: " << testing::PrintToString( missing ) << ", "
                                       << extra.size() << " too many: " << testing::PrintToString( extra );
}

} // namespace test
