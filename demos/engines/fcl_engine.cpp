// SPDX-License-Identifier: Zlib
/// \file fcl_engine.cpp
/// FCL's DynamicAABBTreeCollisionManager, one for each team (peers.h). Its objects have boxes but no geometry.
#include "peers.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>

namespace cullet::compare
{

namespace
{

using Manager = fcl::DynamicAABBTreeCollisionManager<float>;
using Object = fcl::CollisionObject<float>;

struct Body : Object
{
    explicit Body( std::uint32_t number ) : Object( nullptr ), slot( number )
    {
    }

    void setBounds( const fcl::Vector3f& lower, const fcl::Vector3f& upper )
    {
        aabb.min_ = lower;
        aabb.max_ = upper;
    }

    std::uint32_t slot;
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
            const auto& [lower, upper] = team.boxes[k];
            tree.bodies[k].setBounds( { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } );
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
        engine.m_pairs[engine.m_pairCount++] = pairKey( static_cast<Body*>( a )->slot, static_cast<Body*>( b )->slot );
        return false; // continue
    }

    std::vector<FclTree> m_trees; ///< by team
};

} // namespace

std::unique_ptr<Engine> createFclEngine( const StreamInfo& info, const cltBroadphaseDef& )
{
    return std::make_unique<FclEngine>( info );
}

} // namespace cullet::compare
