// SPDX-License-Identifier: Zlib
// The verifier on a correct broadphase, and on ones that duplicate or lose a pair or a hit.
#include "tests/bullet/support/bodies.h"

#include "CulletBroadphase.h"
#include "CulletVerifier.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <gtest/gtest.h>
#include <new>
#include <string>

using namespace test;

namespace
{
enum class Fault
{
    none,
    repeats,
    drops
};

/// Forwards the first hit twice or never, depending on the fault, and all others once.
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
        const bool goesOn = fault == Fault::drops || m_callback.process( proxy );
        return fault == Fault::repeats ? m_callback.process( proxy ) : goesOn;
    }

    Callback& m_callback;
    Fault m_fault;
};

/// Cullet with a fault. calculateOverlappingPairs copies its pair cache and duplicates or drops the last pair.
class FaultyBroadphase : public CulletForwarder
{
public:
    FaultyBroadphase( CulletBroadphase& right, Fault fault ) : CulletForwarder( right ), m_fault( fault )
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
        if ( m_fault == Fault::repeats )
        {
            const btBroadphasePair last = pairs[pairs.size() - 1];
            pairs.push_back( last );
        }
        else if ( m_fault == Fault::drops )
        {
            pairs.pop_back();
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

/// The Bullet of the verifier: constructs the twin and collects messages.
CulletBullet makeBullet()
{
    said.clear();
    CulletBullet bullet = CulletBullet();
    bullet.construct = []( const CulletBullet*, const CulletArguments*, void* cache, void* self )
    { new ( self ) btDbvtBroadphase( static_cast<btOverlappingPairCache*>( cache ) ); };
    bullet.say = []( const char* text ) { said += std::string( text ) + "\n"; };
    return bullet;
}

/// Bodies 1 and 2 overlap. The box and the ray query hit body 1 alone.
/// \param run  ( verifier ): the calls to verify
/// \return all messages, the verdict last
std::string verify( Fault fault, void ( *run )( btBroadphaseInterface& broadphase ) )
{
    const CulletBullet bullet = makeBullet();
    CulletVerifier::forgetCounts();
    CulletBroadphase right;
    FaultyBroadphase faulty( right, fault );
    CulletVerifier verifier( faulty, bullet, 3 );
    Bodies bodies( verifier, 1, 2 );
    bodies.create( cube( 0, 0, 0, 2 ) );
    bodies.create( cube( 1, 1, 1, 2 ) );
    bodies.create( cube( 9, 9, 9, 1 ) );
    run( verifier );
    EXPECT_EQ( fault == Fault::none, CulletVerifier::sayVerdict( bullet ) );
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

void askBox( btBroadphaseInterface& broadphase )
{
    AnyHit hits;
    broadphase.aabbTest( btVector3( -1, 0, 0 ), btVector3( btScalar( 0.5 ), 1, 1 ), hits );
}

void askRay( btBroadphaseInterface& broadphase )
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
    askBox( broadphase );
    askRay( broadphase );
}

const char* const STEP = "verify: 1 steps and 0 queries compared, 1 wrong\n";
const char* const QUERY = "verify: 0 steps and 1 queries compared, 1 wrong\n";
} // namespace

TEST( Verifier, ReportsNoErrorForACorrectBroadphase )
{
    EXPECT_EQ( "verify: 1 steps and 2 queries compared, 0 wrong\n", verify( Fault::none, compareAll ) );
}

TEST( Verifier, ReportsADuplicatePair )
{
    EXPECT_EQ(
        std::string( "verify: broadphase 3, step 1: 1 pairs more than there are, bodies 1 and 2 for example\n" ) + STEP,
        verify( Fault::repeats, findPairs ) );
}

TEST( Verifier, ReportsAMissingPair )
{
    EXPECT_EQ( std::string( "verify: broadphase 3, step 1: 1 pairs missing, bodies 1 and 2 for example\n" ) + STEP,
               verify( Fault::drops, findPairs ) );
}

TEST( Verifier, ReportsADuplicateHit )
{
    const std::string expected =
        std::string( "verify: broadphase 3, query 1: 1 bodies more than it meets, body 1 for example\n" ) + QUERY;
    EXPECT_EQ( expected, verify( Fault::repeats, askBox ) );
    EXPECT_EQ( expected, verify( Fault::repeats, askRay ) );
}

TEST( Verifier, ReportsAMissingHit )
{
    const std::string expected =
        std::string( "verify: broadphase 3, query 1: 1 bodies missing, body 1 for example\n" ) + QUERY;
    EXPECT_EQ( expected, verify( Fault::drops, askBox ) );
    EXPECT_EQ( expected, verify( Fault::drops, askRay ) );
}
