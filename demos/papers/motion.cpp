// SPDX-License-Identifier: Zlib
#include "motion.h"

#include "demos/engines/core_engine.h"
#include "demos/oracle/oracle.h"

#include <fmt/format.h>

#include <stdexcept>

namespace cullet::papers
{

using compare::requireOk;

static int stepsFor( const TableBuilder& table )
{
    return table.isQuick() ? 2 : untimedSteps + timedSteps;
}

ScenePointer createScene( const cltSceneDef& def )
{
    ScenePointer scene( cltCreateScene( &def ), cltDestroyScene );
    if ( !scene )
    {
        throw std::runtime_error( "not enough memory for the scene" );
    }
    return scene;
}

PairSet sweptPairsOf( const std::vector<cltAabb>& boxes, const std::vector<cltFilter>& filters )
{
    float lengths[3] = {};
    for ( int axis = 0; axis < 3; ++axis )
    {
        const auto isLower = [axis]( const cltAabb& a, const cltAabb& b ) { return a.lower[axis] < b.lower[axis]; };
        const auto ends = std::minmax_element( boxes.begin(), boxes.end(), isLower );
        lengths[axis] = ends.second->lower[axis] - ends.first->lower[axis];
    }
    std::vector<Candidate<cltAabb>> candidates;
    for ( std::uint32_t body = 0; body < boxes.size(); ++body )
    {
        candidates.push_back( { boxes[body], filters.empty() ? openFilter : filters[body], body } );
    }
    return sweptPairs( std::move( candidates ), int( std::max_element( lengths, lengths + 3 ) - lengths ) );
}

Motion::Motion( cltSceneKind kind, std::uint32_t bodyCount, const TableBuilder& table )
    : Motion( { kind, bodyCount, 100, 1, CLT_SCENE_SEED, 0 }, stepsFor( table ) )
{
}

Motion::Motion( const cltSceneDef& def, int stepCount )
{
    const ScenePointer scene = createScene( def );
    filters.assign( scene->filters, scene->filters + scene->boxCount );
    for ( int step = 0; step <= stepCount; ++step )
    {
        if ( step > 0 )
        {
            cltScene_Step( scene.get() );
        }
        steps.emplace_back( scene->boxes, scene->boxes + scene->boxCount );
    }
}

Motion::Motion( cltMeshScene& scene, Between between, const TableBuilder& table )
{
    for ( const std::uint32_t mesh : meshNumbersOf( scene ) )
    {
        // A mesh that may not pair with itself is a group of its own, as in the scene `teams`.
        filters.push_back( between == Between::all ? openFilter : cltFilter{ 1 << mesh, ~( 1 << mesh ) } );
    }
    steps.push_back( boxesOf( scene ) );
    for ( int step = 0; step < stepsFor( table ); ++step )
    {
        cltMeshScene_GoTo( &scene, scene.step + 1 );
        steps.push_back( boxesOf( scene ) );
    }
}

const PairSet& Motion::pairs() const
{
    if ( !m_pairs )
    {
        m_pairs = sweptPairsOf( lastBoxes(), filters );
    }
    return *m_pairs;
}

cltBroadphaseDef defOf( const TableBuilder& table, cltAlgorithm algorithm, cltDevice device,
                        const cltResearchDef* research )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.algorithm = algorithm;
    def.device = device;
    def.threadCount = table.effort.threads;
    def.research = research;
    return def;
}

Updates measureUpdates( const TableBuilder& table, const cltBroadphaseDef& def, const Motion& motion,
                        std::size_t untimed )
{
    const std::size_t count = motion.steps[0].size();
    std::vector<cltProxyId> ids( count );
    const compare::CorePointer core = compare::createCore( def );
    requireOk( cltBroadphase_CreateProxies( core.get(), count, motion.steps[0].data(), motion.filters.data(), nullptr,
                                            ids.data() ) );
    std::array<std::vector<double>, partCount> samples;
    std::vector<double> nodeTests;
    ReportedPairs reported; // the sum of all changes
    bool areSound = true;
    for ( std::size_t step = 0; step < motion.steps.size(); ++step )
    {
        const std::vector<cltAabb>& boxes = motion.steps[step];
        const double movingMs = compare::millisecondsOf(
            [&] { requireOk( cltBroadphase_MoveProxies( core.get(), count, ids.data(), boxes.data() ) ); } );
        cltPairChanges changes;
        requireOk( cltBroadphase_Update( core.get(), &changes ) );
        areSound =
            reported.add( pairSet( changes.began, changes.beganCount ), pairSet( changes.ended, changes.endedCount ) )
                .empty() &&
            areSound;
        if ( step > untimed )
        {
            const cltStats stats = compare::coreStats( *core );
            const float partsMs[partCount] = { stats.gatherMs + stats.uploadMs, stats.buildMs, stats.findMs,
                                               stats.buildMs + stats.findMs, stats.totalMs };
            for ( const Part part : { setPart, buildPart, findPart, searchPart, totalPart } )
            {
                const bool hasMoving = part == setPart || part == totalPart;
                samples[part].push_back( double( partsMs[part] ) + ( hasMoving ? movingMs : 0 ) );
            }
            nodeTests.push_back( double( compare::coreResearchStats( *core ).nodeTestCount ) );
        }
    }
    const cltPair* pairs = nullptr;
    std::size_t pairCount = 0;
    requireOk( cltBroadphase_GetPairs( core.get(), &pairs, &pairCount ) );
    const cltStats stats = compare::coreStats( *core );
    const cltResearchStats counts = compare::coreResearchStats( *core );
    Updates updates;
    for ( std::size_t part = 0; part < partCount && !table.isQuick(); ++part )
    {
        updates.ms[part] = compare::medianIfAny( samples[part] );
    }
    updates.candidates = double( counts.candidateCount );
    updates.nodeTests = compare::medianIfAny( nodeTests ).value_or( 0 );
    updates.frontSize = double( counts.frontSize );
    if ( def.algorithm != clt_algorithmAuto && stats.algorithm != def.algorithm )
    {
        updates.replacement = fmt::format( ", by {}", cltAlgorithmName( stats.algorithm ) );
    }
    updates.isRight = areSound && reported.pairs() == motion.pairs() && pairSet( pairs, pairCount ) == motion.pairs() &&
                      stats.deviceFailureCount == 0;
    return updates;
}

CpuAndDevice measureLibrary( const TableBuilder& table, cltAlgorithm algorithm, const Motion& motion,
                             const cltResearchDef* research )
{
    CpuAndDevice measured;
    measured.cpu = measureUpdates( table, defOf( table, algorithm, clt_deviceCpu, research ), motion );
    if ( table.effort.hasCuda )
    {
        measured.device = measureUpdates( table, defOf( table, algorithm, clt_deviceCuda, research ), motion );
    }
    return measured;
}

Row& addTime( TableBuilder& table, const std::string& size, const std::string& what, Figure paper,
              const CpuAndDevice& measured, Part part )
{
    const bool isRight = measured.cpu.isRight && ( !measured.device || measured.device->isRight );
    Row& row = table.add( size, what + measured.cpu.replacement, "ms", paper, measured.cpu.ms[part], isRight );
    row.device = measured.device ? measured.device->ms[part] : Figure();
    return row;
}

} // namespace cullet::papers
