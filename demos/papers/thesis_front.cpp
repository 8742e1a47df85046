// SPDX-License-Identifier: Zlib
/// \file thesis_front.cpp
/// Fronts: the thesis' rule, which looks at every entry in every step, and the library's, which knows from when on an
/// entry may say something else. Both in trees whose leaves keep their order.
#include "motion.h"
#include "thesis.h"

#include "karras_tree.h"

#include "demos/engines/core_engine.h"
#include "demos/report/numbers.h"
#include "gpu/core/front.h"

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

// -------------------------------------------------------------------------------------------------- the thesis' rule

class ThesisFront
{
public:
    explicit ThesisFront( const std::vector<cltAabb>& boxes )
    {
        std::vector<std::uint64_t> keys = codesOf( boxes, cltHilbert );
        radixSort( keys );
        std::transform( keys.begin(), keys.end(), std::back_inserter( m_bodies ),
                        []( std::uint64_t key ) { return std::uint32_t( key ); } );
        m_tree = { cltLevels_Make( std::uint32_t( boxes.size() ) ), nullptr, nullptr };
        m_nodes.resize( cltLevels_NodeCount( &m_tree.levels ) );
        m_tree.nodes = m_nodes.data();
        const std::uint32_t root = m_tree.levels.starts[m_tree.levels.top];
        m_front = { cltPairPlace_Make( &m_trees, root, root ) };
    }

    ThesisFront( const ThesisFront& ) = delete; // the views point into it

    void step( const cltAabb* boxes )
    {
        fit( boxes );
        const std::vector<cltPairPlace> last = std::move( m_front );
        m_front.clear();
        m_pairs.clear();
        m_tests = 0;
        std::uint64_t keptCount = 0;
        for ( cltPairPlace place : last )
        {
            const cltPairPlace before = place;
            cltPairPlace above;
            switch ( cltFront_MoveStep( &m_trees, &place, &above, &m_tests ) )
            {
            case clt_frontKeep:
                m_front.push_back( place );
                keptCount += place.a == before.a && place.b == before.b;
                break;
            case clt_frontDrop:
                break;
            case clt_frontDown:
                keptCount += cltPairPlace_AreLeaves( &place );
                m_tests += descend( place, m_front, &m_pairs );
                break;
            }
        }
        m_keptPercent = 100 * double( keptCount ) / double( last.size() );
    }

    /// Box tests of a search from the root of the same tree.
    std::uint64_t testsFromTheRoot() const
    {
        const std::uint32_t root = m_tree.levels.starts[m_tree.levels.top];
        std::vector<cltPairPlace> cut;
        return descend( cltPairPlace_Make( &m_trees, root, root ), cut, nullptr );
    }

    std::uint64_t tests() const
    {
        return m_tests;
    }

    double keptPercent() const
    {
        return m_keptPercent;
    }

    PairSet pairs() const
    {
        PairSet sorted = m_pairs;
        std::sort( sorted.begin(), sorted.end() );
        return sorted;
    }

    std::size_t size() const
    {
        return m_front.size();
    }

private:
    void fit( const cltAabb* boxes )
    {
        for ( std::uint32_t leaf = 0; leaf < m_bodies.size(); ++leaf )
        {
            m_nodes[leaf] = { boxes[m_bodies[leaf]], { -1, -1 } };
        }
        for ( std::uint32_t level = 1; level <= m_tree.levels.top; ++level )
        {
            for ( std::uint32_t node = m_tree.levels.starts[level]; node < m_tree.levels.starts[level + 1]; ++node )
            {
                cltLevelTree_JoinStep( &m_tree, level, node );
            }
        }
    }

    /// Adds where the search stops below a pair that meets. Returns how many boxes it tested.
    std::uint64_t descend( const cltPairPlace& from, std::vector<cltPairPlace>& cut, PairSet* pairs ) const
    {
        std::uint64_t tests = 0;
        std::vector<cltPairPlace> stack = { from };
        while ( !stack.empty() )
        {
            const cltPairPlace place = stack.back();
            stack.pop_back();
            const bool isSelf = cltPairTree_IsSelf( &m_trees, &place );
            const bool areLeaves = cltPairPlace_AreLeaves( &place );
            const bool meets = cltPairTree_Meets( &m_trees, &place );
            tests += !isSelf;
            if ( meets && areLeaves && !isSelf && pairs != nullptr )
            {
                pairs->push_back( pairKey( m_bodies[place.a], m_bodies[place.b] ) );
            }
            if ( ( !meets || areLeaves ) && !isSelf )
            {
                cut.push_back( place );
            }
            else
            {
                cltPairPlace below[CLT_MOST_PAIRS_BELOW];
                stack.insert( stack.end(), below, below + cltPairTree_Below( &m_trees, &place, below ) );
            }
        }
        return tests - ( cltPairTree_IsSelf( &m_trees, &from ) ? 0 : 1 ); // it was tested by who found it
    }

    std::vector<std::uint32_t> m_bodies; ///< of the leaves
    std::vector<cltLevelNode> m_nodes;
    cltLevelTree m_tree;
    cltPairTree m_trees = { &m_tree, &m_tree };
    std::vector<cltPairPlace> m_front;
    PairSet m_pairs;
    std::uint64_t m_tests = 0;
    double m_keptPercent = 0;
};

// ------------------------------------------------------------------------------------------------------- the library's

/// The library over the same steps.
class LibraryRun
{
public:
    LibraryRun( const cltScene& scene, bool keepsFront, const Effort& effort )
        : m_core( compare::createCore( defWith( keepsFront, effort ) ) ), m_ids( scene.boxCount )
    {
        requireOk(
            cltBroadphase_CreateProxies( m_core.get(), scene.boxCount, scene.boxes, nullptr, nullptr, m_ids.data() ) );
    }

    void step( const cltScene& scene, bool counts )
    {
        requireOk( cltBroadphase_MoveProxies( m_core.get(), scene.boxCount, m_ids.data(), scene.boxes ) );
        requireOk( cltBroadphase_Update( m_core.get(), nullptr ) );
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

    PairSet pairs() const
    {
        const cltPair* pairs = nullptr;
        std::size_t count = 0;
        requireOk( cltBroadphase_GetPairs( m_core.get(), &pairs, &count ) );
        PairSet set( count );
        const auto key = []( const cltPair& pair ) { return pairKey( pair.proxyA, pair.proxyB ); };
        std::transform( pairs, pairs + count, set.begin(), key );
        return set;
    }

private:
    static cltBroadphaseDef defWith( bool keepsFront, const Effort& effort )
    {
        cltBroadphaseDef def = defOf( clt_algorithmFrontier, effort );
        def.device = clt_deviceCpu;
        def.keepFront = keepsFront;
        return def;
    }

    compare::CorePointer m_core;
    std::vector<cltProxyId> m_ids;
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
    LibraryRun without( *scene, false, effort );
    LibraryRun with( *scene, true, effort );
    std::vector<double> rootTests, thesisTests;
    const int steps = effort.isQuick ? 12 : stepsBefore + stepsTimed;
    for ( int step = 0; step < steps; ++step )
    {
        const bool counts = effort.isQuick ? step > 5 : step >= stepsBefore;
        cltScene_Step( scene.get() );
        without.step( *scene, counts );
        with.step( *scene, counts );
        thesis.step( scene->boxes );
        if ( counts )
        {
            rootTests.push_back( double( thesis.testsFromTheRoot() ) );
            thesisTests.push_back( double( thesis.tests() ) );
        }
    }
    const PairSet expected = pairsOf( *scene );
    const bool isThesisRight = thesis.pairs() == expected;
    const bool isWithoutRight = without.pairs() == expected;
    const bool isWithRight = with.pairs() == expected;
    const auto add = [&]( const char* what, const char* unit, std::optional<double> value, bool isRight )
    { rows.push_back( cpuRow( size, what, unit, {}, value, isRight ) ); };
    add( "without a front", "ms", without.ms( effort ), isWithoutRight );
    rows.back().x = speed;
    add( "with the library's", "ms", with.ms( effort ), isWithRight );
    rows.back().x = speed;
    add( "box tests from the root", "million", *medianIfAny( rootTests ) / 1e6, isThesisRight );
    add( "box tests by the thesis' rule", "million", *medianIfAny( thesisTests ) / 1e6, isThesisRight );
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
