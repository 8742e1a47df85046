// SPDX-License-Identifier: Zlib
// The input is an OBJ file, or a PLY file if it begins like one.
#include "demos/mesh/mesh_file.h"
#include "tests/fuzz/require.h"

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace cullet::mesh;
using test::require;

extern "C" int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    const std::string text( reinterpret_cast<const char*>( data ), size );
    std::istringstream in( text );
    try
    {
        const Mesh mesh = text.compare( 0, 3, "ply" ) == 0 ? readPly( in ) : readObj( in );
        const auto isFinite = []( float number ) { return std::isfinite( number ); };
        const auto isVertex = [&]( std::uint32_t corner ) { return corner < mesh.vertexCount(); };
        require( std::all_of( mesh.vertices.begin(), mesh.vertices.end(), isFinite ) );
        require( std::all_of( mesh.triangles.begin(), mesh.triangles.end(), isVertex ) );
        require( mesh.vertices.size() % 3 == 0 && mesh.triangles.size() % 3 == 0 );
        require( mesh.vertices.size() + mesh.triangles.size() <= 3 * size + 3 ); // no file promises more than it holds
    }
    catch ( const DamagedFile& )
    {
    }
    return 0;
}
