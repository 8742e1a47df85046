// SPDX-License-Identifier: Zlib
/// \file demo.cpp
/// Steps the world, takes its pictures at the three moments that tell the story, and sums up.
#include "demo.h"

#include "broadphases.h"
#include "picture.h"
#include "progress.h"
#include "step_table.h"
#include "stopwatch.h"
#include "verify.h"

#include "plugin/CulletBroadphase.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

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

std::string pathIn( const DemoSettings& settings, const char* name )
{
    return ( std::filesystem::path( settings.out ) / name ).string();
}

class Demo
{
public:
    explicit Demo( const DemoSettings& settings )
        : m_settings( settings ), m_named( createBroadphase( settings.broadphase, settings.threads,
                                                             planColumn( settings.bodies ), settings.bodies ) ),
          m_cullet( m_named.cullet ), m_world( settings.bodies, std::move( m_named.broadphase ) )
    {
    }

    void simulate()
    {
        const Moments moments = chooseMoments( m_world.column(), m_settings.steps );
        Progress progress( m_settings.steps );
        for ( int step = 1; step <= m_settings.steps; ++step )
        {
            m_records.push_back( m_world.step() );
            throwIfIncomplete();
            progress.report( step, m_records.back() );
            drawIf( step == moments.early, "demo-early.png" );
            drawIf( step == moments.middle, "demo-middle.png" );
            drawIf( step == m_settings.steps, "demo-late.png" );
        }
    }

    void writeTables() const
    {
        const std::string table = pathIn( m_settings, "demo-steps.csv" );
        writeStepTable( m_records, table );
        const std::string title = fmt::format( "{} bodies, broadphase {}", m_settings.bodies, m_settings.broadphase );
        if ( !plotSteps( table, title, pathIn( m_settings, "demo-time.png" ) ) )
        {
            fmt::print( "no demo-time.png: it needs gnuplot with the terminal pngcairo\n" );
        }
    }

    void printSummary() const
    {
        const StepRecord& last = m_records.back();
        const Contacts contacts = m_world.countContacts();
        fmt::print( "\nbodies      {}: {}\n", m_settings.bodies, kinds() );
        fmt::print( "broadphase  {}{}\n", m_settings.broadphase, culletsChoice() );
        fmt::print( "steps       {} of 1/{:.0f} s, each simulated in {} parts\n", m_settings.steps, 1 / stepSeconds,
                    substepsPerStep );
        fmt::print( "at the end  {} pairs, {} of them with the plane\n", last.pairs, m_settings.bodies );
        fmt::print( "            {} contact manifolds, {} of them with {} contacts\n", last.manifolds,
                    contacts.manifolds, contacts.points );
        printStages( m_records );
        fmt::print( "pictures    {:.1f} s, in {}\n", m_pictureMs / 1000, m_settings.out );
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
    void drawIf( bool due, const char* name )
    {
        if ( due )
        {
            const Stopwatch stopwatch( m_pictureMs );
            writePicture( m_world, m_settings.size, pathIn( m_settings, name ) );
        }
    }

    /// Cullet keeps going without memory or device and repairs itself later; a demo that shows it had better say so.
    void throwIfIncomplete() const
    {
        if ( m_cullet != nullptr && m_cullet->getStatus() != clt_ok )
        {
            throw std::runtime_error( cltStatusMessage( m_cullet->getStatus() ) );
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
        cltStats stats;
        if ( m_cullet == nullptr || cltBroadphase_GetStats( m_cullet->getCore(), &stats ) != clt_ok )
        {
            return "";
        }
        return fmt::format( ": {} on {} ({})", cltAlgorithmName( stats.algorithm ), cltDeviceName( stats.device ),
                            stats.reason );
    }

    DemoSettings m_settings;
    NamedBroadphase m_named; ///< moved into the world
    CulletBroadphase* m_cullet;
    World m_world;
    StepRecords m_records;
    double m_pictureMs = 0;
};

} // namespace

bool runDemo( const DemoSettings& settings )
{
    Demo demo( settings );
    demo.simulate();
    demo.printSummary();
    demo.writeTables();
    return demo.printVerdict();
}

} // namespace cullet::demo
