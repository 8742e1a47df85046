// SPDX-License-Identifier: Zlib
#include "stream_source.h"

#include <climits>

namespace cullet::view
{

static cltSceneKind sceneNamed( const std::string& name )
{
    int kind = 0;
    while ( name != cltSceneName( cltSceneKind( kind ) ) )
    {
        ++kind;
    }
    return cltSceneKind( kind );
}

std::unique_ptr<Source> makeSceneSource( const SourceRequest& request )
{
    constexpr double forever = 1e9; // seconds
    const cltSceneDef def = {
        sceneNamed( request.scene ), std::uint32_t( request.bodies ), request.movingPercent, 1, request.seed, 0 };
    return makeStreamSource( std::make_unique<compare::SceneStream>( def, compare::SceneLength{ 0, INT_MAX, forever } ),
                             request );
}

} // namespace cullet::view
