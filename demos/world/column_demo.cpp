// SPDX-License-Identifier: Zlib
/// \file column_demo.cpp
/// Steps the world, writes three pictures of it, reports where the time went, and checks that every body ended where
/// physics allows it to be.
#include "column_demo.h"

#include "steps_script.h"

#include "demos/command/progress.h"
#include "demos/engines/core_engine.h"
#include "demos/report/gnuplot.h"
#include "demos/report/table.h"
#include "demos/report/timing.h"
#include "plugin/CulletBroadphase.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <xxhash.h>

namespace cullet::demo
{
namespace
{

/// The number of steps in which a body falls so many metres.
int stepOfFall( btScalar metres )
{
    return int( std::sqrt( 2 * metres / gravity ) / stepSeconds );
}

// --------------------------------------------------------------------------------------------------- report of steps

/// One row for each step. steps.gnuplot reads the columns in this order.
void writeSteps( const std::vector<StepRecord>& records, const std::string& path )
{
    std::ofstream file( path );
    file << "step,seconds,boxes_ms,broadphase_ms,narrow_phase_ms,islands_ms,solver_ms,actions_ms,rest_ms,step_ms,pairs,"
            "manifolds\n";
    int step = 0;
    for ( const StepRecord& record : records )
    {
        ++step;
        file << fmt::format( "{},{:.4f},{:.4f},{:.4f},{},{}\n", step, double( stepSeconds ) * step,
                             fmt::join( record.wall, "," ), sumOf( record.wall ), record.pairs, record.manifolds );
    }
    file.close();
    if ( !file )
    {
        throw std::runtime_error( "cannot write " + path );
    }
}

/// One row of the printed table.
compare::Cells cellsOf( const char* name, const std::vector<double>& ms, double whole )
{
    const double total = std::accumulate( ms.begin(), ms.end(), 0.0 );
    return { name, fmt::format( "{:.3f}", *compare::medianIfAny( ms ) ), fmt::format( "{:.1f}", total ),
             fmt::format( "{:.1f}", 100 * total / whole ) };
}

void printParts( const std::vector<StepRecord>& records )
{
    std::array<std::vector<double>, partCount> ms;
    std::vector<double> steps;
    for ( const StepRecord& record : records )
    {
        for ( std::size_t part = 0; part < partCount; ++part )
        {
            ms[part].push_back( record.wall[part] );
        }
        steps.push_back( sumOf( record.wall ) );
    }
    const double whole = std::accumulate( steps.begin(), steps.end(), 0.0 );
    std::vector<compare::Cells> rows = { { "", "median ms", "total ms", "%" } };
    for ( std::size_t part = 0; part < partCount; ++part )
    {
        rows.push_back( cellsOf( partNames[part], ms[part], whole ) );
    }
    rows.push_back( cellsOf( "step", steps, whole ) );
    fmt::print( "\n{}\n", fmt::join( compare::tableLines( rows, 1 ), "" ) );
}

/// Prints each part's median and share of the steps, writes demo-steps.csv, and draws demo-time.png if gnuplot is
/// installed. The records are not empty.
void reportSteps( const std::vector<StepRecord>& records, const std::string& title, const std::string& directory )
{
    const std::string table = ( std::filesystem::path( directory ) / "demo-steps.csv" ).string();
    const std::string picture = ( std::filesystem::path( directory ) / "demo-time.png" ).string();
    printParts( records );
    writeSteps( records, table );
    std::error_code ignored;
    std::filesystem::remove( picture, ignored ); // so that an old picture is not taken for one of this run
    if ( !gnuplot::isInstalled() )
    {
        fmt::print( "no demo-time.png: it needs gnuplot with the terminal pngcairo\n" );
        return;
    }
    gnuplot::run( fmt::format( "table = {}\npicture = {}\nheading = {}\n", gnuplot::quoted( table ),
                               gnuplot::quoted( picture ), gnuplot::quoted( title ) ) +
                  stepsScript );
}

// ---------------------------------------------------------------------------------------------------------- verdict

/// Appends transform and velocities, without the fourth components, which Bullet's vectors leave undefined.
void appendState( const btRigidBody& body, std::vector<btScalar>& state )
{
    const btTransform& transform = body.getWorldTransform();
    for ( const btVector3& part : { transform.getOrigin(), transform.getBasis()[0], transform.getBasis()[1],
                                    transform.getBasis()[2], body.getLinearVelocity(), body.getAngularVelocity() } )
    {
        state.insert( state.end(), { part.x(), part.y(), part.z() } );
    }
}

btScalar distanceFromAxis( const btRigidBody& body )
{
    const btVector3& centre = body.getWorldTransform().getOrigin();
    return std::max( std::abs( centre.x() ), std::abs( centre.z() ) );
}

/// Whether the body is finite and within the bounds. It may be below the plane.
bool isInside( const Column& column, const btRigidBody& body )
{
    std::vector<btScalar> state;
    appendState( body, state );
    const bool isFinite = std::all_of( state.begin(), state.end(), []( btScalar x ) { return std::isfinite( x ); } );
    return isFinite && distanceFromAxis( body ) <= column.bound() &&
           body.getWorldTransform().getOrigin().y() <= column.top;
}

/// Prints how far bodies got, and a hash over the bits of every body's transform and velocities, so that two runs can
/// be compared to the last bit.
/// \return whether all bodies are inside the bounds and above the plane
bool printVerdict( const World& world, const Column& column )
{
    int below = 0;
    int outside = 0;
    btScalar lowest = column.top;
    btScalar farthest = 0;
    std::vector<btScalar> state;
    for ( const btRigidBody* body : world.bodies() )
    {
        const btScalar height = body->getWorldTransform().getOrigin().y();
        below += height < 0;
        outside += !isInside( column, *body );
        lowest = std::min( lowest, height );
        farthest = std::max( farthest, distanceFromAxis( *body ) );
        appendState( *body, state );
    }
    const bool isGood = below == 0 && outside == 0;
    fmt::print( "lowest      {:.3f} m above the plane, below it {} bodies\n", lowest, below );
    fmt::print( "farthest    {:.1f} m of {:.1f} m, outside {} bodies\n", farthest, column.bound(), outside );
    fmt::print( "world hash  {:016x}\n", XXH64( state.data(), state.size() * sizeof( btScalar ), 0 ) );
    fmt::print( "check       {}\n", isGood ? "good" : "FAILED" );
    return isGood;
}

// ------------------------------------------------------------------------------------------------------------ demo

class ColumnDemo
{
public:
    ColumnDemo( const WorldKind& kind, const WorldOptions& options, const std::string& broadphase, PictureSize size,
                const std::string& directory )
        : m_kind( kind ), m_options( options ), m_broadphase( broadphase ), m_size( size ), m_directory( directory ),
          m_column( options.bodies ), m_world( createBroadphase( broadphase, options ) )
    {
        kind.fill( m_world, options.bodies );
    }

    /// Early picture: before any body lands. Middle: the topmost bodies are half way down. Both earlier in short runs.
    void simulate()
    {
        const int early = std::max( std::min( stepOfFall( m_column.bottom / 2 ), m_options.steps / 4 ), 1 );
        const int middle = std::max( std::min( stepOfFall( m_column.top / 2 ), m_options.steps / 2 ), 1 );
        cullet::command::Progress progress;
        for ( int step = 1; step <= m_options.steps; ++step )
        {
            m_records.push_back( m_world.step() );
            requireSound( m_world.bullet() );
            progress.step( step, m_options.steps, m_records.back().summary() );
            drawIf( step == early, "demo-early.png" );
            drawIf( step == middle, "demo-middle.png" );
            drawIf( step == m_options.steps, "demo-late.png" );
        }
    }

    /// \return whether all bodies are inside the bounds and above the plane
    bool sumUp()
    {
        const StepRecord& last = m_records.back();
        fmt::print( "\nbodies      {}: {}\n", m_options.bodies, m_kind.description );
        fmt::print( "broadphase  {}{}\n", m_broadphase, algorithmText() );
        fmt::print( "steps       {} of 1/{:.0f} s, each simulated in {} parts\n", m_options.steps, 1 / stepSeconds,
                    substepsPerStep );
        fmt::print( "at the end  {} pairs, {} of them with the plane, {} contact manifolds\n", last.pairs,
                    m_options.bodies, last.manifolds );
        reportSteps( m_records, fmt::format( "{} bodies, broadphase {}", m_options.bodies, m_broadphase ),
                     m_directory );
        fmt::print( "pictures    {:.1f} s, in {}\n", m_pictureMs / 1000, m_directory );
        return printVerdict( m_world, m_column );
    }

private:
    /// Does not draw bodies that left the scene: one far away would coarsen all shadows. The verdict reports them.
    void drawIf( bool due, const char* name )
    {
        if ( !due )
        {
            return;
        }
        const cullet::compare::Stopwatch stopwatch( m_pictureMs );
        std::vector<Placement> seen;
        for ( const btRigidBody* body : m_world.bodies() )
        {
            if ( isInside( m_column, *body ) )
            {
                seen.push_back( { body->getUserIndex(), body->getWorldTransform() } );
            }
        }
        writePicture( seen, m_column, m_size, ( std::filesystem::path( m_directory ) / name ).string() );
    }

    std::string algorithmText()
    {
        const CulletBroadphase* cullet = culletOf( m_world.bullet() );
        if ( cullet == nullptr )
        {
            return "";
        }
        const cltStats stats = cullet::compare::coreStats( *cullet->getCore() );
        return fmt::format( ": {} on {} ({})", cltAlgorithmName( stats.algorithm ), cltDeviceName( stats.device ),
                            stats.reason );
    }

    const WorldKind& m_kind;
    WorldOptions m_options;
    std::string m_broadphase;
    PictureSize m_size;
    std::string m_directory;
    Column m_column;
    World m_world;
    std::vector<StepRecord> m_records;
    double m_pictureMs = 0;
};

} // namespace

bool runColumnDemo( const WorldKind& kind, const WorldOptions& options, const std::string& broadphase, PictureSize size,
                    const std::string& directory )
{
    ColumnDemo demo( kind, options, broadphase, size, directory );
    demo.simulate();
    return demo.sumUp();
}

} // namespace cullet::demo
