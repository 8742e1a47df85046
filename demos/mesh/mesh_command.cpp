// SPDX-License-Identifier: Zlib
/// \file mesh_command.cpp
/// `cullet mesh`: pairs of triangles of meshes from files, frame by frame.
#include "mesh_drawing.h"
#include "shown_meshes.h"

#include "demos/command/commands.h"
#include "demos/command/option_checks.h"
#include "demos/render/picture.h"
#include "demos/report/table.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace
{

using cullet::command::between;
using cullet::command::Number;
using namespace cullet::mesh;

const std::vector<std::string> meshTestNames = { "boxes", "kdops", "triangles" }; // in the order of cltMeshTest

struct MeshOptions
{
    std::vector<std::string> files;
    bool frames = false;
    bool self = false;
    std::string test = "triangles";
    int threads = 0;
    std::string picture;
};

/// Reads a mesh. A damaged file is reported like an invalid option.
Mesh readMeshFile( const std::string& path )
{
    try
    {
        return readMesh( path );
    }
    catch ( const std::runtime_error& error )
    {
        throw CLI::ValidationError( "FILES", error.what() );
    }
}

/// The rows of the table.
class MeshTable
{
public:
    explicit MeshTable( const std::string& test )
        : m_test( cltMeshTest( std::find( meshTestNames.begin(), meshTestNames.end(), test ) - meshTestNames.begin() ) )
    {
    }

    void find( ShownMeshes& meshes, const std::string& name )
    {
        const cltMeshStats stats = meshes.findPairs( m_test );
        m_rows.push_back( { name, fmt::format( "{}", stats.triangleCount ), fmt::format( "{}", stats.candidateCount ),
                            fmt::format( "{}", stats.sharedCount ), fmt::format( "{}", meshes.pairCount() ),
                            fmt::format( "{:.2f}", stats.fitMs ), fmt::format( "{:.2f}", stats.findMs ),
                            fmt::format( "{:.2f}", stats.totalMs ) } );
    }

    void print() const
    {
        for ( const std::string& line : cullet::compare::tableLines( m_rows, 1 ) )
        {
            fmt::print( "{}", line );
        }
    }

private:
    cltMeshTest m_test;
    std::vector<cullet::compare::Cells> m_rows = {
        { "frame", "triangles", "boxes meet", "share a vertex", "pairs", "fit ms", "find ms", "all ms" } };
};

void writePicture( const ShownMeshes& meshes, const std::string& path )
{
    cullet::render::Drawing drawing;
    meshes.draw( drawing );
    cullet::render::writePicture( drawing, cameraFor( drawing, 1280, 800 ), path );
    fmt::print( "picture: {}\n", path );
}

void runMeshes( const MeshOptions& options )
{
    ShownMeshes meshes( options.threads, options.self );
    MeshTable table( options.test );
    for ( const std::string& file : options.files )
    {
        if ( options.frames )
        {
            meshes.replaceAll( readMeshFile( file ) );
            table.find( meshes, file );
        }
        else
        {
            meshes.add( readMeshFile( file ) );
        }
    }
    if ( !options.frames )
    {
        table.find( meshes,
                    options.files.size() == 1 ? options.files[0] : fmt::format( "{} files", options.files.size() ) );
    }
    table.print();
    if ( !options.picture.empty() )
    {
        writePicture( meshes, options.picture );
    }
}

} // namespace

void addMeshCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "mesh", "Pairs of triangles of meshes from files" );
    const auto options = std::make_shared<MeshOptions>();
    command->add_option( "FILES", options->files, "Meshes, .obj or .ply" )->required();
    command->add_flag( "--frames", options->frames,
                       "The files are poses of one mesh, or others in its place, one after the other" );
    command->add_flag( "--self", options->self, "Also pairs of a mesh with itself, where they share no vertex" );
    command->add_option( "--test", options->test, "What has to meet" )
        ->check( cullet::command::oneOf( meshTestNames ) )
        ->capture_default_str();
    command->add_option( "--threads", options->threads, "Threads, 0 for one a processor" )
        ->check( between( 0, CLT_MAX_THREADS, Number::whole ) )
        ->capture_default_str();
    command->add_option( "--picture", options->picture, "A PNG of the last frame, triangles of pairs in red" );
    command->callback(
        [options]
        {
            if ( !options->self && ( options->frames || options->files.size() == 1 ) )
            {
                readMeshFile( options->files[0] ); // reports errors in the file before anything else
                throw CLI::ValidationError( "FILES", "one mesh has pairs with --self only" );
            }
            runMeshes( *options );
        } );
}
