// SPDX-License-Identifier: Zlib
/// \file story.cpp
/// Steps the world, takes its pictures at the three moments that tell the story, and sums up.
#include "story.h"

#include "step_table.h"
#include "verdict.h"

#include "demos/command/progress.h"
#include "demos/engines/core_engine.h"
#include "demos/report/timing.h"
#include "plugin/CulletBroadphase.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace cullet::demo
{
namespace
{

/// The step after which something has fallen this many metres.
int stepOfFall( btScalar metres )
{
    return int( std::sqrt( 2 * metres / gravity ) / stepSeconds );
}

class Story
{
public:
    Story( const WorldKind& kind, const WorldOptions& options, const std::string& broadphase, PictureSize size,
           const std::string& directory )
        : m_kind( kind ), m_options( options ), m_broadphase( broadphase ), m_size( size ), m_directory( directory ),
          m_column( options.bodies ), m_world( createBroadphase( broadphase, options ) )
    {
        kind.fill( m_world, options.bodies );
    }

    /// Early: nothing has landed yet. Middle: the topmost bodies are half way down. In short runs earlier.
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

    /// \return whether every body ended where it may be
    bool sumUp()
    {
        const StepRecord& last = m_records.back();
        fmt::print( "\nbodies      {}: {}\n", m_options.bodies, m_kind.description );
        fmt::print( "broadphase  {}{}\n", m_broadphase, culletsChoice() );
        fmt::print( "steps       {} of 1/{:.0f} s, each simulated in {} parts\n", m_options.steps, 1 / stepSeconds,
                    substepsPerStep );
        fmt::print( "at the end  {} pairs, {} of them with the plane, {} contact manifolds\n", last.pairs,
                    m_options.bodies, last.manifolds );
        tellSteps( m_records, fmt::format( "{} bodies, broadphase {}", m_options.bodies, m_broadphase ), m_directory );
        fmt::print( "pictures    {:.1f} s, in {}\n", m_pictureMs / 1000, m_directory );
        return printVerdict( m_world, m_column );
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
        for ( const btRigidBody* body : m_world.bodies() )
        {
            if ( isInside( m_column, *body ) )
            {
                seen.push_back( { body->getUserIndex(), body->getWorldTransform() } );
            }
        }
        writePicture( seen, m_column, m_size, ( std::filesystem::path( m_directory ) / name ).string() );
    }

    std::string culletsChoice()
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

bool tellStory( const WorldKind& kind, const WorldOptions& options, const std::string& broadphase, PictureSize size,
                const std::string& directory )
{
    Story story( kind, options, broadphase, size, directory );
    story.simulate();
    return story.sumUp();
}

} // namespace cullet::demo
