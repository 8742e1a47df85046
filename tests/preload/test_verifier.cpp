// SPDX-License-Identifier: Zlib
// The verifier on a correct broadphase, and on broadphases that duplicate, lose or forge a pair or a hit.
#include "tests/bullet/support/bodies.h"

#include "CulletBroadphase.h"
#include "CulletVerifier.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <new>
#include <string>

using namespace test;

namespace
{
enum class Fault
{
    none,
    repeats,
    drops,
    forges ///< writes another box into a proxy without setAabb
};

void forge( const btBroadphaseProxy* proxy )
{
    btBroadphaseProxy& forged = *const_cast<btBroadphaseProxy*>( proxy );
    forged.m_aabbMin += btVector3( 50, 50, 50 );
    forged.m_aabbMax += btVector3( 50, 50, 50 );
}

/// Forwards the first hit with the fault, and all other hits as they are.
template <typename Callback>
struct Misreport : public Callback
{
    Misreport( Callback& callback, Fault fault ) : Callback( callback ), m_callback( callback ), m_fault( fault )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        const Fault fault = m_fault;
        m_fault = Fault::none;
        if ( fault == Fault::forges )
        {
            forge( proxy );
        }
        const bool goesOn = fault == Fault::drops || m_callback.process( proxy );
        return fault == Fault::repeats ? m_callback.process( proxy ) : goesOn;
    }

    Callback& m_callback;
    Fault m_fault;
};

/// Cullet with a fault in the results of its queries, and in a copy of its pair cache.
class FaultyBroadphase : public CulletForwarder
{
public:
    FaultyBroadphase( CulletBroadphase& correctBroadphase, Fault fault )
        : CulletForwarder( correctBroadphase ), m_fault( fault )
    {
    }

    void rayTest( const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override
    {
        Misreport<btBroadphaseRayCallback> report( callback, m_fault );
        m_inner.rayTest( from, to, report, aabbMin, aabbMax );
    }

    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override
    {
        Misreport<btBroadphaseAabbCallback> report( callback, m_fault );
        m_inner.aabbTest( aabbMin, aabbMax, report );
    }

    void calculateOverlappingPairs( btDispatcher* dispatcher ) override
    {
        m_inner.calculateOverlappingPairs( dispatcher );
        btBroadphasePairArray& pairs = m_cache.getOverlappingPairArray();
        pairs.copyFromArray( m_inner.getOverlappingPairCache()->getOverlappingPairArray() );
        const btBroadphasePair last = pairs[pairs.size() - 1];
        switch ( m_fault )
        {
        case Fault::none:
            break;
        case Fault::repeats:
            pairs.push_back( last );
            break;
        case Fault::drops:
            pairs.pop_back();
            break;
        case Fault::forges:
            forge( last.m_pProxy0 );
            break;
        }
    }

    btOverlappingPairCache* getOverlappingPairCache() override
    {
        return &m_cache;
    }

private:
    Fault m_fault;
    btHashedOverlappingPairCache m_cache;
};

std::string said;

void say( const char* format, ... )
{
    char text[200];
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, sizeof( text ), format, arguments );
    va_end( arguments );
    said += std::string( text ) + "\n";
}

/// The functions that the verifier calls: one constructs the broadphase to compare with, one collects messages.
CulletBullet makeBullet()
{
    said.clear();
    CulletBullet bullet = CulletBullet();
    bullet.construct = []( const CulletBullet*, const CulletArguments*, void* cache, void* self )
    { new ( self ) btDbvtBroadphase( static_cast<btOverlappingPairCache*>( cache ) ); };
    bullet.say = say;
    return bullet;
}

/// Bodies 1 and 2 touch. The box and the ray query hit body 1 alone.
/// \param run  makes the calls to verify; its argument is the verifier
/// \return all messages, the verdict last
std::string verify( Fault fault, void ( *run )( btBroadphaseInterface& broadphase ) )
{
    const CulletBullet bullet = makeBullet();
    CulletReport::claim( true, false, 0 );
    CulletBroadphase correctBroadphase;
    FaultyBroadphase faulty( correctBroadphase, fault );
    CulletVerifier verifier( faulty, bullet, 3 );
    Bodies bodies( verifier, 1, 2 );
    bodies.create( cube( 0, 0, 0, 1 ) );
    bodies.create( cube( 1, 1, 1, 1 ) );
    bodies.create( cube( 9, 9, 9, 1 ) );
    run( verifier );
    CulletReport::own()->print( say );
    EXPECT_EQ( fault == Fault::none, CulletReport::own()->m_wrong == 0 );
    return said;
}

void findPairs( btBroadphaseInterface& broadphase )
{
    broadphase.calculateOverlappingPairs( nullptr );
}

struct AnyHit : public btBroadphaseRayCallback
{
    bool process( const btBroadphaseProxy* ) override
    {
        return true;
    }
};

void queryBox( btBroadphaseInterface& broadphase )
{
    AnyHit hits;
    broadphase.aabbTest( btVector3( -1, 0, 0 ), btVector3( btScalar( 0.5 ), 1, 1 ), hits );
}

void castRay( btBroadphaseInterface& broadphase )
{
    AnyHit hits;
    hits.m_rayDirectionInverse.setValue( 1, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
    hits.m_signs[0] = hits.m_signs[1] = hits.m_signs[2] = 0;
    hits.m_lambda_max = 8;
    const btScalar half( 0.5 );
    broadphase.rayTest( btVector3( -4, half, half ), btVector3( 4, half, half ), hits );
}

void compareAll( btBroadphaseInterface& broadphase )
{
    findPairs( broadphase );
    queryBox( broadphase );
    castRay( broadphase );
}

} // namespace

TEST( Verifier, ReportsTheFirstErrorAndCountsAll )
{
    EXPECT_EQ( "verify: 1 steps and 2 queries compared, 0 wrong\n", verify( Fault::none, compareAll ) );
    const std::pair<Fault, const char*> pairs[] = { { Fault::repeats, "pairs more than there are" },
                                                    { Fault::forges, "pairs more than there are" },
                                                    { Fault::drops, "pairs missing" } };
    for ( const auto& fault : pairs )
    {
        EXPECT_EQ( std::string( "verify: broadphase 3, step 1: 1 " ) + fault.second +
                       ", bodies 1 and 2 for example\nverify: 1 steps and 0 queries compared, 1 wrong\n",
                   verify( fault.first, findPairs ) );
    }
    const std::pair<Fault, const char*> hits[] = { { Fault::repeats, "bodies more than it meets" },
                                                   { Fault::forges, "bodies more than it meets" },
                                                   { Fault::drops, "bodies missing" } };
    for ( const auto& fault : hits )
    {
        const std::string expected = std::string( "verify: broadphase 3, query 1: 1 " ) + fault.second +
                                     ", body 1 for example\nverify: 0 steps and 1 queries compared, 1 wrong\n";
        EXPECT_EQ( expected, verify( fault.first, queryBox ) );
        EXPECT_EQ( expected, verify( fault.first, castRay ) );
    }
}

TEST( Report, GivesTheShareOfARunOnEachBroadphaseAlone )
{
    makeBullet();
    CulletReport report = {};
    report.m_isTiming = true;
    report.m_cullet[CulletReport::call_set] = 28e6;
    report.m_bullet[CulletReport::call_set] = 84e6;
    report.m_begin = 5e9;
    report.m_inCalls = 120e6;
    report.m_end = report.m_begin + report.m_inCalls + 972e6; // of which 972 ms are the program's
    report.print( say );
    EXPECT_NE( std::string::npos,
               said.find( "stats: 3.00 times as fast as Bullet's own, 2.8 % of the run (Bullet's own: 8.0 %)\n" ) )
        << said;
}
