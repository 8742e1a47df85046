// SPDX-License-Identifier: Zlib
#include "mesh.h"

namespace cullet::mesh
{

void Mesh::addPolygon( const std::vector<std::uint32_t>& corners )
{
    for ( std::size_t i = 2; i < corners.size(); ++i )
    {
        triangles.insert( triangles.end(), { corners[0], corners[i - 1], corners[i] } );
    }
}

} // namespace cullet::mesh
