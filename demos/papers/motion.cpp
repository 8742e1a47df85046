// SPDX-License-Identifier: Zlib
#include "motion.h"

#include "demos/engines/core_engine.h"
#include "demos/report/numbers.h"

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <stdexcept>

namespace cullet::papers
{

using compare::grouped;
using compare::medianIfAny;
using compare::requireOk;

namespace
{

constexpr std::uint32_t mostQuickBodies = 2000;

int stepsFor( const Effort& effort )
{
    return effort.isQuick ? 2 : untimedSteps + timedSteps;
}

std::vector<cltAabb> boxesOf( const cltScene& scene )
{
    return std::vector<cltAabb>( scene.boxes, scene.boxes + scene.boxCount );
}

/// Along which the boxes are spread out most.
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

/// The times of all steps that count.
struct Times
{
    std::vector<double> set, build, find, total;

    void add( const cltStats& stats, double movingMs )
    {
        set.push_back( movingMs + double( stats.gatherMs + stats.uploadMs ) );
        build.push_back( double( stats.buildMs ) );
        find.push_back( double( stats.findMs ) );
        total.push_back( movingMs + double( stats.totalMs ) );
    }
};

} // namespace

Motion::Motion( cltSceneKind kind, std::uint32_t bodyCount, const Effort& effort )
    : Motion( kind, bodyCount, stepsFor( effort ) )
{
}

Motion::Motion( cltSceneKind kind, std::uint32_t bodyCount, int steps )
{
    const cltSceneDef def = { kind, bodyCount, 100, 1, CLT_SCENE_SEED, 0 };
    const std::unique_ptr<cltScene, decltype( &cltDestroyScene )> scene( cltCreateScene( &def ), cltDestroyScene );
    if ( !scene )
    {
        throw std::runtime_error( "not enough memory for the scene" );
    }
    m_filters.assign( scene->filters, scene->filters + scene->boxCount );
    m_steps.push_back( boxesOf( *scene ) );
    for ( int step = 0; step < steps; ++step )
    {
        cltScene_Step( scene.get() );
        m_steps.push_back( boxesOf( *scene ) );
    }
}

// Who may not pair with its own mesh has a group for itself, as in the scene `teams`.
Motion::Motion( cltMeshScene& scene, Between between, const Effort& effort )
{
    for ( const std::uint32_t mesh : meshNumbersOf( scene ) )
    {
        m_filters.push_back( between == Between::all ? openFilter : cltFilter{ 1 << mesh, ~( 1 << mesh ) } );
    }
    m_steps.push_back( papers::boxesOf( scene ) );
    for ( int step = 0; step < stepsFor( effort ); ++step )
    {
        cltMeshScene_GoTo( &scene, scene.step + 1 );
        m_steps.push_back( papers::boxesOf( scene ) );
    }
}

const PairSet& Motion::pairs() const
{
    if ( !m_pairs )
    {
        std::vector<Candidate<cltAabb>> candidates;
        for ( std::uint32_t body = 0; body < lastBoxes().size(); ++body )
        {
            candidates.push_back( { lastBoxes()[body], m_filters[body], body } );
        }
        m_pairs = sweptPairs( std::move( candidates ), longestAxis( lastBoxes() ) );
    }
    return *m_pairs;
}

void FollowedPairs::update( cltBroadphase& core )
{
    cltPairChanges changes;
    requireOk( cltBroadphase_Update( &core, &changes ) );
    m_isSound = m_told.add( pairSet( changes.began, changes.beganCount ), pairSet( changes.ended, changes.endedCount ) )
                    .empty() &&
                m_isSound;
}

bool FollowedPairs::are( cltBroadphase& core, const PairSet& expected ) const
{
    const cltPair* pairs = nullptr;
    std::size_t count = 0;
    requireOk( cltBroadphase_GetPairs( &core, &pairs, &count ) );
    return m_isSound && m_told.pairs() == expected && pairSet( pairs, count ) == expected;
}

Updates measureUpdates( const cltBroadphaseDef& def, const Motion& motion, const Effort& effort )
{
    const std::size_t count = motion.boxes( 0 ).size();
    std::vector<cltProxyId> ids( count );
    const compare::CorePointer core = compare::createCore( def );
    requireOk( cltBroadphase_CreateProxies( core.get(), count, motion.boxes( 0 ).data(), motion.filters().data(),
                                            nullptr, ids.data() ) );
    Times times;
    FollowedPairs pairs;
    for ( std::size_t step = 0; step <= motion.stepCount(); ++step )
    {
        double movingMs = 0;
        {
            const compare::Stopwatch stopwatch( movingMs );
            requireOk( cltBroadphase_MoveProxies( core.get(), count, ids.data(), motion.boxes( step ).data() ) );
        }
        pairs.update( *core );
        if ( step > untimedSteps && !effort.isQuick )
        {
            times.add( compare::coreStats( *core ), movingMs );
        }
    }
    const cltStats stats = compare::coreStats( *core );
    const bool isOther = def.algorithm != clt_algorithmAuto && stats.algorithm != def.algorithm;
    return { medianIfAny( times.set ),
             medianIfAny( times.build ),
             medianIfAny( times.find ),
             medianIfAny( times.total ),
             double( stats.candidateCount ),
             isOther ? fmt::format( ", by {}", cltAlgorithmName( stats.algorithm ) ) : "",
             pairs.are( *core, motion.pairs() ) && stats.deviceFailureCount == 0 };
}

Everywhere measureEverywhere( cltBroadphaseDef def, const Motion& motion, const Effort& effort )
{
    Everywhere measured;
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

Row rowOf( const std::string& size, const std::string& what, std::optional<double> paper, const Everywhere& measured,
           std::optional<double> Updates::*time )
{
    Row row = cpuRow( size, what + measured.cpu.instead, "ms", paper, measured.cpu.*time, measured.cpu.isRight );
    if ( measured.device )
    {
        row.device = ( *measured.device ).*time;
        row.tick = tickOf( measured.cpu.isRight && measured.device->isRight );
    }
    return row;
}

void placeAt( std::vector<Row>& rows, double x )
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
