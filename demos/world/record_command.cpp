// SPDX-License-Identifier: Zlib
/// \file record_command.cpp
/// `cullet record`: the demo's world or one in a file, with a recorder around its broadphase, and queries such as a
/// game makes. Also an example of recording: see the first lines of record().
#include "file_world.h"
#include "world_options.h"

#include "demos/command/commands.h"
#include "demos/command/option_checks.h"
#include "demos/command/progress.h"
#include "demos/oracle/random.h"
#include "demos/recording/packed_record_file.h"
#include "plugin/recorder/CulletRecorder.h"

#include <CLI/App.hpp>

#include <memory>

namespace
{

using cullet::command::between;
using cullet::command::Number;
using namespace cullet::demo;

constexpr double mostQueries = 1'000'000;

struct RecordOptions : WorldOptions
{
    int queries = 8; ///< rays, and as many boxes, after each step
    std::string broadphase = "cullet";
    std::string world; ///< a file; empty: the demo's world
    std::string out = "scene.cullet";
};

/// Casts rays and queries boxes at random places around the bodies, and counts their hits.
struct Queries : btBroadphaseAabbCallback
{
    /// Queries reach 5 m beyond a column, or as far as the bodies of a file.
    Queries( const WorldKind& kind, const Column& column )
        : bottom( kind.bodies > 0 ? -kind.reach : btScalar( 0 ) ), side( column.halfWidth + 5 ), top( column.top )
    {
        if ( kind.bodies > 0 )
        {
            side = top = kind.reach;
        }
    }

    void ask( btCollisionWorld& world )
    {
        const btVector3 from = point();
        const btVector3 to = point();
        btCollisionWorld::AllHitsRayResultCallback ray( from, to );
        world.rayTest( from, to, ray );
        hitCount += std::uint64_t( ray.m_collisionObjects.size() );
        const btVector3 corner = point();
        const btVector3 edges( 2, 2, 2 ); // metres: contains a few bodies
        world.getBroadphase()->aabbTest( corner, corner + edges, *this );
    }

    bool process( const btBroadphaseProxy* ) override
    {
        ++hitCount;
        return true;
    }

    btVector3 point()
    {
        const auto between = [this]( btScalar lower, btScalar upper )
        { return btScalar( random.between( double( lower ), double( upper ) ) ); };
        return btVector3{ between( -side, side ), between( bottom, top ), between( -side, side ) };
    }

    btScalar bottom;
    btScalar side;
    btScalar top;
    cullet::Random random{ 1 }; // the same queries every time
    std::uint64_t hitCount = 0;
};

void record( const RecordOptions& requested )
{
    const WorldKind kind = requested.world.empty() ? worldKind( "pile" ) : worldOfFile( requested.world );
    const RecordOptions options = optionsFor( kind, requested );
    const std::unique_ptr<btBroadphaseInterface> broadphase = createBroadphase( options.broadphase, options );
    cullet::recording::PackedRecordFile file( options.out );
    auto recorder = std::make_unique<CulletRecorder>( broadphase.get(), &file );
    if ( !recorder->isGood() )
    {
        throw CLI::ValidationError( "--out", fmt::format( "cannot write '{}'", options.out ) );
    }
    CulletRecorder& recording = *recorder;
    World world( std::move( recorder ) );
    kind.fill( world, options.bodies );
    Queries queries( kind, Column( options.bodies ) );
    cullet::command::Progress progress;
    for ( int step = 1; step <= options.steps && recording.isGood(); ++step )
    {
        progress.step( step, options.steps, world.step().summary() );
        for ( int query = 0; query < options.queries; ++query )
        {
            queries.ask( world.bullet() );
        }
    }
    if ( !recording.close() )
    {
        throw std::runtime_error( fmt::format( "writing '{}' failed", options.out ) );
    }
    fmt::print( "{}: {} bodies, {} steps on {}, {} hits by queries\n", options.out, options.bodies, options.steps,
                options.broadphase, queries.hitCount );
    fmt::print( "{} calls in {} bytes, {:.2f} bytes a call\n", recording.getEventCount(), file.getSize(),
                double( file.getSize() ) / double( recording.getEventCount() ) );
    fmt::print( "to replay it: cullet replay {} --check\n", options.out );
}

} // namespace

void addRecordCommand( CLI::App& app )
{
    CLI::App* command =
        app.add_subcommand( "record", "A Bullet world, the demo's or a file's, as a recording for replay" );
    const auto options = std::make_shared<RecordOptions>();
    addWorldOptions( *command, *options );
    command->add_option( "FILE", options->world, "A world in a .bullet file, instead of the demo's" )
        ->default_str( "" )
        ->excludes( command->get_option( "--bodies" ) );
    command->add_option( "--broadphase", options->broadphase, "What finds the pairs" )
        ->check( cullet::command::oneOf( broadphaseNames() ) );
    command->add_option( "--queries", options->queries, "Rays, and as many boxes, asked after each step" )
        ->check( between( 0, mostQueries, Number::whole ) );
    command->add_option( "--out", options->out, "The file" );
    command->callback( [options] { record( *options ); } );
}
