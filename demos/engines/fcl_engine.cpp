// SPDX-License-Identifier: Zlib
/// \file fcl_engine.cpp
/// FCL's DynamicAABBTreeCollisionManager, one for each team. Its objects have boxes but no geometry.
#include "peers.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>

namespace cullet::compare
{

namespace
{

using Manager = fcl::DynamicAABBTreeCollisionManager<float>;
using Object = fcl::CollisionObject<float>;

class Body : public Object
{
public:
    explicit Body( std::uint32_t slot ) : Object( nullptr ), m_slot( slot )
    {
    }

    void place( const cltAabb& box )
    {
        aabb.min_ = { box.lower[0], box.lower[1], box.lower[2] };
        aabb.max_ = { box.upper[0], box.upper[1], box.upper[2] };
    }

    std::uint32_t slot() const
    {
        return m_slot;
    }

private:
    std::uint32_t m_slot;
};

/// The tree of a team.
struct FclTree
{
    std::vector<Body> bodies;
    std::unique_ptr<Manager> manager;
};

class FclEngine : public PeerEngine
{
public:
    using PeerEngine::PeerEngine;

private:
    void update( std::size_t index, const Team& team ) override
    {
        const bool isNew = index == m_trees.size();
        if ( isNew )
        {
            m_trees.push_back( { { team.slots.begin(), team.slots.end() }, std::make_unique<Manager>() } );
        }
        FclTree& tree = m_trees[index];
        for ( std::size_t k = 0; k < team.boxes.size(); ++k )
        {
            tree.bodies[k].place( team.boxes[k] );
        }
        if ( isNew )
        {
            std::vector<Object*> objects;
            for ( Body& body : tree.bodies )
            {
                objects.push_back( &body );
            }
            tree.manager->registerObjects( objects );
        }
        tree.manager->update();
    }

    void collide( std::size_t a, std::size_t b ) override
    {
        const Manager& manager = *m_trees[a].manager;
        a == b ? manager.collide( this, addPair ) : manager.collide( m_trees[b].manager.get(), this, addPair );
    }

    static bool addPair( Object* a, Object* b, void* context )
    {
        FclEngine& engine = *static_cast<FclEngine*>( context );
        if ( engine.m_pairCount == engine.m_pairs.size() )
        {
            engine.m_pairs.resize( 1000 + 2 * engine.m_pairCount );
        }
        engine.m_pairs[engine.m_pairCount++] =
            pairKey( static_cast<Body*>( a )->slot(), static_cast<Body*>( b )->slot() );
        return false; // continue
    }

    std::vector<FclTree> m_trees; ///< by team
};

} // namespace

std::unique_ptr<Engine> createFclEngine( const Course& course, const cltBroadphaseDef& )
{
    return std::make_unique<FclEngine>( course );
}

} // namespace cullet::compare
