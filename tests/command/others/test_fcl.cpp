// SPDX-License-Identifier: Zlib
// CulletManager reports the same pairs as FCL's NaiveCollisionManager, for the same objects in float and in double.
#include "demos/oracle/random.h"
#include "demos/others/cullet_manager.h"

#include <fcl/broadphase/broadphase_bruteforce.h>
#include <fcl/geometry/shape/box.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <set>

namespace
{

/// Objects that are registered with the managers of both libraries.
template <typename S>
struct TwinManagers
{
    using Manager = fcl::BroadPhaseCollisionManager<S>;
    using Object = fcl::CollisionObject<S>;

    /// The pairs of overlapping boxes among those that a manager reports. It may also report pairs of separate boxes.
    struct Reported
    {
        std::multiset<std::pair<Object*, Object*>> pairs;
        std::size_t callCount = 0;
        std::size_t callLimit = SIZE_MAX; ///< after so many calls, the callback ends the search
    };

    static bool report( Object* a, Object* b, void* context )
    {
        Reported& reported = *static_cast<Reported*>( context );
        ++reported.callCount;
        if ( a->getAABB().overlap( b->getAABB() ) )
        {
            reported.pairs.insert( std::minmax( a, b ) );
        }
        return reported.callCount >= reported.callLimit;
    }

    /// Makes two managers of each library, with half of the objects each.
    TwinManagers()
    {
        for ( std::size_t k = 0; k < 300; ++k )
        {
            const S edge = S( random.between( 0.5, 2 ) );
            owned.push_back( std::make_unique<Object>( std::make_shared<fcl::Box<S>>( edge, S( 1 ), S( 2 ) ) ) );
            objects[k % 2].push_back( owned.back().get() );
            place( *owned.back() );
        }
        for ( std::size_t half = 0; half < 2; ++half )
        {
            theirs[half].registerObjects( objects[half] );
            ours[half].registerObjects( objects[half] );
        }
    }

    void place( Object& object )
    {
        const auto coordinate = [this] { return S( random.between( 0, 20 ) ); };
        object.setTranslation( { coordinate(), coordinate(), coordinate() } );
        object.computeAABB();
    }

    /// Expects that both libraries report the same pairs.
    /// \param search  searches `manager`; `other` is the second manager of the same library
    void expectSame( const std::function<void( Manager& manager, Manager& other, void* reported )>& search )
    {
        Reported expected, found;
        search( theirs[0], theirs[1], &expected );
        search( ours[0], ours[1], &found );
        EXPECT_EQ( found.pairs, expected.pairs );
        total += found.pairs.size();
    }

    cullet::Random random{ 5 };
    std::vector<std::unique_ptr<Object>> owned;
    std::array<std::vector<Object*>, 2> objects;
    std::array<fcl::NaiveCollisionManager<S>, 2> theirs;
    std::array<cullet::others::CulletManager<S>, 2> ours;
    std::size_t total = 0;
};

template <typename S>
void expectTheSamePairs()
{
    TwinManagers<S> twins;
    using Manager = typename TwinManagers<S>::Manager;
    using Object = typename TwinManagers<S>::Object;
    for ( std::size_t step = 0; step < 60; ++step )
    {
        twins.expectSame( []( Manager& manager, Manager&, void* reported )
                          { manager.collide( reported, TwinManagers<S>::report ); } );
        twins.expectSame( []( Manager& manager, Manager& other, void* reported )
                          { manager.collide( &other, reported, TwinManagers<S>::report ); } );
        Object* object = twins.objects[0][step];
        twins.theirs[0].unregisterObject( object );
        twins.ours[0].unregisterObject( object );
        twins.ours[0].unregisterObject( object ); // a second time, which changes nothing
        std::vector<Object*> known( 7 );
        twins.ours[0].getObjects( known );
        EXPECT_EQ( known.size(), twins.ours[0].size() );
        EXPECT_EQ( known.size(), 149u );
        twins.expectSame( [=]( Manager& manager, Manager&, void* reported )
                          { manager.collide( object, reported, TwinManagers<S>::report ); } );
        twins.theirs[0].registerObject( object );
        twins.ours[0].registerObject( object );
        twins.ours[0].registerObject( object );
        std::vector<Object*> moved( twins.objects[0].begin() + std::ptrdiff_t( step ), twins.objects[0].end() );
        for ( Object* one : moved )
        {
            twins.place( *one );
        }
        step % 3 == 0 ? twins.ours[0].update() : twins.ours[0].update( moved );
        twins.place( *moved[0] );
        twins.ours[0].update( moved[0] );
    }
    EXPECT_GT( twins.total, 1000u );
}

TEST( FclManagers, FindTheSamePairs )
{
    expectTheSamePairs<float>();
    expectTheSamePairs<double>();
}

TEST( FclManagers, StopWhenTheCallbackReturnsTrueAndRejectDistanceQueries )
{
    TwinManagers<double> twins;
    auto& manager = twins.ours[0];
    fcl::CollisionObject<double>* object = twins.objects[0][0];
    const auto calls = []( auto&& search )
    {
        TwinManagers<double>::Reported reported;
        reported.callLimit = 1;
        search( &reported );
        return reported.callCount;
    };
    const auto report = TwinManagers<double>::report;
    EXPECT_EQ( calls( [&]( void* reported ) { manager.collide( reported, report ); } ), 1u );
    EXPECT_EQ( calls( [&]( void* reported ) { manager.collide( object, reported, report ); } ), 1u );
    EXPECT_EQ( calls( [&]( void* reported ) { manager.collide( &twins.ours[1], reported, report ); } ), 1u );
    EXPECT_THROW( manager.distance( nullptr, nullptr ), std::runtime_error );
    manager.clear();
    EXPECT_TRUE( manager.empty() );
    manager.update( object ); // no longer in the manager
    EXPECT_EQ( calls( [&]( void* reported ) { manager.collide( reported, report ); } ), 0u );
}

} // namespace
