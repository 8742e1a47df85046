// SPDX-License-Identifier: Zlib
/// \file demo.cpp
/// Steps the world, takes its pictures at the three moments that tell the story, and sums up.
#include "demo.h"

#include "picture.h"
#include "step_table.h"
#include "verify.h"

#include "demos/command/progress.h"
#include "demos/engines/core_engine.h"
#include "plugin/CulletBroadphase.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace cullet::demo
{
namespace
{

struct Moments
{
    int early;
    int middle;
};

/// The step after which something has fallen this many metres.
int stepOfFall( btScalar metres )
{
    return int( std::sqrt( 2 * metres / gravity ) / stepSeconds );
}

/// Early: nothing has landed yet. Middle: the topmost bodies are half way down. In short runs earlier.
Moments chooseMoments( const Column& column, int stepCount )
{
    const int early = std::min( stepOfFall( column.bottom / 2 ), stepCount / 4 );
    const int middle = std::min( stepOfFall( column.top / 2 ), stepCount / 2 );
    return { std::max( early, 1 ), std::max( middle, 1 ) };
}

class Demo
{
public:
    explicit Demo( const DemoOptions& options ) : Demo( options, createBroadphase( options ) )
    {
    }

    void simulate()
    {
        const Moments moments = chooseMoments( m_world.column(), m_options.steps );
        command::Progress progress;
        for ( int step = 1; step <= m_options.steps; ++step )
        {
            const StepRecord record = m_world.step();
            m_records.push_back( record );
            throwIfIncomplete();
            progress.step( step, m_options.steps, summaryOf( record ) );
            drawIf( step == moments.early, "demo-early.png" );
            drawIf( step == moments.middle, "demo-middle.png" );
            drawIf( step == m_options.steps, "demo-late.png" );
        }
    }

    void writeTables() const
    {
        const std::string table = pathIn( "demo-steps.csv" );
        writeStepTable( m_records, table );
        const std::string title = fmt::format( "{} bodies, broadphase {}", m_options.bodies, m_options.broadphase );
        if ( !plotSteps( table, title, pathIn( "demo-time.png" ) ) )
        {
            fmt::print( "no demo-time.png: it needs gnuplot with the terminal pngcairo\n" );
        }
    }

    void printSummary() const
    {
        const StepRecord& last = m_records.back();
        const Contacts contacts = m_world.countContacts();
        fmt::print( "\nbodies      {}: {}\n", m_options.bodies, kinds() );
        fmt::print( "broadphase  {}{}\n", m_options.broadphase, culletsChoice() );
        fmt::print( "steps       {} of 1/{:.0f} s, each simulated in {} parts\n", m_options.steps, 1 / stepSeconds,
                    substepsPerStep );
        fmt::print( "at the end  {} pairs, {} of them with the plane\n", last.pairs, m_options.bodies );
        fmt::print( "            {} contact manifolds, {} of them with {} contacts\n", last.manifolds,
                    contacts.manifolds, contacts.points );
        printStages( m_records );
        fmt::print( "pictures    {:.1f} s, in {}\n", m_pictureMs / 1000, m_options.out );
    }

    bool printVerdict() const
    {
        const Verdict verdict = verify( m_world );
        const btScalar bound = m_world.column().bound();
        fmt::print( "lowest      {:.3f} m above the plane, below it {} bodies\n", verdict.lowestCentre,
                    verdict.belowPlane );
        fmt::print( "farthest    {:.1f} m of {:.1f} m, outside {} bodies\n", verdict.farthestCentre, bound,
                    verdict.outside );
        fmt::print( "world hash  {:016x}\n", hashOf( m_world ) );
        fmt::print( "check       {}\n", verdict.good() ? "good" : "FAILED" );
        return verdict.good();
    }

private:
    Demo( const DemoOptions& options, NamedBroadphase named )
        : m_options( options ), m_cullet( named.cullet ), m_world( options.bodies, std::move( named.broadphase ) )
    {
    }

    std::string pathIn( const char* name ) const
    {
        return ( std::filesystem::path( m_options.out ) / name ).string();
    }

    void drawIf( bool due, const char* name )
    {
        if ( due )
        {
            const Stopwatch stopwatch( m_pictureMs );
            writePicture( m_world, m_options.size, pathIn( name ) );
        }
    }

    /// Cullet keeps going without memory or device and repairs itself later; a demo that shows it had better say so.
    void throwIfIncomplete() const
    {
        if ( m_cullet != nullptr )
        {
            compare::requireOk( m_cullet->getStatus() );
        }
    }

    std::string kinds() const
    {
        int counts[bodyKindCount] = {};
        for ( int index = 0; index < m_world.bodyCount(); ++index )
        {
            ++counts[int( m_world.kindOf( index ) )];
        }
        return fmt::format( "{} boxes (orange), {} spheres (blue), {} slabs (green)", counts[int( BodyKind::box )],
                            counts[int( BodyKind::sphere )], counts[int( BodyKind::slab )] );
    }

    std::string culletsChoice() const
    {
        if ( m_cullet == nullptr )
        {
            return "";
        }
        const cltStats stats = compare::coreStats( *m_cullet->getCore() );
        return fmt::format( ": {} on {} ({})", cltAlgorithmName( stats.algorithm ), cltDeviceName( stats.device ),
                            stats.reason );
    }

    DemoOptions m_options;
    CulletBroadphase* m_cullet; ///< the world's, or NULL
    World m_world;
    StepRecords m_records;
    double m_pictureMs = 0;
};

} // namespace

bool runDemo( const DemoOptions& options )
{
    Demo demo( options );
    demo.simulate();
    demo.printSummary();
    demo.writeTables();
    return demo.printVerdict();
}

} // namespace cullet::demo
