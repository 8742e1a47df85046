// SPDX-License-Identifier: Zlib
/// \file thesis_front.cpp
/// Fronts: the thesis' rule, which looks at every entry in every step, and the library's, which knows from when on an
/// entry may say something else. The thesis' in a tree whose leaves keep their order, the library's in its own, which
/// sorts them anew when that pays.
#include "motion.h"
#include "thesis.h"
#include "thesis_rule.h"

#include "demos/engines/core_engine.h"
#include "demos/report/numbers.h"

#include <fmt/format.h>

#include <memory>

namespace cullet::papers
{

using compare::grouped;
using compare::medianIfAny;
using compare::requireOk;

namespace
{

constexpr int stepsBefore = 40; ///< until entries are due at different times
constexpr int stepsTimed = 31;

using BrownianScene = std::unique_ptr<cltScene, decltype( &cltDestroyScene )>;

BrownianScene sceneOf( std::uint32_t bodies, float speed )
{
    const cltSceneDef def = { clt_sceneBrownian, bodies, 100, speed, CLT_SCENE_SEED, 0 };
    BrownianScene scene( cltCreateScene( &def ), cltDestroyScene );
    if ( !scene )
    {
        throw std::runtime_error( "not enough memory for the scene" );
    }
    return scene;
}

PairSet pairsOf( const cltScene& scene )
{
    std::vector<Candidate<cltAabb>> candidates;
    for ( std::uint32_t body = 0; body < scene.boxCount; ++body )
    {
        candidates.push_back( { scene.boxes[body], { 1, -1 }, body } );
    }
    return sweptPairs( std::move( candidates ) );
}

enum class Start
{
    entryLevel,
    root, ///< and a level at a time: as the thesis counts
    front
};

/// The library over the same steps.
class LibraryRun
{
public:
    LibraryRun( const cltScene& scene, Start start, const Effort& effort )
        : m_core( compare::createCore( defWith( start, effort ) ) ), m_ids( scene.boxCount )
    {
        requireOk(
            cltBroadphase_CreateProxies( m_core.get(), scene.boxCount, scene.boxes, nullptr, nullptr, m_ids.data() ) );
    }

    void step( const cltScene& scene, bool counts )
    {
        requireOk( cltBroadphase_MoveProxies( m_core.get(), scene.boxCount, m_ids.data(), scene.boxes ) );
        m_pairs.update( *m_core );
        if ( counts )
        {
            const cltStats stats = compare::coreStats( *m_core );
            m_times.push_back( double( stats.buildMs + stats.findMs ) );
            m_tests.push_back( double( stats.nodeTestCount ) );
            m_frontSize = double( stats.frontSize );
        }
    }

    std::optional<double> ms( const Effort& effort ) const
    {
        return effort.isQuick ? std::nullopt : medianIfAny( m_times );
    }

    double tests() const
    {
        return *medianIfAny( m_tests );
    }

    double frontSize() const
    {
        return m_frontSize;
    }

    bool isRight( const PairSet& expected ) const
    {
        return m_pairs.are( *m_core, expected );
    }

private:
    static cltBroadphaseDef defWith( Start start, const Effort& effort )
    {
        cltBroadphaseDef def = defOf( clt_algorithmFrontier, effort );
        def.device = clt_deviceCpu;
        def.keepFront = start == Start::front;
        def.entryLevel = start == Start::root ? 0 : def.entryLevel;
        def.depthStep = start == Start::root ? 1 : def.depthStep;
        return def;
    }

    compare::CorePointer m_core;
    std::vector<cltProxyId> m_ids;
    FollowedPairs m_pairs;
    std::vector<double> m_times;
    std::vector<double> m_tests;
    double m_frontSize = 0;
};

void addSpeed( std::vector<Row>& rows, std::uint32_t bodies, double speed, const Effort& effort )
{
    const std::string size = fmt::format( "{}, speed {}", grouped( bodies ), speed );
    effort.progress->detail( size );
    const BrownianScene scene = sceneOf( bodies, float( speed ) );
    ThesisFront thesis( { scene->boxes, scene->boxes + scene->boxCount } );
    LibraryRun without( *scene, Start::entryLevel, effort );
    LibraryRun fresh( *scene, Start::root, effort );
    LibraryRun with( *scene, Start::front, effort );
    std::vector<double> rootTests, thesisTests;
    PairSet rootPairs;
    const int steps = effort.isQuick ? 12 : stepsBefore + stepsTimed;
    for ( int step = 0; step < steps; ++step )
    {
        const bool counts = effort.isQuick ? step > 5 : step >= stepsBefore;
        cltScene_Step( scene.get() );
        without.step( *scene, counts );
        fresh.step( *scene, counts );
        with.step( *scene, counts );
        thesis.step( scene->boxes );
        if ( counts )
        {
            rootTests.push_back( double( thesis.testsFromTheRoot( rootPairs ) ) );
            thesisTests.push_back( double( thesis.tests() ) );
        }
    }
    const PairSet expected = pairsOf( *scene );
    std::sort( rootPairs.begin(), rootPairs.end() );
    const bool isRootRight = rootPairs == expected;
    const bool isThesisRight = thesis.pairs() == expected;
    const bool isWithoutRight = without.isRight( expected );
    const bool isWithRight = with.isRight( expected );
    const auto add = [&]( const char* what, const char* unit, std::optional<double> value, bool isRight )
    { rows.push_back( cpuRow( size, what, unit, {}, value, isRight ) ); };
    add( "without a front", "ms", without.ms( effort ), isWithoutRight );
    rows.back().x = speed;
    add( "with the library's", "ms", with.ms( effort ), isWithRight );
    rows.back().x = speed;
    add( "box tests from the root", "million", *medianIfAny( rootTests ) / 1e6, isRootRight );
    add( "box tests by the thesis' rule", "million", *medianIfAny( thesisTests ) / 1e6, isThesisRight );
    add( "box tests from the root of a fresh tree", "million", fresh.tests() / 1e6, fresh.isRight( expected ) );
    add( "box tests of the library's", "million", with.tests() / 1e6, isWithRight );
    add( "entries by the thesis' rule", "million", double( thesis.size() ) / 1e6, isThesisRight );
    add( "of them kept in the last step", "%", thesis.keptPercent(), isThesisRight );
    add( "entries of the library's", "million", with.frontSize() / 1e6, isWithRight );
}

} // namespace

std::vector<Row> measureFront( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const std::uint32_t bodies : sizesFor( effort, { 2000, 20000 } ) )
    {
        for ( const double speed : { 0.01, 0.1, 1.0 } )
        {
            addSpeed( rows, bodies, speed, effort );
        }
    }
    return rows;
}

} // namespace cullet::papers
