// SPDX-License-Identifier: Zlib
/// \file cullet_manager.h
/// FCL's BroadPhaseCollisionManager, by cullet's C API.
#ifndef CLT_OTHERS_CULLET_MANAGER_H
#define CLT_OTHERS_CULLET_MANAGER_H

#include "require_ok.h"

#include <fcl/broadphase/broadphase_collision_manager.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace cullet::others
{

/// Replaces any other manager of FCL. As with these, boxes are read when objects are registered and in update(). Pairs
/// come in the same order in every run. Only one thread at a time may use a manager, except that several may call the
/// functions for one object at once. Errors of the C API are thrown as std::runtime_error. Boxes are passed in double,
/// whatever S is, so nothing is rounded.
template <typename S>
class CulletManager : public fcl::BroadPhaseCollisionManager<S>
{
public:
    using Base = fcl::BroadPhaseCollisionManager<S>;
    using Object = fcl::CollisionObject<S>;
    using CollisionCallBack = fcl::CollisionCallBack<S>;
    using DistanceCallBack = fcl::DistanceCallBack<S>;
    using Base::registerObjects;

    explicit CulletManager( int threadCount = 0 )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.precision = clt_precisionDouble;
        def.filterMasks = false;
        def.threadCount = threadCount;
        requireOk( cltCreateBroadphase( &def, &m_broadphase ) );
    }

    ~CulletManager() override
    {
        cltDestroyBroadphase( m_broadphase );
    }

    CulletManager( const CulletManager& ) = delete;
    CulletManager& operator=( const CulletManager& ) = delete;

    void registerObject( Object* object ) override
    {
        if ( m_proxies.count( object ) != 0 )
        {
            return;
        }
        const cltAabbD box = boxOf( object->getAABB() );
        cltProxyId proxy = CLT_NULL_PROXY;
        requireOk( cltBroadphase_CreateProxyD( m_broadphase, &box, nullptr, 0, &proxy ) );
        m_objects.resize( std::max<std::size_t>( m_objects.size(), proxy + 1 ) );
        m_objects[proxy] = object;
        m_proxies.emplace( object, proxy );
    }

    void unregisterObject( Object* object ) override
    {
        const auto place = m_proxies.find( object );
        if ( place != m_proxies.end() )
        {
            requireOk( cltBroadphase_DestroyProxy( m_broadphase, place->second ) );
            m_objects[place->second] = nullptr;
            m_proxies.erase( place );
        }
    }

    void setup() override
    {
    }

    void update() override
    {
        std::vector<Object*> objects;
        getObjects( objects );
        update( objects );
    }

    void update( Object* object ) override
    {
        update( std::vector<Object*>( 1, object ) );
    }

    void update( const std::vector<Object*>& objects ) override
    {
        std::vector<cltProxyId> moved;
        std::vector<cltAabbD> boxes;
        for ( Object* object : objects )
        {
            const auto place = m_proxies.find( object );
            if ( place != m_proxies.end() )
            {
                moved.push_back( place->second );
                boxes.push_back( boxOf( object->getAABB() ) );
            }
        }
        requireOk( cltBroadphase_MoveProxiesD( m_broadphase, moved.size(), moved.data(), boxes.data() ) );
    }

    void clear() override
    {
        while ( !empty() )
        {
            unregisterObject( m_proxies.begin()->first );
        }
    }

    void getObjects( std::vector<Object*>& objects ) const override
    {
        objects.clear();
        std::copy_if( m_objects.begin(), m_objects.end(), std::back_inserter( objects ),
                      []( const Object* object ) { return object != nullptr; } );
    }

    void collide( Object* object, void* data, CollisionCallBack callback ) const override
    {
        visit( object->getAABB(), [=]( Object* other ) { return callback( object, other, data ); } );
    }

    void collide( void* data, CollisionCallBack callback ) const override
    {
        requireOk( cltBroadphase_Update( m_broadphase, nullptr ) );
        const cltPair* pairs = nullptr;
        std::size_t count = 0;
        requireOk( cltBroadphase_GetPairs( m_broadphase, &pairs, &count ) );
        for ( std::size_t k = 0; k < count; ++k )
        {
            if ( callback( m_objects[pairs[k].proxyA], m_objects[pairs[k].proxyB], data ) )
            {
                return;
            }
        }
    }

    /// \param other  another CulletManager, as FCL's managers require one of their own class
    void collide( Base* other, void* data, CollisionCallBack callback ) const override
    {
        if ( other == this )
        {
            collide( data, callback );
            return;
        }
        const auto* others = static_cast<CulletManager*>( other );
        anyOf(
            [=]( Object* object ) {
                return others->visit( object->getAABB(), [=]( Object* met ) { return callback( object, met, data ); } );
            } );
    }

    void distance( Object* object, void* data, DistanceCallBack callback ) const override
    {
        S least = std::numeric_limits<S>::max();
        approach( object, least, [=, &least]( Object* met ) { return callback( object, met, data, least ); } );
    }

    void distance( void* data, DistanceCallBack callback ) const override
    {
        distanceBetween( *this, data, callback );
    }

    /// \param other  as for collide
    void distance( Base* other, void* data, DistanceCallBack callback ) const override
    {
        distanceBetween( *static_cast<CulletManager*>( other ), data, callback );
    }

    bool empty() const override
    {
        return m_proxies.empty();
    }

    std::size_t size() const override
    {
        return m_proxies.size();
    }

private:
    using Box = fcl::AABB<S>;

    static cltAabbD boxOf( const Box& box )
    {
        return { { box.min_[0], box.min_[1], box.min_[2] }, { box.max_[0], box.max_[1], box.max_[2] } };
    }

    /// Within one manager, each pair once: from the object with the lower address.
    void distanceBetween( const CulletManager& others, void* data, DistanceCallBack callback ) const
    {
        S least = std::numeric_limits<S>::max();
        anyOf(
            [&]( Object* object )
            {
                return others.approach( object, least,
                                        [&]( Object* other ) {
                                            return ( &others != this || std::less<>()( object, other ) ) &&
                                                   callback( object, other, data, least );
                                        } );
            } );
    }

    /// Calls `isEnough` for each object until `isEnough` returns true. \return true if a call returned true
    template <typename Predicate>
    bool anyOf( Predicate isEnough ) const
    {
        return std::any_of( m_objects.begin(), m_objects.end(),
                            [=]( Object* object ) { return object && isEnough( object ); } );
    }

    /// Calls `isEnough` for each object that overlaps `box`, until `isEnough` returns true. \return true if a call did
    template <typename Predicate>
    bool visit( const Box& box, Predicate isEnough ) const
    {
        struct Query
        {
            const CulletManager& manager;
            Predicate& isEnough;
            bool isDone;
        };
        const auto meet = []( cltProxyId proxy, std::uint64_t, void* context )
        {
            Query& query = *static_cast<Query*>( context );
            query.isDone = query.isEnough( query.manager.m_objects[proxy] );
            return !query.isDone;
        };
        Query query = { *this, isEnough, false };
        const cltAabbD queried = boxOf( box );
        requireOk( cltBroadphase_QueryBoxD( m_broadphase, &queried, meet, &query ) );
        return query.isDone;
    }

    /// Calls `isEnough` once for each object within the distance `least` of `object`, by boxes. `isEnough` may reduce
    /// `least`. Queries boxes around `object` with a margin that doubles, until the margin exceeds `least`.
    /// \return true if `isEnough` returned true
    template <typename Predicate>
    bool approach( Object* object, const S& least, Predicate isEnough ) const
    {
        const Box& box = object->getAABB();
        std::optional<Box> previous;
        S margin = ( box.max_ - box.min_ ).norm() + std::numeric_limits<S>::min();
        for ( std::size_t metCount = 0; metCount < size(); margin *= 2 )
        {
            const fcl::Vector3<S> width = fcl::Vector3<S>::Constant( std::min( margin, least ) );
            const Box around( box.min_ - width, box.max_ + width );
            metCount = 0;
            const auto measure = [&]( Object* other )
            {
                ++metCount;
                const Box& place = other->getAABB();
                return !( previous && previous->overlap( place ) ) && box.distance( place ) < least &&
                       isEnough( other );
            };
            if ( visit( around, measure ) )
            {
                return true;
            }
            if ( least <= margin || !std::isfinite( margin ) )
            {
                break;
            }
            previous = around;
        }
        return false;
    }

    cltBroadphase* m_broadphase = nullptr;
    std::unordered_map<Object*, cltProxyId> m_proxies;
    std::vector<Object*> m_objects; ///< by proxy; nullptr for unused ids
};

} // namespace cullet::others

#endif
