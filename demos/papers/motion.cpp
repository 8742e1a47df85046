// SPDX-License-Identifier: Zlib
#include "motion.h"

#include "demos/engines/core_engine.h"
#include "demos/oracle/reported_pairs.h"

#include <fmt/format.h>

#include <stdexcept>

namespace cullet::papers
{

using compare::requireOk;

namespace
{

constexpr std::uint32_t mostQuickBodies = 2000;

int stepsFor( const Effort& effort )
{
    return effort.isQuick ? 2 : untimedSteps + timedSteps;
}

/// The axis along which the boxes spread most.
int longestAxis( const std::vector<cltAabb>& boxes )
{
    float lengths[3] = {};
    for ( int axis = 0; axis < 3; ++axis )
    {
        const auto isLower = [axis]( const cltAabb& a, const cltAabb& b ) { return a.lower[axis] < b.lower[axis]; };
        const auto ends = std::minmax_element( boxes.begin(), boxes.end(), isLower );
        lengths[axis] = ends.second->lower[axis] - ends.first->lower[axis];
    }
    return int( std::max_element( lengths, lengths + 3 ) - lengths );
}

/// The statistics of all timed steps.
struct Samples
{
    std::vector<double> set, build, find, search, total, nodeTests;

    void add( const cltStats& stats, const cltResearchStats& counts, double movingMs )
    {
        set.push_back( movingMs + double( stats.gatherMs + stats.uploadMs ) );
        build.push_back( double( stats.buildMs ) );
        find.push_back( double( stats.findMs ) );
        search.push_back( double( stats.buildMs + stats.findMs ) );
        total.push_back( movingMs + double( stats.totalMs ) );
        nodeTests.push_back( double( counts.nodeTestCount ) );
    }
};

/// Adds up the changes that a broadphase reports, step by step.
class ReportedChanges
{
public:
    void update( cltBroadphase& core )
    {
        cltPairChanges changes;
        requireOk( cltBroadphase_Update( &core, &changes ) );
        const std::string wrong =
            m_sum.add( pairSet( changes.began, changes.beganCount ), pairSet( changes.ended, changes.endedCount ) );
        m_isSound = m_isSound && wrong.empty();
    }

    /// Whether both the sum of the changes and the broadphase's list of pairs are the expected pairs.
    bool are( cltBroadphase& core, const PairSet& expected ) const
    {
        const cltPair* pairs = nullptr;
        std::size_t count = 0;
        requireOk( cltBroadphase_GetPairs( &core, &pairs, &count ) );
        return m_isSound && m_sum.pairs() == expected && pairSet( pairs, count ) == expected;
    }

private:
    ReportedPairs m_sum;
    bool m_isSound = true;
};

} // namespace

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
    std::vector<Candidate<cltAabb>> candidates;
    for ( std::uint32_t body = 0; body < boxes.size(); ++body )
    {
        candidates.push_back( { boxes[body], filters[body], body } );
    }
    return sweptPairs( std::move( candidates ), longestAxis( boxes ) );
}

Motion::Motion( cltSceneKind kind, std::uint32_t bodyCount, const Effort& effort )
    : Motion( { kind, bodyCount, 100, 1, CLT_SCENE_SEED, 0 }, stepsFor( effort ) )
{
}

Motion::Motion( const cltSceneDef& def, int steps )
{
    const ScenePointer scene = createScene( def );
    m_filters.assign( scene->filters, scene->filters + scene->boxCount );
    for ( int step = 0; step <= steps; ++step )
    {
        if ( step > 0 )
        {
            cltScene_Step( scene.get() );
        }
        m_steps.emplace_back( scene->boxes, scene->boxes + scene->boxCount );
    }
}

Motion::Motion( cltMeshScene& scene, Between between, const Effort& effort )
{
    for ( const std::uint32_t mesh : meshNumbersOf( scene ) )
    {
        // A mesh that may not pair with itself is a group of its own, as in the scene `teams`.
        m_filters.push_back( between == Between::all ? openFilter : cltFilter{ 1 << mesh, ~( 1 << mesh ) } );
    }
    m_steps.push_back( boxesOf( scene ) );
    for ( int step = 0; step < stepsFor( effort ); ++step )
    {
        cltMeshScene_GoTo( &scene, scene.step + 1 );
        m_steps.push_back( boxesOf( scene ) );
    }
}

const PairSet& Motion::pairs() const
{
    if ( !m_pairs )
    {
        m_pairs = sweptPairsOf( lastBoxes(), m_filters );
    }
    return *m_pairs;
}

Updates measureUpdates( const cltBroadphaseDef& def, const Motion& motion, const Effort& effort, std::size_t untimed )
{
    const std::size_t count = motion.boxes( 0 ).size();
    std::vector<cltProxyId> ids( count );
    const compare::CorePointer core = compare::createCore( def );
    requireOk( cltBroadphase_CreateProxies( core.get(), count, motion.boxes( 0 ).data(), motion.filters().data(),
                                            nullptr, ids.data() ) );
    Samples samples;
    ReportedChanges changes;
    for ( std::size_t step = 0; step <= motion.stepCount(); ++step )
    {
        double movingMs = 0;
        {
            const compare::Stopwatch stopwatch( movingMs );
            requireOk( cltBroadphase_MoveProxies( core.get(), count, ids.data(), motion.boxes( step ).data() ) );
        }
        changes.update( *core );
        if ( step > untimed )
        {
            samples.add( compare::coreStats( *core ), compare::coreResearchStats( *core ), movingMs );
        }
    }
    const auto ms = [&]( const std::vector<double>& times )
    { return effort.isQuick ? std::nullopt : compare::medianIfAny( times ); };
    const cltStats stats = compare::coreStats( *core );
    const cltResearchStats counts = compare::coreResearchStats( *core );
    const bool isOther = def.algorithm != clt_algorithmAuto && stats.algorithm != def.algorithm;
    Updates updates;
    updates.setMs = ms( samples.set );
    updates.buildMs = ms( samples.build );
    updates.findMs = ms( samples.find );
    updates.searchMs = ms( samples.search );
    updates.totalMs = ms( samples.total );
    updates.candidates = double( counts.candidateCount );
    updates.nodeTests = compare::medianIfAny( samples.nodeTests ).value_or( 0 );
    updates.frontSize = double( counts.frontSize );
    updates.replacement = isOther ? fmt::format( ", by {}", cltAlgorithmName( stats.algorithm ) ) : "";
    updates.isRight = changes.are( *core, motion.pairs() ) && stats.deviceFailureCount == 0;
    return updates;
}

CpuAndDevice measureCpuAndDevice( cltBroadphaseDef def, const Motion& motion, const Effort& effort )
{
    CpuAndDevice measured;
    def.device = clt_deviceCpu;
    measured.cpu = measureUpdates( def, motion, effort );
    if ( effort.hasCuda )
    {
        def.device = clt_deviceCuda;
        measured.device = measureUpdates( def, motion, effort );
    }
    return measured;
}

cltBroadphaseDef defOf( cltAlgorithm algorithm, const Effort& effort )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.algorithm = algorithm;
    def.threadCount = effort.threads;
    return def;
}

Row rowOf( const std::string& size, const std::string& what, std::optional<double> paper, const CpuAndDevice& measured,
           std::optional<double> Updates::*time )
{
    Row row = cpuRow( size, what + measured.cpu.replacement, "ms", paper, measured.cpu.*time, measured.cpu.isRight );
    if ( measured.device )
    {
        row.device = ( *measured.device ).*time;
        row.tick = tickOf( measured.cpu.isRight && measured.device->isRight );
    }
    return row;
}

void setX( std::vector<Row>& rows, double x )
{
    for ( Row& row : rows )
    {
        row.x = row.x ? row.x : std::optional<double>( x );
    }
}

std::vector<std::uint32_t> sizesFor( const Effort& effort, std::vector<std::uint32_t> sizes )
{
    const auto isLarge = [&]( std::uint32_t size ) { return effort.isQuick && size > mostQuickBodies; };
    sizes.erase( std::remove_if( sizes.begin(), sizes.end(), isLarge ), sizes.end() );
    return sizes;
}

} // namespace cullet::papers
