// SPDX-License-Identifier: Zlib
// Random programs with callbacks that act: while an update, a destruction or an edit of the cache runs, ghost callbacks
// and destroyed algorithms create, move and destroy bodies, edit masks and install filters. After a quiet update, the
// pairs must be those that boxes and filter demand. Much is taken back soon, so that the core has no change to report.
// Some updates and proxies get no memory.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

using namespace test;

namespace
{

enum class CacheKind
{
    own,
    hashed,
    sorted
};

/// The rules that callbacks filter by. With the first one, no callback is installed.
constexpr int ruleCount = 4;

bool accepts( int rule, const btBroadphaseProxy& a, const btBroadphaseProxy& b )
{
    const bool doMasksAccept = ( a.m_collisionFilterGroup & b.m_collisionFilterMask ) != 0 &&
                               ( b.m_collisionFilterGroup & a.m_collisionFilterMask ) != 0;
    switch ( rule )
    {
    case 0:
        return doMasksAccept;
    case 1:
        return doMasksAccept && ( a.m_uniqueId + b.m_uniqueId ) % 3 != 0;
    case 2:
        return ( ( a.m_collisionFilterMask ^ b.m_collisionFilterMask ) & 2 ) == 0;
    default:
        return true;
    }
}

IdPair uidsOf( const btBroadphaseProxy& a, const btBroadphaseProxy& b )
{
    return std::minmax( a.m_uniqueId, b.m_uniqueId );
}

bool overlap( const btBroadphaseProxy& a, const btBroadphaseProxy& b )
{
    return test::overlap( Box{ a.m_aabbMin, a.m_aabbMax }, Box{ b.m_aabbMin, b.m_aabbMax } );
}

class ActingWorld
{
public:
    ActingWorld( CacheKind kind, std::uint64_t seed )
        : m_kind( kind ), m_random( seed ),
          m_size( m_random.oneIn( 4 ) ? CulletBroadphase::LOOKS + 50 : 40 ), // masks of all bodies are read, or of some
          m_given( cacheOf( kind ) ), m_broadphase( defWith( m_memory ), m_given.get() ),
          m_cache( *m_broadphase.getOverlappingPairCache() )
    {
        for ( int rule = 1; rule < ruleCount; ++rule )
        {
            m_filters.emplace_back( [this, rule]( const auto& a, const auto& b ) { return ask( rule, a, b ); } );
        }
        m_dispatcher.world = this;
        if ( kind == CacheKind::own )
        {
            m_cache.setInternalGhostPairCallback( &m_ghost );
        }
        while ( m_proxies.size() < m_size )
        {
            create();
        }
    }

    ~ActingWorld()
    {
        m_actionsLeft = 0;
        while ( !m_proxies.empty() )
        {
            destroy();
        }
        EXPECT_EQ( m_algorithmCount, m_dispatcher.destroyed );
        EXPECT_EQ( 0, m_cache.getNumOverlappingPairs() );
        install( 0 );
        m_cache.setInternalGhostPairCallback( nullptr );
    }

    /// A step of the program, in which callbacks act, or do not.
    void step()
    {
        m_actionsLeft = m_random.oneIn( 2 ) ? int( m_random.below( 12 ) ) : 0;
        m_broadphase.m_deferedcollide = m_random.oneIn( 8 );
        if ( m_random.oneIn( 3 ) )
        {
            m_memory.failAllocations( 1 + m_random.below( 2 ), UINT32_MAX );
        }
        for ( unsigned left = m_random.oneIn( 3 ) ? m_random.below( 40 ) : m_random.below( 4 ); left > 0; --left )
        {
            change();
        }
        if ( m_random.oneIn( 4 ) )
        {
            editCache();
        }
        update();
        m_actionsLeft = 0;
        m_memory.failAllocations( 1, 0 );
        giveAlgorithms();
    }

    /// Lets every mask be read, and rejected pairs be offered again, then compares.
    void check()
    {
        for ( btBroadphaseProxy* proxy : m_proxies )
        {
            set( *proxy, proxy->m_aabbMin.x() );
        }
        update();
        update();
        EXPECT_EQ( clt_ok, m_broadphase.getStatus() );
        const std::set<IdPair> held = heldPairs();
        for ( std::size_t i = 0; i < m_proxies.size(); ++i )
        {
            for ( std::size_t j = i + 1; j < m_proxies.size(); ++j )
            {
                checkPair( *m_proxies[i], *m_proxies[j], held );
            }
        }
        EXPECT_TRUE( m_kind != CacheKind::own || m_ghostPairs == held );
        m_previous = held;
        m_isAnyEdited = false;
        m_askCount = 0;
        update();
        EXPECT_EQ( 0, m_askCount ) << "though nothing changed";
    }

    /// Allocations that failed so far.
    std::uint64_t failureCount() const
    {
        return m_memory.failureCount();
    }

    int actionCount = 0; ///< actions of callbacks so far

private:
    struct Dispatcher : CountingDispatcher
    {
        void freeCollisionAlgorithm( void* memory ) override
        {
            CountingDispatcher::freeCollisionAlgorithm( memory );
            world->act();
        }

        ActingWorld* world = nullptr;
    };

    static btOverlappingPairCache* cacheOf( CacheKind kind )
    {
        switch ( kind )
        {
        case CacheKind::hashed:
            return new btHashedOverlappingPairCache;
        case CacheKind::sorted:
            return new btSortedOverlappingPairCache;
        default:
            return nullptr;
        }
    }

    static cltBroadphaseDef defWith( Hooks& memory )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        memory.installMemory( def );
        return def;
    }

    // ------------------------------------------------------------------------------------------------------ callbacks

    bool ask( int rule, const btBroadphaseProxy& a, const btBroadphaseProxy& b )
    {
        EXPECT_TRUE( a.m_uniqueId != 0 && b.m_uniqueId != 0 ) << "asked about a destroyed body";
        ++m_askCount;
        const bool isAccepted = accepts( rule, a, b );
        if ( m_kind == CacheKind::own ) // Bullet's caches add the pair even if its bodies are destroyed meanwhile
        {
            act();
        }
        return isAccepted;
    }

    void add( const btBroadphaseProxy& a, const btBroadphaseProxy& b )
    {
        EXPECT_TRUE( m_ghostPairs.insert( uidsOf( a, b ) ).second );
        act();
    }

    void remove( const btBroadphaseProxy& a, const btBroadphaseProxy& b )
    {
        EXPECT_EQ( 1u, m_ghostPairs.erase( uidsOf( a, b ) ) );
        act();
    }

    void act()
    {
        if ( m_actionsLeft > 0 && !m_isActing && m_random.oneIn( 3 ) )
        {
            m_isActing = true;
            --m_actionsLeft;
            ++actionCount;
            for ( unsigned left = 1 + m_random.below( 3 ); left > 0; --left )
            {
                change();
            }
            m_isActing = false;
        }
    }

    // -------------------------------------------------------------------------------------------------------- changes

    void change()
    {
        btBroadphaseProxy* const proxy = m_proxies.empty() ? nullptr : &any();
        switch ( proxy ? m_random.below( 12 ) : 0 )
        {
        case 0:
            create();
            break;
        case 1:
            m_proxies.size() > m_size / 2 ? destroy() : create();
            break;
        case 2:
            edit( *proxy, anyMask() );
            break;
        case 3:
        case 4:
            edit( *proxy, -1 );
            set( *proxy, proxy->m_aabbMin.x() );
            break;
        case 5:
            set( *proxy, proxy->m_aabbMin.x() );
            break;
        case 6:
            install( int( m_random.below( ruleCount ) ) );
            break;
        case 7:
            install( 0 );
            break;
        case 8:
        case 9:
            set( *proxy, homeOf( *proxy ) );
            break;
        default:
            set( *proxy, anyPlace() );
        }
    }

    /// The program's own edits; one in a step, because a given cache does not notice all of several. Bullet's caches do
    /// not allow callbacks to act meanwhile.
    void editCache()
    {
        const int actionsLeft = m_actionsLeft;
        m_actionsLeft = m_kind == CacheKind::own ? actionsLeft : 0;
        editOnce();
        m_actionsLeft = actionsLeft;
    }

    void editOnce()
    {
        btBroadphasePairArray& pairs = m_cache.getOverlappingPairArray();
        btBroadphaseProxy& proxy = any();
        btBroadphaseProxy& other = any();
        m_isAnyEdited = true;
        switch ( m_random.below( 4 ) )
        {
        case 0:
            if ( pairs.size() > 0 )
            {
                const btBroadphasePair pair = pairs[int( m_random.below( unsigned( pairs.size() ) ) )];
                m_cache.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, &m_dispatcher );
            }
            break;
        case 1:
            if ( &proxy != &other && heldPairs().count( uidsOf( proxy, other ) ) == 0 )
            {
                m_cache.addOverlappingPair( &proxy, &other );
            }
            break;
        case 2:
            m_cache.cleanProxyFromPairs( &proxy, &m_dispatcher );
            break;
        default:
            m_broadphase.performDeferredRemoval( &m_dispatcher );
        }
    }

    void create()
    {
        const btScalar x = anyPlace();
        m_proxies.push_back( m_broadphase.createProxy( btVector3( x, 0, 0 ), btVector3( x + 1, 1, 1 ), 0, nullptr, 1,
                                                       m_random.oneIn( 2 ) ? -1 : anyMask(), &m_dispatcher ) );
    }

    void destroy()
    {
        btBroadphaseProxy* const proxy = &any();
        m_proxies.erase( std::find( m_proxies.begin(), m_proxies.end(), proxy ) ); // callbacks must not destroy it
        m_broadphase.destroyProxy( proxy, &m_dispatcher );
    }

    void set( btBroadphaseProxy& proxy, btScalar x )
    {
        m_broadphase.setAabb( &proxy, btVector3( x, 0, 0 ), btVector3( x + 1, 1, 1 ), &m_dispatcher );
    }

    void edit( btBroadphaseProxy& proxy, int mask )
    {
        m_isAnyEdited = true;
        proxy.m_collisionFilterMask = mask;
    }

    void install( int rule )
    {
        m_isAnyEdited = true;
        m_rule = rule;
        m_cache.setOverlapFilterCallback( rule > 0 ? &m_filters[std::size_t( rule - 1 )] : nullptr );
    }

    void update()
    {
        m_broadphase.calculateOverlappingPairs( &m_dispatcher );
    }

    void giveAlgorithms()
    {
        btBroadphasePairArray& pairs = m_cache.getOverlappingPairArray();
        for ( int i = 0; i < pairs.size(); ++i )
        {
            if ( !pairs[i].m_algorithm && m_random.oneIn( 3 ) )
            {
                m_dispatcher.giveAlgorithm( pairs[i] );
                ++m_algorithmCount;
            }
        }
    }

    btBroadphaseProxy& any()
    {
        return *m_proxies[m_random.below( unsigned( m_proxies.size() ) )];
    }

    int anyMask()
    {
        constexpr int masks[] = { 0, 1, 2, 3 };
        return masks[m_random.below( 4 )];
    }

    /// Of a row in which each box overlaps about two others.
    btScalar anyPlace()
    {
        return btScalar( m_random.below( unsigned( 2 * m_size ) ) ) / 2;
    }

    /// The place to which the body returns again and again.
    btScalar homeOf( const btBroadphaseProxy& proxy ) const
    {
        return btScalar( unsigned( proxy.m_uniqueId ) * 7 % unsigned( 2 * m_size ) ) / 2;
    }

    // --------------------------------------------------------------------------------------------------------- checks

    std::set<IdPair> heldPairs()
    {
        std::set<IdPair> held;
        const btBroadphasePairArray& pairs = m_cache.getOverlappingPairArray();
        int algorithmCount = 0;
        for ( int i = 0; i < pairs.size(); ++i )
        {
            EXPECT_TRUE( held.insert( uidsOf( *pairs[i].m_pProxy0, *pairs[i].m_pProxy1 ) ).second ) << "twice";
            algorithmCount += pairs[i].m_algorithm != nullptr;
        }
        EXPECT_EQ( m_algorithmCount - m_dispatcher.destroyed, algorithmCount );
        return held;
    }

    /// A pair that the filter rejects may be present only if it was there before, or if something was edited.
    void checkPair( const btBroadphaseProxy& a, const btBroadphaseProxy& b, const std::set<IdPair>& held )
    {
        const IdPair uids = uidsOf( a, b );
        const bool isHeld = held.count( uids ) != 0;
        if ( !overlap( a, b ) )
        {
            EXPECT_FALSE( isHeld ) << uids.first << " and " << uids.second << " are separate";
        }
        else if ( accepts( m_rule, a, b ) )
        {
            EXPECT_TRUE( isHeld ) << uids.first << " and " << uids.second << " are missing";
        }
        else if ( isHeld )
        {
            EXPECT_TRUE( m_isAnyEdited || m_previous.count( uids ) != 0 ) << uids.first << " and " << uids.second;
        }
    }

    const CacheKind m_kind;
    Random m_random;
    const std::size_t m_size;
    Dispatcher m_dispatcher;
    std::vector<Filter> m_filters; ///< of the rules from 1 on
    GhostFunctions m_ghost{ [this]( const auto& a, const auto& b ) { add( a, b ); },
                            [this]( const auto& a, const auto& b ) { remove( a, b ); } };
    std::unique_ptr<btOverlappingPairCache> m_given;
    Hooks m_memory;
    CulletBroadphase m_broadphase;
    btOverlappingPairCache& m_cache;
    std::vector<btBroadphaseProxy*> m_proxies; ///< except one that is being created or destroyed
    int m_rule = 0;                            ///< of the installed filter
    int m_askCount = 0;
    std::set<IdPair> m_ghostPairs;
    std::set<IdPair> m_previous; ///< at the last check
    bool m_isAnyEdited = false;  ///< a filter, or the cache, since then
    int m_algorithmCount = 0;    ///< given so far
    int m_actionsLeft = 0;       ///< of callbacks in this step
    bool m_isActing = false;
};

void PrintTo( CacheKind kind, std::ostream* stream )
{
    constexpr const char* names[] = { "own", "hashed", "sorted" };
    *stream << names[int( kind )];
}

class CallbackSoak : public testing::TestWithParam<CacheKind>
{
};

INSTANTIATE_TEST_SUITE_P(, CallbackSoak, testing::Values( CacheKind::own, CacheKind::hashed, CacheKind::sorted ),
                         testing::PrintToStringParamName() );

TEST_P( CallbackSoak, PairsAreExactAfterCallbacksActed )
{
    int actionCount = 0;
    std::uint64_t failureCount = 0;
    const std::uint64_t seedCount = soakCount( 30 );
    for ( std::uint64_t seed = 1; seed <= seedCount && !HasFailure(); ++seed )
    {
        SCOPED_TRACE( testing::Message() << "seed " << seed );
        ActingWorld world( GetParam(), seed );
        for ( int step = 0; step < 40 && !HasFailure(); ++step )
        {
            SCOPED_TRACE( testing::Message() << "step " << step );
            world.step();
            if ( step % 2 == 1 )
            {
                world.check();
            }
        }
        actionCount += world.actionCount;
        failureCount += world.failureCount();
    }
    EXPECT_TRUE( HasFailure() || actionCount > int( seedCount ) );
    EXPECT_TRUE( HasFailure() || failureCount > 0 );
}

} // namespace
