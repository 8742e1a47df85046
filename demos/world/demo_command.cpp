// SPDX-License-Identifier: Zlib
/// \file demo_command.cpp
/// `cullet demo`: steps the world, takes its pictures at the three moments that tell the story, and sums up.
#include "step_table.h"
#include "verdict.h"
#include "world_options.h"

#include "demos/command/commands.h"
#include "demos/command/progress.h"
#include "demos/engines/core_engine.h"
#include "demos/render/picture.h"
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

namespace
{

using namespace cullet::demo;

constexpr int leastPixels = 16;
constexpr int mostPixels = 4096;

struct DemoOptions : WorldOptions
{
    std::string out = "out"; ///< a directory
    std::string size = "1280x800";
};

PictureSize parseSize( const std::string& text )
{
    PictureSize size;
    char rest;
    const int count = std::sscanf( text.c_str(), "%4dx%4d%c", &size.width, &size.height, &rest );
    if ( count != 2 || std::min( size.width, size.height ) < leastPixels ||
         std::max( size.width, size.height ) > mostPixels )
    {
        throw CLI::ValidationError(
            "--size", fmt::format( "'{}' is not WIDTHxHEIGHT, each from {} to {}", text, leastPixels, mostPixels ) );
    }
    return size;
}

/// Makes the directory if need be and tries a file in it, so that a long run does not end with nowhere to write.
void prepareDirectory( const std::string& path )
{
    std::error_code error;
    std::filesystem::create_directories( path, error );
    if ( error || !std::ofstream( std::filesystem::path( path ) / "demo-steps.csv" ) )
    {
        const std::string reason = error ? ": " + error.message() : "";
        throw CLI::ValidationError( "--out", fmt::format( "cannot write into directory '{}'{}", path, reason ) );
    }
}

/// The step after which something has fallen this many metres.
int stepOfFall( btScalar metres )
{
    return int( std::sqrt( 2 * metres / gravity ) / stepSeconds );
}

class Demo
{
public:
    Demo( const DemoOptions& options, PictureSize size )
        : m_options( options ), m_size( size ), m_broadphase( createBroadphase( options ) ),
          m_cullet( dynamic_cast<CulletBroadphase*>( m_broadphase.get() ) ),
          m_world( options.bodies, std::move( m_broadphase ) )
    {
    }

    /// Early: nothing has landed yet. Middle: the topmost bodies are half way down. In short runs earlier.
    void simulate()
    {
        const Column& column = m_world.column();
        const int early = std::max( std::min( stepOfFall( column.bottom / 2 ), m_options.steps / 4 ), 1 );
        const int middle = std::max( std::min( stepOfFall( column.top / 2 ), m_options.steps / 2 ), 1 );
        cullet::command::Progress progress;
        for ( int step = 1; step <= m_options.steps; ++step )
        {
            m_records.push_back( m_world.step() );
            if ( m_cullet != nullptr )
            {
                // Cullet keeps going without memory or device and repairs itself later; a demo had better say so.
                cullet::compare::requireOk( m_cullet->getStatus() );
            }
            progress.step( step, m_options.steps, m_records.back().summary() );
            drawIf( step == early, "demo-early.png" );
            drawIf( step == middle, "demo-middle.png" );
            drawIf( step == m_options.steps, "demo-late.png" );
        }
    }

    /// \return whether every body ended where it may be
    bool sumUp() const
    {
        const StepRecord& last = m_records.back();
        fmt::print( "\nbodies      {}: boxes (orange), spheres (blue) and slabs (green)\n", m_options.bodies );
        fmt::print( "broadphase  {}{}\n", m_options.broadphase, culletsChoice() );
        fmt::print( "steps       {} of 1/{:.0f} s, each simulated in {} parts\n", m_options.steps, 1 / stepSeconds,
                    substepsPerStep );
        fmt::print( "at the end  {} pairs, {} of them with the plane, {} contact manifolds\n", last.pairs,
                    m_options.bodies, last.manifolds );
        tellSteps( m_records, fmt::format( "{} bodies, broadphase {}", m_options.bodies, m_options.broadphase ),
                   m_options.out );
        fmt::print( "pictures    {:.1f} s, in {}\n", m_pictureMs / 1000, m_options.out );
        return printVerdict( m_world );
    }

private:
    /// Bodies that left the scene are reported at the end, not drawn: a single one far out would cost all shadows their
    /// resolution.
    void drawIf( bool due, const char* name )
    {
        if ( !due )
        {
            return;
        }
        const cullet::compare::Stopwatch stopwatch( m_pictureMs );
        std::vector<Placement> seen;
        for ( const auto& body : m_world.bodies() )
        {
            if ( isInside( m_world.column(), *body ) )
            {
                seen.push_back( placementOf( *body ) );
            }
        }
        writePicture( seen, m_world.column(), m_size, ( std::filesystem::path( m_options.out ) / name ).string() );
    }

    std::string culletsChoice() const
    {
        if ( m_cullet == nullptr )
        {
            return "";
        }
        const cltStats stats = cullet::compare::coreStats( *m_cullet->getCore() );
        return fmt::format( ": {} on {} ({})", cltAlgorithmName( stats.algorithm ), cltDeviceName( stats.device ),
                            stats.reason );
    }

    DemoOptions m_options;
    PictureSize m_size;
    std::unique_ptr<btBroadphaseInterface> m_broadphase; ///< until the world has it
    CulletBroadphase* m_cullet;                          ///< the same if it is one, or NULL
    World m_world;
    std::vector<StepRecord> m_records;
    double m_pictureMs = 0;
};

void runDemo( const DemoOptions& options )
{
    const PictureSize size = parseSize( options.size );
    prepareDirectory( options.out );
    Demo demo( options, size );
    demo.simulate();
    if ( !demo.sumUp() )
    {
        throw CLI::RuntimeError( 1 );
    }
}

} // namespace

void addDemoCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "demo", "A Bullet world: boxes, spheres and slabs fall on a plane" );
    const auto options = std::make_shared<DemoOptions>();
    addWorldOptions( *command, *options );
    command->add_option( "--out", options->out, "Directory of the pictures" );
    command->add_option( "--size", options->size, "Of the pictures, in pixels" );
    command->callback( [options] { runDemo( *options ); } );
}
