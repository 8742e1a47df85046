// SPDX-License-Identifier: Zlib
/// \file cullet_manager.h
/// Implements FCL's BroadPhaseCollisionManager with cullet's C API.
#ifndef CLT_OTHERS_CULLET_MANAGER_H
#define CLT_OTHERS_CULLET_MANAGER_H

#include "objects.h"

#include <fcl/broadphase/broadphase_collision_manager.h>

namespace cullet::others
{

/// Replaces any other manager of FCL for collisions; distances are not supported. Boxes are read when objects are
/// registered and in update(). Pairs come in the same order in every run. Only one thread at a time may use a manager,
/// except that several threads may call collide( object, … ) at once. Errors are thrown as std::runtime_error.
template <typename S>
class CulletManager : public fcl::BroadPhaseCollisionManager<S>
{
public:
    using Base = fcl::BroadPhaseCollisionManager<S>;
    using Object = fcl::CollisionObject<S>;
    using CollisionCallBack = fcl::CollisionCallBack<S>;
    using DistanceCallBack = fcl::DistanceCallBack<S>;
    using Base::registerObjects;

    explicit CulletManager( int threadCount = 0 ) : m_objects( threadCount )
    {
    }

    void registerObject( Object* object ) override
    {
        m_objects.add( object, boxOf( object ) );
    }

    void unregisterObject( Object* object ) override
    {
        m_objects.remove( object );
    }

    void setup() override
    {
    }

    void update() override
    {
        m_objects.moveAll( boxOf );
    }

    void update( Object* object ) override
    {
        update( std::vector<Object*>( 1, object ) );
    }

    void update( const std::vector<Object*>& objects ) override
    {
        m_objects.move( objects, boxOf );
    }

    void clear() override
    {
        for ( Object* object : m_objects.all() )
        {
            m_objects.remove( object );
        }
    }

    void getObjects( std::vector<Object*>& objects ) const override
    {
        objects = m_objects.all();
    }

    void collide( Object* object, void* data, CollisionCallBack callback ) const override
    {
        collideOne( object, data, callback );
    }

    void collide( void* data, CollisionCallBack callback ) const override
    {
        m_objects.forEachPair( [=]( Object* a, Object* b ) { return !callback( a, b, data ); } );
    }

    /// \param other  must be a CulletManager, as FCL's managers require another of their own class
    void collide( Base* other, void* data, CollisionCallBack callback ) const override
    {
        const auto* others = static_cast<CulletManager*>( other );
        const std::vector<Object*> objects = m_objects.all();
        std::all_of( objects.begin(), objects.end(),
                     [=]( Object* object ) { return others->collideOne( object, data, callback ); } );
    }

    void distance( Object*, void*, DistanceCallBack ) const override
    {
        refuseDistances();
    }

    void distance( void*, DistanceCallBack ) const override
    {
        refuseDistances();
    }

    void distance( Base*, void*, DistanceCallBack ) const override
    {
        refuseDistances();
    }

    bool empty() const override
    {
        return size() == 0;
    }

    std::size_t size() const override
    {
        return m_objects.size();
    }

private:
    static cltAabbD boxOf( const Object* object )
    {
        const fcl::AABB<S>& box = object->getAABB();
        return { { box.min_[0], box.min_[1], box.min_[2] }, { box.max_[0], box.max_[1], box.max_[2] } };
    }

    /// \return false if the callback ended the search
    bool collideOne( Object* object, void* data, CollisionCallBack callback ) const
    {
        return m_objects.forEachIn( boxOf( object ),
                                    [=]( Object* other ) { return !callback( object, other, data ); } );
    }

    [[noreturn]] static void refuseDistances()
    {
        throw std::runtime_error( "CulletManager finds collisions only; use another manager for distances" );
    }

    Objects<Object*> m_objects;
};

} // namespace cullet::others

#endif
