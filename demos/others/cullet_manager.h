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

/// Takes the place of any other manager of FCL's, and as with them boxes are read when objects are registered and when
/// update() is called. Pairs come in the same order in every run. One thread at a time, but for those that take an
/// object: these may be called by many at once. What a status of the C API says is thrown as std::runtime_error.
///
/// Boxes are given in double whatever S is: every float is a double, so nothing is rounded.
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
        for ( std::size_t proxy = 0; proxy < m_objects.size(); ++proxy )
        {
            note( cltProxyId( proxy ), m_objects[proxy] );
        }
        moveNoted();
    }

    void update( Object* object ) override
    {
        update( std::vector<Object*>( 1, object ) );
    }

    void update( const std::vector<Object*>& objects ) override
    {
        for ( Object* object : objects )
        {
            const auto place = m_proxies.find( object );
            if ( place != m_proxies.end() )
            {
                note( place->second, object );
            }
        }
        moveNoted();
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

    /// \param other  another CulletManager: FCL's, too, expect one of their own class
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
        S least = std::numeric_limits<S>::max();
        anyOf(
            [=, &least]( Object* object )
            {
                return approach( object, least,
                                 [=, &least]( Object* met )
                                 { return std::less<>()( object, met ) && callback( object, met, data, least ); } );
            } );
    }

    /// \param other  as for collide
    void distance( Base* other, void* data, DistanceCallBack callback ) const override
    {
        if ( other == this )
        {
            distance( data, callback );
            return;
        }
        S least = std::numeric_limits<S>::max();
        const auto* others = static_cast<CulletManager*>( other );
        anyOf(
            [=, &least]( Object* object )
            {
                return others->approach( object, least,
                                         [=, &least]( Object* met ) { return callback( object, met, data, least ); } );
            } );
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

    void note( cltProxyId proxy, const Object* object )
    {
        if ( object )
        {
            m_moved.push_back( proxy );
            m_boxes.push_back( boxOf( object->getAABB() ) );
        }
    }

    void moveNoted()
    {
        requireOk( cltBroadphase_MoveProxiesD( m_broadphase, m_moved.size(), m_moved.data(), m_boxes.data() ) );
        m_moved.clear();
        m_boxes.clear();
    }

    /// Whether `isEnough` says so of an object; the others after it are not asked.
    template <typename Predicate>
    bool anyOf( Predicate isEnough ) const
    {
        return std::any_of( m_objects.begin(), m_objects.end(),
                            [=]( Object* object ) { return object && isEnough( object ); } );
    }

    /// Calls `isEnough` for each object whose box overlaps `box`, until it says so.
    /// \return whether it did
    template <typename Predicate>
    bool visit( const Box& box, Predicate isEnough ) const
    {
        struct Question
        {
            const CulletManager& manager;
            Predicate& isEnough;
            bool isDone;
        };
        const auto meet = []( cltProxyId proxy, std::uint64_t, void* context )
        {
            Question& question = *static_cast<Question*>( context );
            question.isDone = question.isEnough( question.manager.m_objects[proxy] );
            return !question.isDone;
        };
        Question question = { *this, isEnough, false };
        const cltAabbD asked = boxOf( box );
        requireOk( cltBroadphase_QueryBoxD( m_broadphase, &asked, meet, &question ) );
        return question.isDone;
    }

    /// Calls `isEnough` once for each object whose box is less than `least` away from `object`'s, which it may make
    /// less: box after box around `object`, each twice as far from it as the one before, until `least` lies within.
    /// \return whether it said so
    template <typename Predicate>
    bool approach( Object* object, const S& least, Predicate isEnough ) const
    {
        const Box& box = object->getAABB();
        std::optional<Box> before;
        S reach = ( box.max_ - box.min_ ).norm() + std::numeric_limits<S>::min();
        for ( std::size_t metCount = 0; metCount < size(); reach *= 2 )
        {
            const fcl::Vector3<S> margin = fcl::Vector3<S>::Constant( std::min( reach, least ) );
            const Box around( box.min_ - margin, box.max_ + margin );
            metCount = 0;
            const auto measure = [&]( Object* other )
            {
                ++metCount;
                const Box& place = other->getAABB();
                return !( before && before->overlap( place ) ) && box.distance( place ) < least && isEnough( other );
            };
            if ( visit( around, measure ) )
            {
                return true;
            }
            if ( least <= reach || !std::isfinite( reach ) )
            {
                break;
            }
            before = around;
        }
        return false;
    }

    cltBroadphase* m_broadphase = nullptr;
    std::unordered_map<Object*, cltProxyId> m_proxies;
    std::vector<Object*> m_objects; ///< by proxy; nullptr where there is none
    std::vector<cltProxyId> m_moved;
    std::vector<cltAabbD> m_boxes; ///< of m_moved
};

} // namespace cullet::others

#endif
