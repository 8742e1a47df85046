// SPDX-License-Identifier: Zlib
/// \file record_command.cpp
/// `cullet record`: the demo's world with a recorder around its broadphase, and queries as a game would make them. It
/// is also the example of how to record: see World and the two lines in front of it.
#include "world.h"
#include "world_options.h"

#include "demos/command/commands.h"
#include "demos/command/option_checks.h"
#include "demos/command/progress.h"
#include "demos/recording/packed_record_file.h"
#include "plugin/recorder/CulletRecorder.h"

#include <CLI/App.hpp>

#include <memory>
#include <random>

namespace
{

using cullet::command::between;
using cullet::command::Number;
using namespace cullet::demo;

constexpr double mostQueries = 1'000'000;

struct RecordOptions : WorldOptions
{
    int queries = 8; ///< of each kind, a step
    std::string out = "scene.cullet";
};

/// Rays and boxes, anywhere in the space that the column falls through, and how many bodies they met.
class Queries : public btBroadphaseRayCallback
{
public:
    explicit Queries( const Column& column ) : m_side( column.halfWidth + reach ), m_top( column.top )
    {
    }

    void ask( btBroadphaseInterface& broadphase )
    {
        castRay( broadphase, point(), point() );
        const btVector3 corner = point();
        broadphase.aabbTest( corner, corner + btVector3( boxEdge, boxEdge, boxEdge ), *this );
    }

    bool process( const btBroadphaseProxy* ) override
    {
        ++m_hitCount;
        return true;
    }

    std::uint64_t hitCount() const
    {
        return m_hitCount;
    }

private:
    static constexpr btScalar reach = 5;   // metres around the column
    static constexpr btScalar boxEdge = 2; // metres: a few bodies

    /// In [0, 1).
    btScalar unit()
    {
        return btScalar( m_random() >> 8 ) * btScalar( 0x1p-24 );
    }

    btVector3 point()
    {
        const btScalar x = ( 2 * unit() - 1 ) * m_side;
        const btScalar y = unit() * m_top;
        const btScalar z = ( 2 * unit() - 1 ) * m_side;
        return btVector3( x, y, z );
    }

    /// Fills the callback as btCollisionWorld does.
    void castRay( btBroadphaseInterface& broadphase, const btVector3& from, const btVector3& to )
    {
        const btVector3 direction = ( to - from ).normalized();
        for ( int axis = 0; axis < 3; ++axis )
        {
            const btScalar along = direction[axis];
            m_rayDirectionInverse[axis] = along == 0 ? btScalar( BT_LARGE_FLOAT ) : 1 / along;
            m_signs[axis] = along < 0;
        }
        m_lambda_max = direction.dot( to - from );
        broadphase.rayTest( from, to, *this );
    }

    btScalar m_side;
    btScalar m_top;
    std::mt19937 m_random; // its default seed: the same queries every time
    std::uint64_t m_hitCount = 0;
};

void requireGood( bool good, const std::string& path )
{
    if ( !good )
    {
        throw std::runtime_error( fmt::format( "writing '{}' failed", path ) );
    }
}

void record( const RecordOptions& options )
{
    const std::unique_ptr<btBroadphaseInterface> broadphase = createBroadphase( options );
    cullet::recording::PackedRecordFile file( options.out );
    auto recorder = std::make_unique<CulletRecorder>( broadphase.get(), &file );
    if ( !recorder->isGood() )
    {
        throw CLI::ValidationError( "--out", fmt::format( "cannot write '{}'", options.out ) );
    }
    CulletRecorder& recording = *recorder;
    World world( options.bodies, std::move( recorder ) );
    Queries queries( world.column() );
    cullet::command::Progress progress;
    for ( int step = 1; step <= options.steps; ++step )
    {
        progress.step( step, options.steps, world.step().summary() );
        for ( int query = 0; query < options.queries; ++query )
        {
            queries.ask( recording );
        }
        requireGood( recording.isGood(), options.out );
    }
    requireGood( recording.close(), options.out );
    fmt::print( "{}: {} bodies, {} steps on {}, {} hits by queries\n", options.out, options.bodies, options.steps,
                options.broadphase, queries.hitCount() );
    fmt::print( "{} calls in {} bytes, {:.2f} bytes a call\n", recording.getEventCount(), file.getSize(),
                double( file.getSize() ) / double( recording.getEventCount() ) );
    fmt::print( "to replay it: cullet replay {} --check\n", options.out );
}

} // namespace

void addRecordCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "record", "The demo's Bullet world into a file, for replay" );
    const auto options = std::make_shared<RecordOptions>();
    addWorldOptions( *command, *options );
    command->add_option( "--queries", options->queries, "Rays, and as many boxes, asked after each step" )
        ->check( between( 0, mostQueries, Number::whole ) )
        ->capture_default_str();
    command->add_option( "--out", options->out, "The file" )->capture_default_str();
    command->callback( [options] { record( *options ); } );
}
