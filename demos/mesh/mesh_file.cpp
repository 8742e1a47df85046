// SPDX-License-Identifier: Zlib
/// \file mesh_file.cpp
/// Selects the reader of a file, and does the work that all readers share.
#include "mesh_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace cullet::mesh
{

void MeshBuilder::addPolygon( const std::vector<std::uint32_t>& corners, std::size_t line )
{
    mesh.addPolygon( corners );
    m_lines.resize( mesh.triangleCount(), line );
}

void MeshBuilder::checkCorners( std::uint32_t firstVertex ) const
{
    for ( std::size_t i = 0; i < mesh.triangles.size(); ++i )
    {
        if ( mesh.triangles[i] >= mesh.vertexCount() )
        {
            throw DamagedFile( m_lines[i / 3], "vertex " + std::to_string( mesh.triangles[i] + firstVertex ) +
                                                   " is none of the " + std::to_string( mesh.vertexCount() ) );
        }
    }
}

Mesh readMesh( const std::string& path )
{
    const std::filesystem::path file = std::filesystem::u8path( path );
    std::string ending = file.extension().string();
    std::transform( ending.begin(), ending.end(), ending.begin(),
                    []( unsigned char c ) { return static_cast<char>( std::tolower( c ) ); } );
    if ( ending != ".obj" && ending != ".ply" )
    {
        throw std::runtime_error( path + ": neither .obj nor .ply" );
    }
    std::ifstream in( file, std::ios::binary );
    if ( !in || std::filesystem::is_directory( file ) )
    {
        throw std::runtime_error( path + ": cannot be read" );
    }
    try
    {
        Mesh mesh = ending == ".obj" ? readObj( in ) : readPly( in );
        if ( mesh.triangles.empty() )
        {
            throw DamagedFile( 0, "has no triangles" );
        }
        return mesh;
    }
    catch ( const DamagedFile& damage )
    {
        throw std::runtime_error( path + damage.what() );
    }
}

} // namespace cullet::mesh
