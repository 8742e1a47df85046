// SPDX-License-Identifier: Zlib
/// \file measure_fcl.cpp
/// FCL's managers and CulletManager, in double, the usual precision of FCL. Objects are boxes without geometry, and
/// pairs are counted. The program tells managers which objects moved.
#include "cullet_manager.h"
#include "measure.h"

#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>

#include <deque>

namespace
{

using namespace cullet::others;

using Manager = fcl::BroadPhaseCollisionManager<double>;
using Object = fcl::CollisionObject<double>;

class Body : public Object
{
public:
    explicit Body( const cltAabb& box ) : Object( nullptr )
    {
        place( box );
    }

    void place( const cltAabb& box )
    {
        aabb.min_ = { box.lower[0], box.lower[1], box.lower[2] };
        aabb.max_ = { box.upper[0], box.upper[1], box.upper[2] };
    }
};

class FclRunner : public Runner
{
public:
    FclRunner( const cltScene& scene, std::unique_ptr<Manager> manager )
        : m_bodies( scene.boxes, scene.boxes + scene.boxCount ), m_manager( std::move( manager ) )
    {
        std::vector<Object*> objects;
        for ( Body& body : m_bodies )
        {
            objects.push_back( &body );
        }
        m_manager->registerObjects( objects );
        m_manager->setup();
    }

    std::size_t step( const cltScene& scene ) override
    {
        m_moved.clear();
        for ( std::uint32_t k = 0; k < scene.movedCount; ++k )
        {
            Body& body = m_bodies[scene.moved[k]];
            body.place( scene.boxes[scene.moved[k]] );
            m_moved.push_back( &body );
        }
        if ( m_moved.size() == m_bodies.size() )
        {
            m_manager->update();
        }
        else
        {
            m_manager->update( m_moved );
        }
        std::size_t pairs = 0;
        m_manager->collide( &pairs, count );
        return pairs;
    }

private:
    static bool count( Object*, Object*, void* pairs )
    {
        ++*static_cast<std::size_t*>( pairs );
        return false; // do not stop
    }

    std::deque<Body> m_bodies;
    std::unique_ptr<Manager> m_manager;
    std::vector<Object*> m_moved;
};

template <typename Kind, typename... Arguments>
Contestant contestant( const char* name, Arguments... arguments )
{
    return { name, [=]( const cltScene& scene )
             { return std::make_unique<FclRunner>( scene, std::make_unique<Kind>( arguments... ) ); } };
}

} // namespace

int main( int argc, char** argv )
{
    return measure( { contestant<CulletManager<double>>( "CulletManager" ),
                      contestant<CulletManager<double>>( "CulletManager, one thread", 1 ),
                      contestant<fcl::DynamicAABBTreeCollisionManager<double>>( "DynamicAABBTree" ),
                      contestant<fcl::DynamicAABBTreeCollisionManager_Array<double>>( "DynamicAABBTree_Array" ),
                      contestant<fcl::SSaPCollisionManager<double>>( "SSaP" ) },
                    argc, argv );
}
