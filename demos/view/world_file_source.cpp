// SPDX-License-Identifier: Zlib
#include "source.h"

#include "demos/world/file_world.h"

namespace cullet::view
{

std::unique_ptr<Source> makeWorldFileSource( const SourceRequest& request )
{
    return makeWorldSource( request, demo::worldOfFile( request.files[0] ) );
}

} // namespace cullet::view
