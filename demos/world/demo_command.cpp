// SPDX-License-Identifier: Zlib
/// \file demo_command.cpp
/// `cullet demo`: one falling column with pictures, or a comparison of worlds over several broadphases, of kinds or in
/// files. The column is stepped, reported like a comparison of one world, and checked: every body must end where
/// physics allows it to be.
#include "comparison.h"
#include "file_world.h"
#include "steps_script.h"
#include "world_drawing.h"

#include "demos/command/commands.h"
#include "demos/command/option_checks.h"
#include "demos/engines/core_engine.h"
#include "demos/render/picture.h"
#include "demos/report/gnuplot.h"
#include "demos/report/records.h"
#include "demos/report/timing.h"
#include "plugin/CulletBroadphase.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <xxhash.h>

namespace
{

using namespace cullet::demo;
using cullet::command::PictureSize;

struct DemoOptions : WorldOptions
{
    std::vector<std::string> broadphases = { "cullet" };
    std::vector<std::string> kinds = { "pile" };
    std::vector<std::string> files; ///< worlds instead of kinds
    std::string format;             ///< empty: as a table
    std::string out = "out";        ///< a directory
    std::string size = "1280x800";
};

/// Creates the directory if necessary and tries to write a file, so that a long run does not fail at its end.
/// \return the file's path
std::string prepareFile( const std::string& directory, const char* name )
{
    const std::filesystem::path folder = std::filesystem::u8path( directory );
    const std::filesystem::path path = folder / name;
    std::error_code error;
    std::filesystem::create_directories( folder, error );
    if ( error || !std::ofstream( path ) )
    {
        const std::string reason = error ? ": " + error.message() : "";
        throw CLI::ValidationError( "--out", fmt::format( "cannot write into directory '{}'{}", directory, reason ) );
    }
    return path.string();
}

// --------------------------------------------------------------------------------------------------------- pictures

const btVector3 viewDirection( btScalar( -0.45 ), btScalar( -0.36 ), -1 );
const btVector3 viewOverRims( btScalar( -0.45 ), btScalar( -1.25 ), -1 ); ///< steeper than the rim of "terrain"
constexpr btScalar fieldOfView = btScalar( 0.6 );                         ///< vertical, radians
constexpr btScalar bodyReach = 1; ///< metres from a body's centre that are in the picture

/// A camera that shows two rings: one around the top of the column, one around the foot of the pile. It depends on the
/// column only, so that pictures at different times can be compared.
cullet::render::Camera cameraFor( const Column& column, PictureSize size )
{
    constexpr int ringPoints = 16;
    constexpr btScalar pileSpread = btScalar( 2.3 ); // nearly all bodies end within it
    std::vector<btVector3> points;
    for ( int i = 0; i < ringPoints; ++i )
    {
        const btScalar angle = SIMD_2_PI * btScalar( i ) / ringPoints;
        const btVector3 outward = column.halfWidth * btVector3( std::cos( angle ), 0, std::sin( angle ) );
        points.push_back( btVector3( 0, column.top, 0 ) + std::sqrt( btScalar( 2 ) ) * outward );
        points.push_back( pileSpread * outward );
    }
    return cullet::render::fitCamera( viewDirection, fieldOfView, size.width, size.height, points, bodyReach );
}

/// Writes pictures of one world, if there is OpenGL.
class Photographer
{
public:
    explicit Photographer( const std::string& directory )
        : m_directory( std::filesystem::u8path( directory ) ), m_missing( cullet::render::missingOpenGl() )
    {
    }

    /// \param camera  decides the size
    void draw( World& world, const cullet::render::Camera& camera, const std::string& name )
    {
        if ( m_missing.empty() )
        {
            const cullet::compare::Stopwatch stopwatch( m_ms );
            cullet::render::Drawing drawing;
            m_drawer.draw( world, drawing );
            cullet::render::writePicture( drawing, camera, ( m_directory / name ).string() );
        }
    }

    /// One line: how long it took, or why there are no pictures.
    std::string summary() const
    {
        return m_missing.empty() ? fmt::format( "pictures    {:.1f} s, in {}", m_ms / 1000, m_directory.u8string() )
                                 : fmt::format( "no pictures of the bodies: {}", m_missing );
    }

private:
    std::filesystem::path m_directory;
    std::string m_missing;
    WorldDrawer m_drawer;
    double m_ms = 0;
};

// ------------------------------------------------------------------------------------------- one world of one column

/// The number of steps in which a body falls by `metres`.
int stepOfFall( btScalar metres )
{
    return int( std::sqrt( 2 * metres / gravity ) / stepSeconds );
}

/// Writes demo-steps.csv, one row for each step, and draws demo-time.png if gnuplot is installed. steps.gnuplot reads
/// the columns in this order.
void reportSteps( const std::vector<StepRecord>& steps, const std::string& title,
                  const std::filesystem::path& directory )
{
    std::vector<cullet::compare::Record> records;
    for ( const StepRecord& step : steps )
    {
        const auto number = records.size() + 1;
        cullet::compare::Record& record = records.emplace_back();
        record = { { "step", number }, { "seconds", double( stepSeconds ) * double( number ) } };
        for ( std::size_t part = 0; part < partCount; ++part )
        {
            record[columnName( part, "_ms" )] = step.wall[part];
        }
        record["pairs"] = step.pairs;
        record["manifolds"] = step.manifolds;
    }
    const std::string table = ( directory / "demo-steps.csv" ).string();
    const std::filesystem::path picture = directory / "demo-time.png";
    std::ofstream file( table );
    file << cullet::compare::csvText( records );
    file.close();
    if ( !file )
    {
        throw std::runtime_error( "cannot write " + table );
    }
    std::error_code ignored;
    std::filesystem::remove( picture, ignored ); // so that an old picture is not taken for one of this run
    if ( !cullet::gnuplot::isInstalled() )
    {
        fmt::print( "no demo-time.png: it needs gnuplot with the terminal pngcairo\n" );
        return;
    }
    cullet::gnuplot::run( fmt::format( "table = {}\npicture = {}\nheading = {}\n", cullet::gnuplot::quoted( table ),
                                       cullet::gnuplot::quoted( picture.string() ), cullet::gnuplot::quoted( title ) ) +
                          stepsScript );
}

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

std::string algorithmText( const World& world )
{
    if ( world.cullet() == nullptr )
    {
        return "";
    }
    const cltStats stats = cullet::compare::coreStats( *world.cullet()->getCore() );
    return fmt::format( ": {} on {} ({})", cltAlgorithmName( stats.algorithm ), cltDeviceName( stats.device ),
                        stats.reason );
}

/// Steps a column. Prints progress and a summary. Writes pictures and tables into the directory, which must exist.
/// \param kind  must be a column
/// \return whether all bodies are inside the bounds and above the plane
bool runColumn( const WorldKind& kind, const DemoOptions& options, PictureSize size )
{
    const std::filesystem::path directory = std::filesystem::u8path( options.out );
    const Column column( options.bodies );
    // Pictures before any body lands, and when the topmost bodies are half way down. Short runs draw both earlier.
    const int early = std::max( std::min( stepOfFall( column.bottom / 2 ), options.steps / 4 ), 1 );
    const int middle = std::max( std::min( stepOfFall( column.top / 2 ), options.steps / 2 ), 1 );
    const std::pair<int, const char*> pictures[] = {
        { early, "demo-early.png" }, { middle, "demo-middle.png" }, { options.steps, "demo-late.png" } };
    const cullet::render::Camera camera = cameraFor( column, size );
    Photographer photographer( options.out );
    Worlds worlds;
    const auto watch = [&]( int step )
    {
        for ( const auto& [due, name] : pictures )
        {
            if ( step == due )
            {
                photographer.draw( *worlds[0], camera, name );
            }
        }
    };
    cullet::command::Progress progress;
    const std::vector<WorldRun> runs = runWorlds( kind, options.broadphases, options, watch, worlds, progress );
    const StepRecord& last = runs[0].records.back();
    fmt::print( "\nbodies      {}: {}\n", options.bodies, kind.description );
    fmt::print( "broadphase  {}{}\n", runs[0].broadphase, algorithmText( *worlds[0] ) );
    fmt::print( "steps       {} of 1/{:.0f} s, each simulated in {} parts\n", options.steps, 1 / stepSeconds,
                substepsPerStep );
    fmt::print( "at the end  {} pairs, {} of them with the plane, {} contact manifolds\n\n", last.pairs, options.bodies,
                last.manifolds );
    printWorlds( "table", runs );
    reportSteps( runs[0].records, fmt::format( "{} bodies, broadphase {}", options.bodies, runs[0].broadphase ),
                 directory );
    fmt::print( "\n{}\n", photographer.summary() );
    return printVerdict( *worlds[0], column );
}

// ------------------------------------------------------------------------------------------------------ comparisons

/// A camera that shows the boxes of all bodies. Static bodies may reach far, and count only if there are no others.
cullet::render::Camera cameraFor( World& world, PictureSize size )
{
    const btCollisionObjectArray& objects = world.bullet().getCollisionObjectArray();
    std::vector<btVector3> corners, places;
    for ( int k = 0; k < objects.size(); ++k )
    {
        btVector3 lower, upper;
        objects[k]->getCollisionShape()->getAabb( objects[k]->getWorldTransform(), lower, upper );
        places.push_back( objects[k]->getWorldTransform().getOrigin() );
        if ( !objects[k]->isStaticObject() )
        {
            corners.insert( corners.end(), { lower, upper } );
        }
    }
    const btVector3 forward = quatRotate( shortestArcQuat( btVector3( 0, 1, 0 ), world.up() ), viewOverRims );
    return cullet::render::fitCamera( forward, fieldOfView, size.width, size.height, corners.empty() ? places : corners,
                                      bodyReach, world.up() );
}

/// Pictures show the first world at the start and at the end. Soft worlds drift apart, so all are shown at the end.
std::vector<WorldRun> compareKind( const WorldKind& kind, const DemoOptions& options, PictureSize size,
                                   cullet::command::Progress& progress )
{
    Worlds worlds;
    Photographer photographer( options.out );
    std::optional<cullet::render::Camera> camera;
    const auto draw = [&]( std::size_t k, const std::string& when )
    { photographer.draw( *worlds[k], *camera, fmt::format( "demo-{}-{}.png", kind.name, when ) ); };
    const auto watch = [&]( int step )
    {
        if ( step == 0 )
        {
            camera = cameraFor( *worlds[0], size );
            draw( 0, "before" );
        }
    };
    progress.stage( fmt::format( "{}, {} bodies", kind.name, optionsFor( kind, options ).bodies ) );
    const std::vector<WorldRun> runs = runWorlds( kind, options.broadphases, options, watch, worlds, progress );
    for ( std::size_t k = 0; k < ( kind.isSoft ? worlds.size() : 1 ); ++k )
    {
        draw( k, kind.isSoft ? "after-" + options.broadphases[k] : "after" );
    }
    return runs;
}

void compare( const std::vector<WorldKind>& kinds, const DemoOptions& options, PictureSize size )
{
    const std::string picture = prepareFile( options.out, "demo-parts.png" );
    cullet::command::Progress progress;
    std::vector<WorldRun> runs;
    for ( const WorldKind& kind : kinds )
    {
        const std::vector<WorldRun> more = compareKind( kind, options, size, progress );
        runs.insert( runs.end(), more.begin(), more.end() );
    }
    printWorlds( options.format, runs );
    if ( cullet::gnuplot::isInstalled() )
    {
        drawWorlds( picture, runs );
    }
}

void runDemo( const DemoOptions& options )
{
    const PictureSize size = cullet::command::parseSize( options.size );
    cullet::command::refuseRepeats( "--broadphase", options.broadphases );
    const bool areFiles = !options.files.empty();
    std::vector<WorldKind> kinds;
    std::vector<std::string> names; // of pictures
    for ( const std::string& name : areFiles ? options.files : options.kinds )
    {
        kinds.push_back( areFiles ? worldOfFile( name ) : worldKind( name ) );
        names.push_back( kinds.back().name );
    }
    cullet::command::refuseRepeats( areFiles ? "FILE" : "--kind", names );
    if ( options.broadphases.size() > 1 || kinds.size() > 1 || !kinds[0].isColumn )
    {
        compare( kinds, options, size );
        return;
    }
    if ( !options.format.empty() )
    {
        throw CLI::ValidationError( "--format", "is for comparisons: see --kind and --broadphase" );
    }
    prepareFile( options.out, "demo-steps.csv" );
    if ( !runColumn( kinds[0], options, size ) )
    {
        throw CLI::RuntimeError( 1 );
    }
}

constexpr const char* comparisonFooter = R"(
One kind of falling bodies over one broadphase: three pictures, demo-early.png, demo-middle.png and demo-late.png.
Several broadphases or kinds, and all other kinds: the same world is stepped over each broadphase in turns, a different
one first each time. A table shows the milliseconds of the parts of Bullet's step; "boxes", "broadphase" and a part of
"actions" are the broadphase's. At the start of each step all worlds are placed like the first one. Medians are over the
steps, separately for each part; totals add up. "processor" is the time of all threads. "pairs" is the number of pairs
that the narrow phase gets in a step, and "touching" how many of them touch. demo-parts.png shows the same.
Of each kind, demo-KIND-before.png and -after.png show the first world at the start and at the end. Worlds of "cloth"
are not placed like the first, so that there is an -after.png for each broadphase. Over cullet, cloths collide with
themselves. Triangles that cross others of the same cloth are red. The time of the cloths is in "rest".

A FILE is a world that a program wrote with Bullet's btDefaultSerializer, in float or double. It is stepped over dbvt
and cullet, unless --broadphase names others. Velocities, filters, sleep and constraints are as in
the file. What the file does not hold is not there: actions, callbacks, soft bodies and multi-bodies.
)";

} // namespace

void addDemoCommand( CLI::App& app )
{
    std::vector<std::string> kindNames;
    std::string kindList = "Kinds:\n";
    for ( const WorldKind& kind : worldKinds )
    {
        kindNames.push_back( kind.name );
        kindList += fmt::format( "  {:<10} {}\n{:13}Shows: {}\n", kind.name, kind.description, "", kind.shows );
    }
    CLI::App* command = app.add_subcommand( "demo", "Runs a Bullet world: boxes, spheres and slabs fall on a plane" );
    const auto options = std::make_shared<DemoOptions>();
    addWorldOptions( *command, *options );
    command->add_option( "--broadphase", options->broadphases, "Broadphases; several are compared" )
        ->delimiter( ',' )
        ->check( cullet::command::oneOf( broadphaseNames() ) );
    command->add_option( "--kind", options->kinds, "Kinds of worlds, see below; several are compared" )
        ->delimiter( ',' )
        ->check( cullet::command::oneOf( kindNames ) );
    command->add_option( "FILE", options->files, "Worlds in .bullet files, instead of kinds" )
        ->default_str( "" )
        ->excludes( command->get_option( "--kind" ) )
        ->excludes( command->get_option( "--bodies" ) );
    command->add_option( "--format", options->format, "Format of a comparison: table, csv or json" )
        ->check( cullet::command::oneOf( { "table", "csv", "json" } ) );
    command->add_option( "--out", options->out, "Directory of the pictures" );
    command->add_option( "--size", options->size, "Size of the pictures of the bodies, in pixels" );
    command->footer( kindList + comparisonFooter );
    command->callback(
        [=]
        {
            if ( !options->files.empty() && command->count( "--broadphase" ) == 0 )
            {
                options->broadphases = { "dbvt", "cullet" };
            }
            runDemo( *options );
        } );
}
