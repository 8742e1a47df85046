// SPDX-License-Identifier: Zlib
/// \file mesh_command.cpp
/// `cullet mesh`: pairs of triangles of meshes from files, frame by frame.
#include "mesh_file.h"
#include "mesh_picture.h"

#include "cullet_mesh.h"
#include "demos/command/commands.h"
#include "demos/command/option_checks.h"
#include "demos/engines/core_engine.h"
#include "demos/report/table.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <memory>

namespace
{

using cullet::command::between;
using cullet::command::Number;
using cullet::compare::requireOk;
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

class MeshRun
{
public:
    explicit MeshRun( const MeshOptions& options ) : m_options( options )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.threadCount = options.threads;
        cltMeshSet* set = nullptr;
        requireOk( cltCreateMeshSet( &def, &set ) );
        m_set.reset( set );
    }

    void run()
    {
        for ( const std::string& file : m_options.files )
        {
            setFrameMesh( readMeshFile( file ) );
            if ( m_options.frames )
            {
                find( file );
            }
        }
        if ( !m_options.frames )
        {
            find( m_options.files.size() == 1 ? m_options.files[0]
                                              : fmt::format( "{} files", m_options.files.size() ) );
        }
        for ( const std::string& line : cullet::compare::tableLines( m_rows, 1 ) )
        {
            fmt::print( "{}", line );
        }
        if ( !m_options.picture.empty() )
        {
            writePicture();
        }
    }

private:
    struct DestroySet
    {
        void operator()( cltMeshSet* set ) const
        {
            cltDestroyMeshSet( set );
        }
    };

    /// Sets the mesh of the next frame: new positions for the current mesh, or another mesh that replaces it.
    void setFrameMesh( Mesh mesh )
    {
        if ( m_options.frames && !m_meshes.empty() )
        {
            const bool isPose =
                mesh.triangles == m_meshes[0].triangles && mesh.vertexCount() == m_meshes[0].vertexCount();
            if ( isPose )
            {
                requireOk( cltMeshSet_MoveVertices( m_set.get(), m_ids[0], mesh.vertices.data() ) );
                m_meshes[0] = std::move( mesh );
                return;
            }
            requireOk( cltMeshSet_DestroyMesh( m_set.get(), m_ids[0] ) );
            m_meshes.clear();
            m_ids.clear();
        }
        cltMeshDef def = cltDefaultMeshDef();
        def.vertices = mesh.vertices.data();
        def.vertexCount = mesh.vertexCount();
        def.triangles = mesh.triangles.data();
        def.triangleCount = mesh.triangleCount();
        def.selfCollision = m_options.self;
        cltMeshId id = 0;
        requireOk( cltMeshSet_CreateMesh( m_set.get(), &def, &id ) );
        m_meshes.push_back( std::move( mesh ) );
        m_ids.push_back( id );
    }

    void find( const std::string& name )
    {
        const auto test =
            std::find( meshTestNames.begin(), meshTestNames.end(), m_options.test ) - meshTestNames.begin();
        requireOk( cltMeshSet_FindPairs( m_set.get(), static_cast<cltMeshTest>( test ), &m_pairs, &m_pairCount ) );
        cltMeshStats stats;
        requireOk( cltMeshSet_GetStats( m_set.get(), &stats ) );
        m_rows.push_back( { name, fmt::format( "{}", stats.triangleCount ), fmt::format( "{}", stats.candidateCount ),
                            fmt::format( "{}", stats.sharedCount ), fmt::format( "{}", m_pairCount ),
                            fmt::format( "{:.2f}", stats.fitMs ), fmt::format( "{:.2f}", stats.findMs ),
                            fmt::format( "{:.2f}", stats.totalMs ) } );
    }

    void writePicture() const
    {
        std::vector<MarkedMesh> meshes;
        for ( const Mesh& mesh : m_meshes )
        {
            meshes.push_back( { &mesh, std::vector<bool>( mesh.triangleCount() ) } );
        }
        for ( std::size_t i = 0; i < m_pairCount; ++i )
        {
            mark( meshes, m_pairs[i].meshA, m_pairs[i].triangleA );
            mark( meshes, m_pairs[i].meshB, m_pairs[i].triangleB );
        }
        writeMeshPicture( meshes, 1280, 800, m_options.picture );
        fmt::print( "picture: {}\n", m_options.picture );
    }

    void mark( std::vector<MarkedMesh>& meshes, cltMeshId id, std::uint32_t triangle ) const
    {
        const auto place = std::find( m_ids.begin(), m_ids.end(), id ) - m_ids.begin();
        meshes[static_cast<std::size_t>( place )].marks[triangle] = true;
    }

    MeshOptions m_options;
    std::unique_ptr<cltMeshSet, DestroySet> m_set;
    std::vector<Mesh> m_meshes;
    std::vector<cltMeshId> m_ids;
    const cltTrianglePair* m_pairs = nullptr; // of the last frame
    std::size_t m_pairCount = 0;
    std::vector<cullet::compare::Cells> m_rows = {
        { "frame", "triangles", "boxes meet", "share a vertex", "pairs", "fit ms", "find ms", "all ms" } };
};

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
            MeshRun( *options ).run();
        } );
}
