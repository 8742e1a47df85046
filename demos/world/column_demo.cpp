// SPDX-License-Identifier: Zlib
/// \file column_demo.cpp
/// Steps the world, writes three pictures of it, reports where the time went, and checks that every body ended where
/// physics allows it to be.
#include "column_demo.h"

#include "steps_script.h"

#include "demos/engines/core_engine.h"
#include "demos/report/gnuplot.h"
#include "demos/report/records.h"
#include "demos/report/timing.h"
#include "plugin/CulletBroadphase.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
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

/// Writes demo-steps.csv, one row for each step, and draws demo-time.png if gnuplot is installed. steps.gnuplot reads
/// the columns in this order.
void reportSteps( const std::vector<StepRecord>& steps, const std::string& title,
                  const std::filesystem::path& directory )
{
    std::vector<compare::Record> records;
    for ( const StepRecord& step : steps )
    {
        const auto number = records.size() + 1;
        compare::Record& record = records.emplace_back();
        record = { { "step", number }, { "seconds", double( stepSeconds ) * double( number ) } };
        for ( std::size_t part = 0; part < partCount; ++part )
        {
            record[columnName( part, "_ms" )] = step.wall[part];
        }
        record["pairs"] = step.pairs;
        record["manifolds"] = step.manifolds;
    }
    const std::string table = directory / "demo-steps.csv";
    const std::string picture = directory / "demo-time.png";
    std::ofstream file( table );
    file << compare::csvText( records );
    file.close();
    if ( !file )
    {
        throw std::runtime_error( "cannot write " + table );
    }
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

/// Transform and velocities, without the fourth components, which Bullet's vectors leave undefined.
std::vector<btScalar> stateOf( const btRigidBody& body )
{
    std::vector<btScalar> state;
    const btTransform& transform = body.getWorldTransform();
    for ( const btVector3& part : { transform.getOrigin(), transform.getBasis()[0], transform.getBasis()[1],
                                    transform.getBasis()[2], body.getLinearVelocity(), body.getAngularVelocity() } )
    {
        state.insert( state.end(), { part.x(), part.y(), part.z() } );
    }
    return state;
}

btScalar distanceFromAxis( const btRigidBody& body )
{
    const btVector3& centre = body.getWorldTransform().getOrigin();
    return std::max( std::abs( centre.x() ), std::abs( centre.z() ) );
}

/// Whether the body is finite and within the bounds. It may be below the plane.
bool isInside( const Column& column, const btRigidBody& body )
{
    const std::vector<btScalar> state = stateOf( body );
    const bool isFinite = std::all_of( state.begin(), state.end(), []( btScalar x ) { return std::isfinite( x ); } );
    return isFinite && distanceFromAxis( body ) <= column.bound() &&
           body.getWorldTransform().getOrigin().y() <= column.top;
}

/// How far bodies got.
struct Verdict
{
    int below = 0;
    int outside = 0;
    btScalar lowest;
    btScalar farthest = 0;
    XXH64_hash_t hash; ///< over the bits of every body's state, so that two runs can be compared to the last bit
};

Verdict verdictOn( const World& world, const Column& column )
{
    Verdict verdict = { 0, 0, column.top, 0, 0 };
    std::vector<btScalar> all;
    for ( const btRigidBody* body : world.bodies() )
    {
        const btScalar height = body->getWorldTransform().getOrigin().y();
        verdict.below += height < 0;
        verdict.outside += !isInside( column, *body );
        verdict.lowest = std::min( verdict.lowest, height );
        verdict.farthest = std::max( verdict.farthest, distanceFromAxis( *body ) );
        const std::vector<btScalar> state = stateOf( *body );
        all.insert( all.end(), state.begin(), state.end() );
    }
    verdict.hash = XXH64( all.data(), all.size() * sizeof( btScalar ), 0 );
    return verdict;
}

/// Does not draw bodies that left the scene: one far away would coarsen all shadows. The verdict reports them.
void draw( const World& world, const Column& column, PictureSize size, const std::string& path )
{
    std::vector<Placement> seen;
    for ( const btRigidBody* body : world.bodies() )
    {
        if ( isInside( column, *body ) )
        {
            seen.push_back( { body->getUserIndex(), body->getWorldTransform() } );
        }
    }
    writePicture( seen, column, size, path );
}

std::string algorithmText( const World& world )
{
    if ( world.cullet() == nullptr )
    {
        return "";
    }
    const cltStats stats = compare::coreStats( *world.cullet()->getCore() );
    return fmt::format( ": {} on {} ({})", cltAlgorithmName( stats.algorithm ), cltDeviceName( stats.device ),
                        stats.reason );
}

} // namespace

bool runColumnDemo( const WorldKind& kind, const WorldOptions& options, const std::string& broadphase, PictureSize size,
                    const std::filesystem::path& directory )
{
    const Column column( options.bodies );
    // Before any body lands, and when the topmost bodies are half way down. Both earlier in short runs.
    const int early = std::max( std::min( stepOfFall( column.bottom / 2 ), options.steps / 4 ), 1 );
    const int middle = std::max( std::min( stepOfFall( column.top / 2 ), options.steps / 2 ), 1 );
    double pictureMs = 0;
    std::string algorithm;
    Verdict verdict;
    const auto watch = [&]( int step, Worlds& worlds )
    {
        const compare::Stopwatch stopwatch( pictureMs );
        const std::pair<int, const char*> pictures[] = {
            { early, "demo-early.png" }, { middle, "demo-middle.png" }, { options.steps, "demo-late.png" } };
        for ( const auto& [due, name] : pictures )
        {
            if ( step == due )
            {
                draw( *worlds[0], column, size, directory / name );
            }
        }
        if ( step == options.steps )
        {
            algorithm = algorithmText( *worlds[0] );
            verdict = verdictOn( *worlds[0], column );
        }
    };
    command::Progress progress;
    const std::vector<WorldRun> runs = runWorlds( kind, { broadphase }, options, progress, watch );
    const StepRecord& last = runs[0].records.back();
    fmt::print( "\nbodies      {}: {}\n", options.bodies, kind.description );
    fmt::print( "broadphase  {}{}\n", broadphase, algorithm );
    fmt::print( "steps       {} of 1/{:.0f} s, each simulated in {} parts\n", options.steps, 1 / stepSeconds,
                substepsPerStep );
    fmt::print( "at the end  {} pairs, {} of them with the plane, {} contact manifolds\n\n", last.pairs, options.bodies,
                last.manifolds );
    printWorlds( "table", runs );
    reportSteps( runs[0].records, fmt::format( "{} bodies, broadphase {}", options.bodies, broadphase ), directory );
    const bool isGood = verdict.below == 0 && verdict.outside == 0;
    fmt::print( "\npictures    {:.1f} s, in {}\n", pictureMs / 1000, directory.string() );
    fmt::print( "lowest      {:.3f} m above the plane, below it {} bodies\n", verdict.lowest, verdict.below );
    fmt::print( "farthest    {:.1f} m of {:.1f} m, outside {} bodies\n", verdict.farthest, column.bound(),
                verdict.outside );
    fmt::print( "world hash  {:016x}\n", verdict.hash );
    fmt::print( "check       {}\n", isGood ? "good" : "FAILED" );
    return isGood;
}

} // namespace cullet::demo
