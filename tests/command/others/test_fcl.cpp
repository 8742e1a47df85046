// SPDX-License-Identifier: Zlib
// CulletManager tells what FCL's NaiveCollisionManager tells: of the same objects in float and in double.
#include "demos/oracle/random.h"
#include "demos/others/cullet_manager.h"

#include <fcl/broadphase/broadphase_bruteforce.h>
#include <fcl/geometry/shape/box.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace
{

using cullet::Random;

template <typename S>
class Managers
{
public:
    using Manager = fcl::BroadPhaseCollisionManager<S>;
    using Object = fcl::CollisionObject<S>;
    using Pair = std::pair<const Object*, const Object*>;

    /// What callbacks were told, and the least distance that they said.
    struct Told
    {
        std::set<Pair> pairs;
        std::size_t calls = 0;
        std::size_t callsWanted = SIZE_MAX; ///< after which a callback ends it all
        S least = std::numeric_limits<S>::max();

        void note( const Object* a, const Object* b )
        {
            pairs.insert( std::minmax( a, b ) );
            ++calls;
        }
    };

    explicit Managers( std::size_t objectCount )
    {
        for ( std::size_t k = 0; k < objectCount; ++k )
        {
            const S edge = S( m_random.between( 0.5, 2 ) );
            m_objects.push_back( std::make_unique<Object>( std::make_shared<fcl::Box<S>>( edge, S( 1 ), S( 2 ) ) ) );
            place( *m_objects.back() );
        }
    }

    Random& random()
    {
        return m_random;
    }

    Object& any()
    {
        return *m_objects[m_random.below( m_objects.size() )];
    }

    std::vector<Object*> objects( std::size_t first, std::size_t end )
    {
        std::vector<Object*> result;
        for ( std::size_t k = first; k < end; ++k )
        {
            result.push_back( m_objects[k].get() );
        }
        return result;
    }

    void place( Object& object )
    {
        fcl::AngleAxis<S> turn( S( m_random.unit() ), fcl::Vector3<S>::UnitX() );
        object.setRotation( turn.toRotationMatrix() );
        object.setTranslation( { coordinate(), coordinate(), coordinate() } );
        object.computeAABB();
    }

    static bool onPair( Object* a, Object* b, void* context )
    {
        Told& told = *static_cast<Told*>( context );
        if ( a->getAABB().overlap( b->getAABB() ) ) // what is no pair of boxes may be told, and is by some
        {
            told.note( a, b );
        }
        return told.calls >= told.callsWanted;
    }

    /// Shapes are further from each other than their boxes: here by 1.
    static bool onDistance( Object* a, Object* b, void* context, S& least )
    {
        Told& told = *static_cast<Told*>( context );
        EXPECT_LT( a->getAABB().distance( b->getAABB() ), least );
        told.note( a, b );
        least = std::min( least, a->getAABB().distance( b->getAABB() ) + 1 );
        told.least = least;
        return told.calls >= told.callsWanted;
    }

private:
    S coordinate()
    {
        return S( m_random.between( 0, 20 ) );
    }

    Random m_random{ 5 };
    std::vector<std::unique_ptr<Object>> m_objects;
};

/// Both tell the same pairs, ours each only once.
template <typename S, typename Ask>
std::size_t expectSamePairs( const fcl::BroadPhaseCollisionManager<S>& theirs,
                             const cullet::others::CulletManager<S>& ours, Ask ask )
{
    typename Managers<S>::Told expected;
    typename Managers<S>::Told told;
    ask( theirs, expected );
    ask( ours, told );
    EXPECT_EQ( told.pairs, expected.pairs );
    EXPECT_EQ( told.calls, told.pairs.size() );
    return told.calls;
}

/// Both find the same least distance; ours tells of no pair twice.
template <typename S, typename Ask>
void expectSameDistance( const fcl::BroadPhaseCollisionManager<S>& theirs, const cullet::others::CulletManager<S>& ours,
                         Ask ask )
{
    typename Managers<S>::Told expected;
    typename Managers<S>::Told told;
    ask( theirs, expected );
    ask( ours, told );
    EXPECT_EQ( told.least, expected.least );
    EXPECT_EQ( told.calls, told.pairs.size() );
}

template <typename S>
void findSamePairs()
{
    Managers<S> scene( 300 );
    fcl::NaiveCollisionManager<S> theirs;
    cullet::others::CulletManager<S> ours;
    theirs.registerObjects( scene.objects( 0, 300 ) );
    ours.registerObjects( scene.objects( 0, 300 ) );
    std::size_t total = 0;
    for ( int step = 0; step < 60; ++step )
    {
        total += expectSamePairs(
            theirs, ours, []( const auto& manager, auto& told ) { manager.collide( &told, Managers<S>::onPair ); } );
        auto& object = scene.any();
        theirs.unregisterObject( &object );
        ours.unregisterObject( &object );
        EXPECT_EQ( ours.size(), 299u );
        expectSamePairs( theirs, ours,
                         [&]( const auto& manager, auto& told )
                         { manager.collide( &object, &told, Managers<S>::onPair ); } );
        theirs.registerObject( &object );
        ours.registerObject( &object );
        std::vector<typename Managers<S>::Object*> moved;
        for ( int k = 0; k < 30; ++k )
        {
            moved.push_back( &scene.any() );
            scene.place( *moved.back() );
        }
        step % 3 == 0 ? ours.update() : step % 3 == 1 ? ours.update( moved ) : void();
        for ( auto* one : moved )
        {
            step % 3 == 2 ? ours.update( one ) : void();
        }
    }
    EXPECT_GT( total, 1000u );
}

TEST( FclManagers, FindTheSamePairsInFloat )
{
    findSamePairs<float>();
}

TEST( FclManagers, FindTheSamePairsInDouble )
{
    findSamePairs<double>();
}

template <typename S>
void findSameBetweenTwo()
{
    Managers<S> scene( 200 );
    fcl::NaiveCollisionManager<S> theirs[2];
    cullet::others::CulletManager<S> ours[2];
    for ( int k = 0; k < 2; ++k )
    {
        theirs[k].registerObjects( scene.objects( 100 * k, 100 * k + 100 ) );
        ours[k].registerObjects( scene.objects( 100 * k, 100 * k + 100 ) );
    }
    const auto otherOf = [&]( const auto& manager ) -> fcl::BroadPhaseCollisionManager<S>*
    { return &manager == &theirs[0] ? static_cast<fcl::BroadPhaseCollisionManager<S>*>( &theirs[1] ) : &ours[1]; };
    const std::size_t count = expectSamePairs<S>( theirs[0], ours[0],
                                                  [&]( const fcl::BroadPhaseCollisionManager<S>& manager, auto& told ) {
                                                      manager.collide( otherOf( manager ), &told, Managers<S>::onPair );
                                                  } );
    EXPECT_GT( count, 10u );
    expectSameDistance<S>( theirs[0], ours[0],
                           [&]( const fcl::BroadPhaseCollisionManager<S>& manager, auto& told )
                           { manager.distance( otherOf( manager ), &told, Managers<S>::onDistance ); } );
}

TEST( FclManagers, FindTheSameBetweenTwo )
{
    findSameBetweenTwo<float>();
    findSameBetweenTwo<double>();
}

template <typename S>
void findSameDistances()
{
    for ( std::size_t objectCount : { 0, 1, 2, 9, 40 } )
    {
        Managers<S> scene( objectCount + 1 );
        const std::vector<fcl::CollisionObject<S>*> objects = scene.objects( 0, objectCount );
        fcl::CollisionObject<S>* visitor = scene.objects( objectCount, objectCount + 1 )[0];
        fcl::NaiveCollisionManager<S> theirs;
        cullet::others::CulletManager<S> ours;
        theirs.registerObjects( objects );
        ours.registerObjects( objects );
        for ( int step = 0; step < 20; ++step )
        {
            expectSameDistance<S>( theirs, ours,
                                   []( const auto& manager, auto& told )
                                   { manager.distance( &told, Managers<S>::onDistance ); } );
            expectSameDistance<S>( theirs, ours,
                                   [=]( const auto& manager, auto& told )
                                   { manager.distance( visitor, &told, Managers<S>::onDistance ); } );
            scene.place( *visitor );
            for ( auto* object : objects )
            {
                scene.place( *object );
            }
            ours.update();
        }
    }
}

TEST( FclManagers, FindTheSameDistances )
{
    findSameDistances<float>();
    findSameDistances<double>();
}

TEST( FclManagers, StopWhenToldTo )
{
    Managers<double> scene( 100 );
    cullet::others::CulletManager<double> manager;
    cullet::others::CulletManager<double> other;
    manager.registerObjects( scene.objects( 0, 100 ) );
    other.registerObjects( scene.objects( 0, 100 ) );
    fcl::CollisionObject<double>* object = scene.objects( 0, 1 )[0];
    const auto calls = []( auto ask )
    {
        Managers<double>::Told told;
        told.callsWanted = 1;
        ask( &told );
        return told.calls;
    };
    const auto pair = Managers<double>::onPair;
    const auto distance = Managers<double>::onDistance;
    EXPECT_EQ( calls( [&]( void* told ) { manager.collide( told, pair ); } ), 1u );
    EXPECT_EQ( calls( [&]( void* told ) { manager.collide( object, told, pair ); } ), 1u );
    EXPECT_EQ( calls( [&]( void* told ) { manager.collide( &other, told, pair ); } ), 1u );
    EXPECT_EQ( calls( [&]( void* told ) { manager.distance( told, distance ); } ), 1u );
    EXPECT_EQ( calls( [&]( void* told ) { manager.distance( object, told, distance ); } ), 1u );
    EXPECT_EQ( calls( [&]( void* told ) { manager.distance( &other, told, distance ); } ), 1u );
}

TEST( FclManagers, KnowTheirObjects )
{
    Managers<double> scene( 3 );
    const std::vector<fcl::CollisionObject<double>*> objects = scene.objects( 0, 3 );
    cullet::others::CulletManager<double> manager;
    EXPECT_TRUE( manager.empty() );
    manager.registerObjects( objects );
    manager.registerObject( objects[0] ); // again
    EXPECT_EQ( manager.size(), 3u );
    manager.unregisterObject( objects[1] );
    manager.unregisterObject( objects[1] ); // again
    std::vector<fcl::CollisionObject<double>*> found( 7 );
    manager.getObjects( found );
    EXPECT_EQ( std::set( found.begin(), found.end() ), std::set( { objects[0], objects[2] } ) );
    manager.clear();
    EXPECT_TRUE( manager.empty() );
    manager.update( objects[0] ); // no longer here
    Managers<double>::Told told;
    manager.collide( &told, Managers<double>::onPair );
    EXPECT_EQ( told.calls, 0u );
}

/// A point has no size to begin a search with, and a box without an end is met at once and only once.
TEST( FclManagers, MeasureFromPointsAndToEverything )
{
    Managers<double> scene( 2 );
    const std::vector<fcl::CollisionObject<double>*> objects = scene.objects( 0, 2 );
    class Point : public fcl::CollisionObject<double>
    {
    public:
        Point() : CollisionObject( nullptr )
        {
            aabb = fcl::AABB<double>( fcl::Vector3<double>( 500, 0, 0 ) );
        }
    } point;
    class Everything : public fcl::CollisionObject<double>
    {
    public:
        Everything() : CollisionObject( nullptr )
        {
            const fcl::Vector3<double> end = fcl::Vector3<double>::Constant( std::numeric_limits<double>::infinity() );
            aabb.min_ = -end;
            aabb.max_ = end;
        }
    } everything;
    cullet::others::CulletManager<double> manager;
    manager.registerObjects( objects );
    Managers<double>::Told told;
    manager.distance( &point, &told, Managers<double>::onDistance );
    EXPECT_EQ( told.least, 1 + std::min( point.getAABB().distance( objects[0]->getAABB() ),
                                         point.getAABB().distance( objects[1]->getAABB() ) ) );
    manager.registerObject( &everything );
    told = {};
    manager.distance( &point, &told, Managers<double>::onDistance );
    EXPECT_EQ( told.least, 1 );
    EXPECT_EQ( told.calls, told.pairs.size() );
}

} // namespace
