// SPDX-License-Identifier: Zlib
/// \file comparison.cpp
/// The clocks measure the steps of the worlds and no work in between.
#include "comparison.h"

#include "demos/engines/core_engine.h"
#include "plugin/CulletBroadphase.h"

#include <fmt/format.h>

namespace cullet::demo
{
namespace
{

/// Copies transform, velocities and activation state.
void copyMotion( const btCollisionObject& from, btCollisionObject& to )
{
    to.setWorldTransform( from.getWorldTransform() );
    to.setInterpolationWorldTransform( from.getInterpolationWorldTransform() );
    to.setInterpolationLinearVelocity( from.getInterpolationLinearVelocity() );
    to.setInterpolationAngularVelocity( from.getInterpolationAngularVelocity() );
    to.forceActivationState( from.getActivationState() );
    to.setDeactivationTime( from.getDeactivationTime() );
    if ( btRigidBody* body = btRigidBody::upcast( &to ) )
    {
        body->setLinearVelocity( btRigidBody::upcast( &from )->getLinearVelocity() );
        body->setAngularVelocity( btRigidBody::upcast( &from )->getAngularVelocity() );
        body->updateInertiaTensor();
    }
}

void copyMotion( const btCollisionWorld& from, btCollisionWorld& to )
{
    const btCollisionObjectArray& objects = from.getCollisionObjectArray();
    for ( int k = 0; k < objects.size(); ++k )
    {
        if ( !objects[k]->isStaticObject() )
        {
            copyMotion( *objects[k], *to.getCollisionObjectArray()[k] );
        }
    }
}

int countTouching( btDispatcher& dispatcher )
{
    int count = 0;
    for ( int k = 0; k < dispatcher.getNumManifolds(); ++k )
    {
        count += dispatcher.getManifoldByIndexInternal( k )->getNumContacts() > 0;
    }
    return count;
}

std::string algorithmOf( btCollisionWorld& world )
{
    const CulletBroadphase* cullet = culletOf( world );
    return cullet == nullptr ? "" : cltAlgorithmName( compare::coreStats( *cullet->getCore() ).algorithm );
}

void drawIfAsked( const WorldKind& kind, const World& world, const std::string& directory, const std::string& when )
{
    if ( kind.draw != nullptr )
    {
        kind.draw( world, fmt::format( "{}/demo-{}-{}.png", directory, kind.name, when ) );
    }
}

} // namespace

std::vector<ComparedRun> compareWorlds( const WorldKind& kind, const std::vector<std::string>& broadphases,
                                        const WorldOptions& options, const std::string& directory,
                                        command::Progress& progress )
{
    std::vector<ComparedRun> runs;
    std::vector<std::unique_ptr<World>> worlds;
    for ( const std::string& name : broadphases )
    {
        progress.detail( fmt::format( "filling a world over {}", name ) );
        runs.push_back( { kind.name, options.bodies, name, "", {}, {} } );
        worlds.push_back( std::make_unique<World>( createBroadphase( name, options ), kind.isSoft ) );
        kind.fill( *worlds.back(), options.bodies );
    }
    drawIfAsked( kind, *worlds[0], directory, "before" );
    for ( std::size_t step = 0; step < std::size_t( options.steps ); ++step )
    {
        for ( std::size_t k = kind.isSoft ? worlds.size() : 1; k < worlds.size(); ++k )
        {
            copyMotion( worlds[0]->bullet(), worlds[k]->bullet() );
        }
        for ( std::size_t turn = 0; turn < worlds.size(); ++turn )
        {
            const std::size_t k = ( step + turn ) % worlds.size();
            runs[k].records.push_back( worlds[k]->step() );
            requireSound( worlds[k]->bullet() );
        }
        for ( std::size_t k = 0; k < worlds.size(); ++k )
        {
            runs[k].touching.push_back( countTouching( *worlds[k]->bullet().getDispatcher() ) );
        }
        progress.step( int( step ) + 1, options.steps, runs.back().records.back().summary() );
    }
    for ( std::size_t k = 0; k < worlds.size(); ++k )
    {
        runs[k].algorithm = algorithmOf( worlds[k]->bullet() );
        if ( kind.isSoft )
        {
            drawIfAsked( kind, *worlds[k], directory, "after-" + broadphases[k] );
        }
    }
    if ( !kind.isSoft )
    {
        drawIfAsked( kind, *worlds[0], directory, "after" );
    }
    return runs;
}

} // namespace cullet::demo
