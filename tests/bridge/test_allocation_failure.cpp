// SPDX-License-Identifier: Zlib
// Memory: when the k-th allocation of a life fails, for every k, the call says so, nothing is lost, and the same call
// works when repeated. Whatever was allocated is given back.
#include "tests/bridge/hooks.h"
#include "tests/support/boxes.h"
#include "tests/support/config.h"
#include "tests/support/oracle.h"
#include "tests/support/world.h"

#include <functional>

using namespace test;

namespace
{

/// One scripted life in which each call may fail once and is then repeated.
class FailingLife
{
public:
    FailingLife( const cltBroadphaseDef& def, Hooks& hooks ) : m_def( def ), m_hooks( hooks )
    {
    }

    void live()
    {
        create();
        if ( m_broadphase == nullptr )
        {
            return;
        }
        Random random( 1 );
        addProxies( randomCubes( random, 60, 2 ) );
        update();
        expectPairs();
        for ( int step = 0; step < 2; ++step )
        {
            for ( cltProxyId proxy = 0; proxy < 60; proxy += 2 )
            {
                moveProxy( proxy, step == 0 ? cube( 0, 0, 0, 1 ) : randomCube( random, 2 ) );
            }
            update();
        }
        destroyProxies( { 1, 3, 5, 7 } );
        addProxies( randomCubes( random, 150, 2 ) ); // more than ever before
        expectPairs();
        update();
        expectPairs();
        setFilter( 2, { 1, 0 } );
        destroyProxies( { 0 } );
        update();
        expectPairs();
        destroyEverything();
        update();
        addProxies( randomCubes( random, 100, 2 ) ); // where others were
        update();
        expectPairs();
        cltDestroyBroadphase( m_broadphase );
    }

private:
    /// Calls until it works; a call during which an allocation failed must have said so.
    void attempt( const std::function<cltStatus()>& call, const std::function<void()>& expectNothingHappened )
    {
        uint64_t failuresBefore = m_hooks.failureCount();
        cltStatus status = call();
        if ( m_hooks.failureCount() != failuresBefore )
        {
            EXPECT_EQ( clt_hostMemory, status );
            m_hooks.failAllocations( 0, 0 );
            expectNothingHappened();
            status = call();
        }
        ASSERT_EQ( clt_ok, status );
    }

    void create()
    {
        attempt( [this] { return cltCreateBroadphase( &m_def, &m_broadphase ); },
                 [this]
                 {
                     EXPECT_EQ( nullptr, m_broadphase );
                     EXPECT_EQ( 0u, m_hooks.bytesHeld() );
                 } );
    }

    void addProxies( const std::vector<cltAabbD>& boxes )
    {
        std::vector<cltAabb> floatBoxes;
        for ( const cltAabbD& box : boxes )
        {
            floatBoxes.push_back( toFloat( box ) );
        }
        std::vector<cltProxyId> proxies( boxes.size() );
        attempt(
            [&]
            {
                return cltBroadphase_CreateProxies( m_broadphase, boxes.size(), floatBoxes.data(), nullptr, nullptr,
                                                    proxies.data() );
            },
            [this] { expectProxyCount(); } );
        for ( size_t i = 0; i < boxes.size(); ++i )
        {
            EXPECT_TRUE( m_oracle.create( proxies[i], toDouble( floatBoxes[i] ), defaultFilter ) );
        }
        expectProxyCount();
    }

    void moveProxy( cltProxyId proxy, const cltAabbD& box )
    {
        cltAabb floatBox = toFloat( box );
        attempt( [&] { return cltBroadphase_MoveProxy( m_broadphase, proxy, &floatBox ); },
                 [this, proxy] { expectBox( proxy ); } );
        m_oracle.move( proxy, toDouble( floatBox ) );
        expectBox( proxy );
    }

    void setFilter( cltProxyId proxy, const cltFilter& filter )
    {
        attempt( [&] { return cltBroadphase_SetFilter( m_broadphase, proxy, &filter ); }, [] {} );
        m_oracle.setFilter( proxy, filter );
    }

    void destroyProxies( const std::vector<cltProxyId>& proxies )
    {
        attempt( [&] { return cltBroadphase_DestroyProxies( m_broadphase, proxies.size(), proxies.data() ); },
                 [this] { expectProxyCount(); } );
        for ( cltProxyId proxy : proxies )
        {
            m_oracle.destroy( proxy );
        }
        expectProxyCount();
    }

    void destroyEverything()
    {
        std::vector<cltProxyId> proxies;
        for ( const auto& proxy : m_oracle.proxies() )
        {
            proxies.push_back( proxy.first );
        }
        destroyProxies( proxies );
    }

    void update()
    {
        cltPairChanges changes;
        attempt(
            [&]
            {
                changes = { &m_stale, &m_stale, 1, 1 };
                return cltBroadphase_Update( m_broadphase, &changes );
            },
            [&]
            {
                EXPECT_EQ( 0u, changes.beganCount + changes.endedCount );
                expectPairs(); // the previous ones stand
            } );
        Oracle::Changes expected = m_oracle.update();
        EXPECT_TRUE( samePairs( expected.began, copyPairs( changes.began, changes.beganCount ) ) );
        EXPECT_TRUE( samePairs( expected.ended, copyPairs( changes.ended, changes.endedCount ) ) );
    }

    void expectPairs()
    {
        const cltPair* pairs = nullptr;
        size_t count = 0;
        attempt( [&] { return cltBroadphase_GetPairs( m_broadphase, &pairs, &count ); }, [] {} );
        EXPECT_TRUE( samePairs( m_oracle.pairs(), copyPairs( pairs, count ) ) );
    }

    void expectProxyCount()
    {
        cltStats stats;
        ASSERT_EQ( clt_ok, cltBroadphase_GetStats( m_broadphase, &stats ) );
        EXPECT_EQ( m_oracle.proxies().size(), stats.proxyCount );
    }

    void expectBox( cltProxyId proxy )
    {
        cltAabbD box;
        ASSERT_EQ( clt_ok, cltBroadphase_GetBoxD( m_broadphase, proxy, &box ) );
        EXPECT_EQ( m_oracle.proxies().at( proxy ).box.lower[0], box.lower[0] );
    }

    cltBroadphaseDef m_def;
    Hooks& m_hooks;
    cltBroadphase* m_broadphase = nullptr;
    Oracle m_oracle;
    cltPair m_stale = { 1, 2 };
};

class AllocationFailure : public testing::TestWithParam<Config>
{
protected:
    /// Fails the k-th allocation of a life, and `count - 1` more, for every k. Returns the number of allocations.
    uint64_t failEach( uint64_t count )
    {
        for ( uint64_t k = 1;; ++k )
        {
            SCOPED_TRACE( "allocation " + std::to_string( k ) );
            Hooks hooks;
            cltBroadphaseDef def = defOf( GetParam() );
            hooks.installMemory( def );
            hooks.failAllocations( k, count );
            FailingLife( def, hooks ).live();
            EXPECT_EQ( 0u, hooks.bytesHeld() );
            if ( HasFailure() || hooks.failureCount() == 0 )
            {
                return hooks.allocationCount();
            }
        }
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, AllocationFailure, testing::ValuesIn( configsWith( 3 ) ), configName );

TEST_P( AllocationFailure, EachFailsOnce )
{
    EXPECT_GT( failEach( 1 ), 5u );
}

TEST_P( AllocationFailure, EachFailsUntilTheCallReturns )
{
    EXPECT_GT( failEach( 1000000 ), 5u );
}
