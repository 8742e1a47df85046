// SPDX-License-Identifier: Zlib
// Applications remove, add and move bodies in callbacks, while calculateOverlappingPairs removes and adds pairs. The
// callbacks are: CT-56 ended contacts, CT-57 destroyed contacts, CT-58 destroyed algorithms, CT-59 ghost callbacks.
#include "contestants.h"
#include "tests/bullet/support/bullet_world.h"

#include "BulletCollision/CollisionDispatch/btSphereSphereCollisionAlgorithm.h"
#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"

#include <algorithm>

using namespace test;

namespace
{
enum Event
{
    contactEnded,
    contactDestroyed,
    algorithmDestroyed,
    pairAdded,
    pairRemoved
};

/// The application's reaction to an event. Global, because Bullet's hooks are functions without a context argument.
struct Reaction
{
    Event event;
    std::function<void( int )> act; ///< its argument counts the events from 0
    int count;
    bool isActing; ///< a reaction is running: events that it causes get no reaction
} reaction;

bool react( Event event )
{
    if ( reaction.act && reaction.event == event && !reaction.isActing )
    {
        reaction.isActing = true;
        reaction.act( reaction.count++ );
        reaction.isActing = false;
    }
    return true;
}

class HookedAlgorithm : public btSphereSphereCollisionAlgorithm
{
public:
    using btSphereSphereCollisionAlgorithm::btSphereSphereCollisionAlgorithm;

    ~HookedAlgorithm() override
    {
        react( algorithmDestroyed );
    }

    struct Create : public btCollisionAlgorithmCreateFunc
    {
        btCollisionAlgorithm* CreateCollisionAlgorithm( btCollisionAlgorithmConstructionInfo& info,
                                                        const btCollisionObjectWrapper* body0,
                                                        const btCollisionObjectWrapper* body1 ) override
        {
            void* memory = info.m_dispatcher1->allocateCollisionAlgorithm( sizeof( HookedAlgorithm ) );
            return new ( memory ) HookedAlgorithm( nullptr, info, body0, body1 );
        }
    };
};

/// The offsets from a sphere to its partner in a couple that touches and in one that does not.
const btVector3 together( 0, btScalar( 0.8 ), 0 ), apart( 0, 5, 0 );

btVector3 centreOfCouple( int couple )
{
    return btVector3( btScalar( 10 * couple ), 0, 0 );
}

btVector3 far( int i )
{
    return btVector3( btScalar( 5 * i ), 0, 500 );
}

/// Couples of spheres in a row, ten units apart. In one step the partners of the first eight couples separate, those of
/// the next eight meet, and the last eight couples stay together. 24 single spheres move first. That uses up the moves
/// for which a broadphase finds pairs in setAabb, so the couples' pairs change in calculateOverlappingPairs.
class Couples : public BulletWorld
{
public:
    enum
    {
        leaving = 0,
        coming = 8,
        staying = 16,
        coupleCount = 24,
        firstSingle = 2 * coupleCount, // objects 2 i and 2 i + 1 are couple i
        objectCount = firstSingle + 24
    };

    explicit Couples( const RigKind& kind, Event event, btOverlappingPairCache* givenCache = nullptr )
        : BulletWorld( makeRig( kind, givenCache ) ), m_kind( kind ), m_event( event )
    {
        dispatcher().registerCollisionCreateFunc( SPHERE_SHAPE_PROXYTYPE, SPHERE_SHAPE_PROXYTYPE,
                                                  &keep( new HookedAlgorithm::Create ) );
        gContactEndedCallback = []( btPersistentManifold* const& ) { react( contactEnded ); };
        gContactDestroyedCallback = []( void* ) { return react( contactDestroyed ); };
        for ( int i = 0; i < objectCount + 4; ++i )
        {
            const bool isPartner = i < firstSingle && i % 2 == 1;
            const bool isNear = i / 2 < coming || i / 2 >= staying;
            add( centreOfCouple( i / 2 ) + ( !isPartner ? btVector3( 0, 0, 0 ) : isNear ? together : apart ) );
        }
        world().performDiscreteCollisionDetection();
        for ( int i = 0; i < 4; ++i ) // leaves slots that can be reused
        {
            remove( *objects().back() );
        }
        world().performDiscreteCollisionDetection();
        for ( int i = 0; i < dispatcher().getNumManifolds(); ++i )
        {
            btPersistentManifold& manifold = *dispatcher().getManifoldByIndexInternal( i );
            for ( int k = 0; k < manifold.getNumContacts(); ++k )
            {
                manifold.getContactPoint( k ).m_userPersistentData = this; // or its end is not reported
            }
        }
        if ( event == pairAdded || event == pairRemoved )
        {
            cache().setInternalGhostPairCallback( &m_ghostCallback );
        }
        // Bodies of pairs that begin, end and persist in this step, and one without a pair.
        for ( int i : { 2 * coming + 3, 2 * coming + 12, 2 * leaving + 15, 2 * leaving + 8, 2 * staying + 1,
                        2 * staying + 14, firstSingle + 5, 2 * coming + 15, 2 * leaving + 10 } )
        {
            chosen.push_back( objects()[size_t( i )].get() );
        }
    }

    ~Couples()
    {
        gContactEndedCallback = nullptr;
        gContactDestroyedCallback = nullptr;
        cache().setInternalGhostPairCallback( nullptr );
    }

    void add( const btVector3& origin )
    {
        addObject( m_shape, origin );
    }

    void removeIfThere( const btCollisionObject* object )
    {
        for ( const auto& one : objects() )
        {
            if ( one.get() == object )
            {
                remove( *one );
                return;
            }
        }
    }

    /// Runs a step in which the application reacts to each event.
    void step( const std::function<void( int )>& act )
    {
        reaction = { m_event, act, 0, false };
        moveAll();
        world().computeOverlappingPairs();
        reaction.act = nullptr;
        EXPECT_GT( reaction.count, 0 );
        expectPairsOfLiveBodies();
        world().performDiscreteCollisionDetection();
        world().performDiscreteCollisionDetection();
        expectPairsOfLiveBodies();
        EXPECT_TRUE( checkPairsOfWorld( m_kind, world() ) );
        EXPECT_EQ( cache().getNumOverlappingPairs(), dispatcher().getNumManifolds() );
    }

    std::vector<btCollisionObject*> chosen; ///< bodies that actions remove or move

private:
    void moveAll()
    {
        const auto moveTo = [this]( int i, const btVector3& origin ) { move( *objects()[size_t( i )], origin ); };
        for ( int i = firstSingle; i < objectCount; ++i )
        {
            moveTo( i, far( i ) );
        }
        for ( int i = 0; i < coming; ++i )
        {
            moveTo( 2 * ( leaving + i ) + 1, centreOfCouple( leaving + i ) + apart );
            moveTo( 2 * ( coming + i ) + 1, centreOfCouple( coming + i ) + together );
        }
    }

    /// Whether the proxy's body still exists. A body that is just being added has no broadphase handle yet.
    bool isAlive( const btBroadphaseProxy& proxy ) const
    {
        const auto isIts = [&proxy]( const auto& object )
        {
            const btBroadphaseProxy* handle = object->getBroadphaseHandle();
            return handle ? handle == &proxy : object.get() == proxy.m_clientObject;
        };
        return std::any_of( objects().begin(), objects().end(), isIts );
    }

    void expectPairsOfLiveBodies()
    {
        for ( int i = 0; i < cache().getNumOverlappingPairs(); ++i )
        {
            const btBroadphasePair& pair = cache().getOverlappingPairArrayPtr()[i];
            ASSERT_TRUE( isAlive( *pair.m_pProxy0 ) && isAlive( *pair.m_pProxy1 ) ) << "pair " << i;
        }
    }

    /// Checks that the bodies of a reported pair still exist, then reacts.
    GhostFunctions::Function reactIfAlive( Event event )
    {
        return [this, event]( const btBroadphaseProxy& proxy0, const btBroadphaseProxy& proxy1 )
        {
            EXPECT_TRUE( isAlive( proxy0 ) && isAlive( proxy1 ) );
            react( event );
        };
    }

    const RigKind m_kind;
    const Event m_event;
    GhostFunctions m_ghostCallback{ reactIfAlive( pairAdded ), reactIfAlive( pairRemoved ) };
    btCollisionShape& m_shape = shape<btSphereShape>( btScalar( 0.5 ) );
};

using Action = void ( * )( Couples&, int n );

void removeBodies( Couples& couples, int )
{
    for ( int i = 0; i < 2 && !couples.chosen.empty(); ++i )
    {
        couples.remove( *couples.chosen.back() );
        couples.chosen.pop_back();
    }
}

/// Adds bodies next to couples of all three kinds, so that each new body forms pairs.
void addBodies( Couples& couples, int n )
{
    for ( int i = 0; i < 4 && n < 8; ++i )
    {
        couples.add( centreOfCouple( ( 8 * i + n ) % Couples::coupleCount ) +
                     btVector3( btScalar( 0.3 ), btScalar( 0.4 ), 0 ) );
    }
}

/// Moves bodies away from their partners, or to other couples.
void moveBodies( Couples& couples, int n )
{
    for ( int i = 0; i < int( couples.chosen.size() ); ++i )
    {
        const btVector3 beside( btScalar( 0.4 ), btScalar( 0.4 ), 0 );
        couples.move( *couples.chosen[size_t( i )],
                      ( i + n ) % 2 ? far( 100 + i ) : centreOfCouple( i * 2 + n % 4 ) + beside );
    }
}

/// Removes a body and adds one that reuses its slot.
void replaceBodies( Couples& couples, int )
{
    if ( !couples.chosen.empty() )
    {
        const btVector3 origin = couples.chosen.back()->getWorldTransform().getOrigin();
        couples.remove( *couples.chosen.back() );
        couples.chosen.pop_back();
        couples.add( origin );
    }
}

const std::pair<const char*, Action> everyAction[] = {
    { "remove", removeBodies }, { "replace", replaceBodies }, { "add", addBodies }, { "move", moveBodies } };

void actOn( Event event, const RigKind& kind, bool isSorted, size_t firstAction = 0, size_t lastAction = 3 )
{
    for ( size_t i = firstAction; i <= lastAction; ++i )
    {
        SCOPED_TRACE( everyAction[i].first );
        Couples couples( kind, event, isSorted ? new btSortedOverlappingPairCache : nullptr );
        couples.step( [&]( int n ) { everyAction[i].second( couples, n ); } );
    }
}
} // namespace

TEST_P( Contract, CT56_EndedContactCallbackMayChangeTheWorld )
{
    actOn( contactEnded, GetParam(), false );
    actOn( contactEnded, GetParam(), true );
}

/// New bodies reuse the slots of removed ones, of which pairs are still to be reported. Two new bodies overlap.
TEST_P( Contract, CT56_EndedContactCallbackMayReplaceAllBodies )
{
    Couples couples( GetParam(), contactEnded );
    couples.step(
        [&]( int n )
        {
            if ( n > 0 )
            {
                return;
            }
            couples.removeAll();
            couples.world().getBroadphase()->resetPool( &couples.dispatcher() );
            couples.add( together );
            for ( int i = 0; i < Couples::objectCount; ++i )
            {
                couples.add( centreOfCouple( i ) );
            }
        } );
    EXPECT_EQ( 1, couples.cache().getNumOverlappingPairs() );
}

TEST_P( Contract, CT57_DestroyedContactCallbackMayChangeTheWorld )
{
    actOn( contactDestroyed, GetParam(), false );
    actOn( contactDestroyed, GetParam(), true );
}

TEST_P( Contract, CT58_AlgorithmDestructorMayChangeTheWorld )
{
    actOn( algorithmDestroyed, GetParam(), false );
    actOn( algorithmDestroyed, GetParam(), true );
}

TEST_P( Contract, CT58_AlgorithmDestructorMayRemoveItsOwnBodies )
{
    Couples couples( GetParam(), algorithmDestroyed );
    couples.step(
        [&]( int n )
        {
            for ( int i = 0; n == 0 && i < 2 * Couples::coming; ++i )
            {
                couples.remove( *couples.objects().front() );
            }
        } );
}

TEST_P( Contract, CT59_GhostCallbackMayAddAndMoveBodies )
{
    actOn( pairRemoved, GetParam(), false, 2, 3 );
    actOn( pairAdded, GetParam(), false, 2, 3 );
}

/// Bullet's own caches run callbacks in the middle of a change, and another change then corrupts them.
TEST_P( Contract, CT59_GhostCallbackMayRemoveAndReplaceBodies )
{
    if ( GetParam().engine == Engine::culletHashed )
    {
        GTEST_SKIP() << "Bullet's own cache does not survive it";
    }
    actOn( pairRemoved, GetParam(), false, 0, 1 );
    actOn( pairAdded, GetParam(), false, 0, 1 );
}

/// The filter removes a body of the pair, then accepts the pair. Bullet's own caches then keep the invalid pair.
TEST_P( Contract, CT59_FilterCallbackMayRemoveABodyOfThePair )
{
    if ( GetParam().engine != Engine::cullet )
    {
        GTEST_SKIP() << "only cullet's own cache checks the bodies again";
    }
    Couples couples( GetParam(), contactEnded );
    Filter filter(
        [&]( btBroadphaseProxy& proxy0, btBroadphaseProxy& )
        {
            couples.removeIfThere( static_cast<const btCollisionObject*>( proxy0.m_clientObject ) );
            return true;
        } );
    couples.cache().setOverlapFilterCallback( &filter );
    couples.step( []( int ) {} );
    couples.cache().setOverlapFilterCallback( nullptr );
}
