// SPDX-License-Identifier: Zlib
#include "source.h"

#include "demos/scenes/scenes.h"
#include "demos/world/kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cullet::view
{

std::vector<std::string> kindNames()
{
    std::vector<std::string> names;
    for ( const demo::WorldKind& kind : demo::worldKinds )
    {
        names.push_back( kind.name );
    }
    return names;
}

std::vector<std::string> sceneNames()
{
    std::vector<std::string> names;
    for ( int kind = 0; kind < CLT_SCENE_COUNT; ++kind )
    {
        names.push_back( cltSceneName( cltSceneKind( kind ) ) );
    }
    return names;
}

std::unique_ptr<Source> makeSource( const SourceRequest& request )
{
    if ( !request.kind.empty() )
    {
        return makeWorldSource( request, demo::worldKind( request.kind ) );
    }
    return request.scene.empty() ? request.fromFiles( request ) : makeSceneSource( request );
}

std::string commandOf( const SourceRequest& request )
{
    std::string command = "cullet view";
    if ( !request.kind.empty() )
    {
        command += fmt::format( " --kind {} --bodies {}", request.kind, request.bodies );
    }
    else if ( !request.scene.empty() )
    {
        command += fmt::format( " --scene {} --bodies {} --moving {} --seed {}", request.scene, request.bodies,
                                request.movingPercent, request.seed );
    }
    else
    {
        command += fmt::format( "{} {}", request.arePoses ? " --poses" : "", fmt::join( request.files, " " ) );
    }
    return request.broadphases.empty()
               ? command
               : command + fmt::format( " --broadphase {}", fmt::join( request.broadphases, "," ) );
}

std::string descriptionOf( const SourceRequest& request )
{
    if ( !request.kind.empty() )
    {
        const demo::WorldKind& kind = demo::worldKind( request.kind );
        return fmt::format( "{}. For a broadphase: {}.", kind.description, kind.shows );
    }
    for ( int kind = 0; kind < CLT_SCENE_COUNT; ++kind )
    {
        if ( request.scene == cltSceneName( cltSceneKind( kind ) ) )
        {
            return cltSceneDescription( cltSceneKind( kind ) );
        }
    }
    return fmt::format( "{}", fmt::join( request.files, " " ) );
}

} // namespace cullet::view
