// SPDX-License-Identifier: Zlib
/// \file measure.cpp
/// Measures ODE's spaces and FCL's managers, and cullet behind the same interfaces, in the scene `brownian`. A step
/// places the bodies that moved and counts all pairs in a callback. The contestants make each step one after the other.
#include "demos/report/timing.h"
#include "demos/scenes/scenes.h"

#ifdef CULLET_WITH_ODE
#include "cullet_space.h"
#endif
#ifdef CULLET_WITH_FCL
#include "cullet_manager.h"

#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <string>

using namespace cullet::others;

namespace
{

constexpr std::uint32_t untimedSteps = 1;
constexpr std::uint32_t timedSteps = 10;
constexpr double mostMs = 6000; ///< time after which a contestant makes no more steps

/// A broadphase with the bodies of a scene in it.
struct Contestant
{
    std::string name;
    std::function<std::size_t( const cltScene& scene )> step; ///< returns the number of pairs
    std::vector<double> times = {};
    bool isAlike = true; ///< found as many pairs as the first contestant
};

// ----------------------------------------------------------------------------------------------------------------- ODE

#ifdef CULLET_WITH_ODE

void place( dGeomID geom, const cltAabb& box )
{
    dGeomSetPosition( geom, ( box.lower[0] + box.upper[0] ) / 2, ( box.lower[1] + box.upper[1] ) / 2,
                      ( box.lower[2] + box.upper[2] ) / 2 );
}

/// The boxes of the scene as geoms without a body, which exist until the program ends.
/// \param space  the space to add the geoms to, or NULL
std::vector<dGeomID> createGeoms( const cltScene& scene, dSpaceID space )
{
    std::vector<dGeomID> geoms;
    for ( std::uint32_t k = 0; k < scene.boxCount; ++k )
    {
        const cltAabb& box = scene.boxes[k];
        geoms.push_back( dCreateBox( space, box.upper[0] - box.lower[0], box.upper[1] - box.lower[1],
                                     box.upper[2] - box.lower[2] ) );
        place( geoms.back(), box );
    }
    return geoms;
}

/// \param collide  ( context, callback ): calls the broadphase, which calls the callback for each pair
template <typename Collide>
Contestant odeContestant( const char* name, const std::vector<dGeomID>& geoms, Collide collide )
{
    return { name, [=]( const cltScene& scene )
             {
                 for ( std::uint32_t k = 0; k < scene.movedCount; ++k )
                 {
                     place( geoms[scene.moved[k]], scene.boxes[scene.moved[k]] );
                 }
                 std::size_t pairs = 0;
                 collide( &pairs, []( void* count, dGeomID, dGeomID ) { ++*static_cast<std::size_t*>( count ); } );
                 return pairs;
             } };
}

Contestant culletSpaceContestant( const char* name, const cltScene& scene, int threads )
{
    const auto space = std::make_shared<CulletSpace>( threads );
    const std::vector<dGeomID> geoms = createGeoms( scene, nullptr );
    std::for_each( geoms.begin(), geoms.end(), [&]( dGeomID geom ) { space->add( geom ); } );
    return odeContestant( name, geoms, [=]( void* data, dNearCallback* count ) { space->collide( data, count ); } );
}

Contestant odeSpaceContestant( const char* name, const cltScene& scene, dSpaceID space )
{
    return odeContestant( name, createGeoms( scene, space ),
                          [=]( void* data, dNearCallback* count ) { dSpaceCollide( space, data, count ); } );
}

void addOde( std::vector<Contestant>& all, const cltScene& scene )
{
    dInitODE();
    const float* extent = scene.extent;
    const dVector3 center = { extent[0] / 2, extent[1] / 2, extent[2] / 2 };
    const dVector3 extents = { extent[0] + 2, extent[1] + 2, extent[2] + 2 };
    all.push_back( culletSpaceContestant( "CulletSpace", scene, 0 ) );
    all.push_back( culletSpaceContestant( "CulletSpace, one thread", scene, 1 ) );
    all.push_back(
        odeSpaceContestant( "dSweepAndPruneSpace", scene, dSweepAndPruneSpaceCreate( nullptr, dSAP_AXES_XYZ ) ) );
    all.push_back( odeSpaceContestant( "dHashSpace", scene, dHashSpaceCreate( nullptr ) ) );
    all.push_back(
        odeSpaceContestant( "dQuadTreeSpace, depth 6", scene, dQuadTreeSpaceCreate( nullptr, center, extents, 6 ) ) );
}

#endif

// ----------------------------------------------------------------------------------------------------------------- FCL

#ifdef CULLET_WITH_FCL

/// An object without geometry.
class Body : public fcl::CollisionObject<double>
{
public:
    explicit Body( const cltAabb& box ) : CollisionObject( nullptr )
    {
        place( box );
    }

    void place( const cltAabb& box )
    {
        aabb.min_ = { box.lower[0], box.lower[1], box.lower[2] };
        aabb.max_ = { box.upper[0], box.upper[1], box.upper[2] };
    }
};

/// A manager of FCL in double, its usual precision. The manager is told which objects moved.
template <typename Manager, typename... Arguments>
Contestant fclContestant( const char* name, const cltScene& scene, Arguments... arguments )
{
    using Objects = std::vector<fcl::CollisionObject<double>*>;
    const std::shared_ptr<fcl::BroadPhaseCollisionManager<double>> manager = std::make_shared<Manager>( arguments... );
    std::vector<std::shared_ptr<Body>> bodies;
    Objects objects;
    for ( std::uint32_t k = 0; k < scene.boxCount; ++k )
    {
        bodies.push_back( std::make_shared<Body>( scene.boxes[k] ) );
        objects.push_back( bodies.back().get() );
    }
    manager->registerObjects( objects );
    manager->setup();
    return { name, [=]( const cltScene& current )
             {
                 Objects moved;
                 for ( std::uint32_t k = 0; k < current.movedCount; ++k )
                 {
                     bodies[current.moved[k]]->place( current.boxes[current.moved[k]] );
                     moved.push_back( objects[current.moved[k]] );
                 }
                 moved.size() == objects.size() ? manager->update() : manager->update( moved );
                 std::size_t pairs = 0;
                 manager->collide( &pairs,
                                   []( auto*, auto*, void* count )
                                   {
                                       ++*static_cast<std::size_t*>( count );
                                       return false; // do not stop
                                   } );
                 return pairs;
             } };
}

void addFcl( std::vector<Contestant>& all, const cltScene& scene )
{
    all.push_back( fclContestant<CulletManager<double>>( "CulletManager", scene ) );
    all.push_back( fclContestant<CulletManager<double>>( "CulletManager, one thread", scene, 1 ) );
    all.push_back( fclContestant<fcl::DynamicAABBTreeCollisionManager<double>>( "DynamicAABBTree", scene ) );
    all.push_back(
        fclContestant<fcl::DynamicAABBTreeCollisionManager_Array<double>>( "DynamicAABBTree_Array", scene ) );
    all.push_back( fclContestant<fcl::SSaPCollisionManager<double>>( "SSaP", scene ) );
}

#endif

// ----------------------------------------------------------------------------------------------------------- measuring

/// Makes a step of each contestant that has time left. A different one begins in each step.
void stepAll( std::vector<Contestant>& contestants, const cltScene& scene )
{
    std::vector<std::size_t> pairCounts( contestants.size() );
    for ( std::size_t turn = 0; turn < contestants.size(); ++turn )
    {
        const std::size_t k = ( scene.step + turn ) % contestants.size();
        Contestant& contestant = contestants[k];
        if ( std::accumulate( contestant.times.begin(), contestant.times.end(), 0.0 ) < mostMs )
        {
            contestant.times.push_back(
                cullet::compare::millisecondsOf( [&] { pairCounts[k] = contestant.step( scene ); } ) );
        }
    }
    for ( std::size_t k = 0; k < contestants.size(); ++k )
    {
        const bool hasStepped = contestants[k].times.size() == scene.step;
        contestants[k].isAlike = contestants[k].isAlike && ( !hasStepped || pairCounts[k] == pairCounts[0] );
    }
}

} // namespace

int main( int argc, char** argv )
{
    const double bodies = argc == 3 ? std::atof( argv[1] ) : 0;
    const double moving = argc == 3 ? std::atof( argv[2] ) : -1;
    if ( !( bodies >= 1 && bodies <= 1e7 && moving >= 0 && moving <= 100 ) )
    {
        std::fprintf( stderr, "usage: %s BODIES PERCENT-THAT-MOVE\n", argv[0] );
        return 2;
    }
    const cltSceneDef def = { clt_sceneBrownian, std::uint32_t( bodies ), moving, 1, CLT_SCENE_SEED, 0 };
    const std::unique_ptr<cltScene, decltype( &cltDestroyScene )> scene( cltCreateScene( &def ), cltDestroyScene );
    std::vector<Contestant> contestants;
#ifdef CULLET_WITH_ODE
    addOde( contestants, *scene );
#endif
#ifdef CULLET_WITH_FCL
    addFcl( contestants, *scene );
#endif
    for ( std::uint32_t step = 0; step < untimedSteps + timedSteps; ++step )
    {
        cltScene_Step( scene.get() );
        stepAll( contestants, *scene );
    }
    bool areAlike = true;
    for ( const Contestant& contestant : contestants )
    {
        const auto first = contestant.times.begin() + ( contestant.times.size() > untimedSteps ? untimedSteps : 0 );
        const double ms = *cullet::compare::medianIfAny( { first, contestant.times.end() } );
        std::printf( "%-26s %9.3g ms%s\n", contestant.name.c_str(), ms,
                     contestant.isAlike ? "" : ", but other pairs than the first" );
        areAlike = areAlike && contestant.isAlike;
    }
    return areAlike ? 0 : 1;
}
