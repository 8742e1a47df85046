// SPDX-License-Identifier: Zlib
/// \file thesis_rebuild.cpp
/// Section 2.2.2.4: when to rebuild a tree that is refitted in each step. Compares rules of the thesis and of others
/// over the same thousand steps by the sum of building, refitting and searching, on one thread.
#include "karras_walks.h"
#include "measurements.h"
#include "motion.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

namespace cullet::papers
{

namespace
{

constexpr std::uint32_t bodyCount = 4000;
constexpr int stepCount = 1000;
constexpr int checkedEvery = 100;

/// The nanoseconds of a box test, and those by which a rebuild exceeds a refit for each body; measured on the machine
/// of demos/bench/README.md. The rule compares counts, so that it decides the same on every machine.
constexpr double nsPerTest = 3;
constexpr double nsPerRebuiltBody = 120;

constexpr double mostGrowth = 1.1;
constexpr double mostRatio = 1.1;

double edge( const cltAabb& box, int axis )
{
    return double( box.upper[axis] ) - double( box.lower[axis] );
}

double edgesOf( const cltAabb& box )
{
    return edge( box, 0 ) + edge( box, 1 ) + edge( box, 2 );
}

double volumeOf( const cltAabb& box )
{
    return edge( box, 0 ) * edge( box, 1 ) * edge( box, 2 );
}

/// A tree of Karras that is refitted from step to step.
class RefittedTree
{
public:
    void rebuild( const std::vector<cltAabb>& boxes )
    {
        m_tree.reset();
        m_keys = codesOf( boxes, cltHilbert );
        radixSort( m_keys );
        m_tree = std::make_unique<OnePassTree>( m_keys );
        refit( boxes );
    }

    /// Computes the boxes again and keeps the leaves in the order of the last rebuild.
    void refit( const std::vector<cltAabb>& boxes )
    {
        m_tree->build( boxes );
    }

    void walk( WalkResult& result ) const
    {
        walkByRopes( *m_tree, result );
    }

    /// The sum of the edges of all inner nodes.
    double extent() const
    {
        double sum = 0;
        forEachInner( [&]( const cltNode& node, const cltNode&, const cltNode& ) { sum += edgesOf( node.box ); } );
        return sum;
    }

    /// The volume of all inner nodes over that of their children.
    double volumeRatio() const
    {
        double above = 0, below = 0;
        forEachInner(
            [&]( const cltNode& node, const cltNode& left, const cltNode& right )
            {
                above += volumeOf( node.box );
                below += volumeOf( left.box ) + volumeOf( right.box );
            } );
        return above / below;
    }

private:
    template <typename Visit>
    void forEachInner( Visit&& visit ) const
    {
        const cltTree& tree = m_tree->tree();
        for ( std::uint32_t node = 0; node + 1 < tree.leafCount; ++node )
        {
            const cltNode& left = tree.nodes[tree.nodes[node].first];
            visit( tree.nodes[node], left, tree.nodes[left.rope] );
        }
    }

    std::vector<std::uint64_t> m_keys;
    std::unique_ptr<OnePassTree> m_tree; ///< refers to m_keys
};

/// What is known of the tree since its last rebuild.
struct Age
{
    int steps = 0;
    double extent = 0;            ///< at the rebuild
    double volumeRatio = 0;       ///< at the rebuild
    std::uint64_t firstTests = 0; ///< of the first search
    double excessNs = 0;          ///< that later searches took longer than the first
};

struct Rule
{
    const char* name;
    bool ( *shouldRebuild )( const RefittedTree& tree, const Age& age, std::size_t bodies );
};

const Rule rules[] = {
    { "never", []( const RefittedTree&, const Age&, std::size_t ) { return false; } },
    { "every step", []( const RefittedTree&, const Age&, std::size_t ) { return true; } },
    { "every 10 steps", []( const RefittedTree&, const Age& age, std::size_t ) { return age.steps >= 10; } },
    { "every 100 steps", []( const RefittedTree&, const Age& age, std::size_t ) { return age.steps >= 100; } },
    { "volume ratio", []( const RefittedTree& tree, const Age& age, std::size_t )
      { return tree.volumeRatio() > mostRatio * age.volumeRatio; } },
    { "growth",
      []( const RefittedTree& tree, const Age& age, std::size_t ) { return tree.extent() > mostGrowth * age.extent; } },
    { "balance", []( const RefittedTree&, const Age& age, std::size_t bodies )
      { return age.excessNs >= double( bodies ) * nsPerRebuiltBody; } },
};

/// One rule over all steps.
class RuleRun
{
public:
    explicit RuleRun( const Rule& rule ) : m_rule( rule )
    {
    }

    void step( const std::vector<cltAabb>& boxes )
    {
        {
            const compare::Stopwatch stopwatch( m_ms );
            updateTree( boxes );
            m_tree.walk( m_found );
        }
        m_tests += m_found.tests;
        m_age.firstTests = m_age.steps == 0 ? m_found.tests : m_age.firstTests;
        m_age.excessNs += nsPerTest * std::max( 0.0, double( m_found.tests ) - double( m_age.firstTests ) );
        ++m_age.steps;
    }

    void check( const PairSet& pairs )
    {
        m_isRight = m_isRight && m_found.sortedPairs() == pairs;
    }

    void addRows( std::vector<Row>& rows, const std::string& size, const Effort& effort ) const
    {
        const std::string name = m_rule.name;
        const auto ms = effort.isQuick ? std::nullopt : std::optional<double>( m_ms );
        rows.push_back( cpuRow( size, name, "ms", {}, ms, m_isRight ) );
        rows.push_back( cpuRow( size, name + ": trees built", "", {}, m_builtCount, m_isRight ) );
        rows.push_back( cpuRow( size, name + ": box tests", "million", {}, double( m_tests ) / 1e6, m_isRight ) );
    }

private:
    /// Evaluating the rule is part of its cost.
    void updateTree( const std::vector<cltAabb>& boxes )
    {
        if ( m_builtCount > 0 )
        {
            m_tree.refit( boxes );
        }
        if ( m_builtCount == 0 || m_rule.shouldRebuild( m_tree, m_age, boxes.size() ) )
        {
            m_tree.rebuild( boxes );
            m_age = { 0, m_tree.extent(), m_tree.volumeRatio(), 0, 0 };
            ++m_builtCount;
        }
    }

    const Rule& m_rule;
    RefittedTree m_tree;
    Age m_age;
    WalkResult m_found;
    double m_ms = 0;
    std::uint64_t m_tests = 0;
    int m_builtCount = 0;
    bool m_isRight = true;
};

void addScene( std::vector<Row>& rows, cltSceneKind kind, double speed, const Effort& effort )
{
    const std::uint32_t bodies = effort.isQuick ? 500 : bodyCount;
    const int steps = effort.isQuick ? 30 : stepCount;
    const std::string size = fmt::format( "{}, {}, speed {}", cltSceneName( kind ), compare::grouped( bodies ), speed );
    const ScenePointer scene = createScene( { kind, bodies, 100, float( speed ), CLT_SCENE_SEED, 0 } );
    const std::vector<cltFilter> filters( scene->boxCount, openFilter );
    std::vector<RuleRun> runs( std::begin( rules ), std::end( rules ) );
    for ( int step = 0; step < steps; ++step )
    {
        cltScene_Step( scene.get() );
        const std::vector<cltAabb> boxes( scene->boxes, scene->boxes + scene->boxCount );
        std::for_each( runs.begin(), runs.end(), [&]( RuleRun& run ) { run.step( boxes ); } );
        if ( effort.isQuick || step % checkedEvery == checkedEvery - 1 )
        {
            effort.progress->detail( fmt::format( "{}, step {}", size, step + 1 ) );
            const PairSet pairs = sweptPairsOf( boxes, filters );
            std::for_each( runs.begin(), runs.end(), [&]( RuleRun& run ) { run.check( pairs ); } );
        }
    }
    std::for_each( runs.begin(), runs.end(), [&]( const RuleRun& run ) { run.addRows( rows, size, effort ); } );
}

} // namespace

std::vector<Row> measureRebuildRules( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const double speed : { 0.01, 0.1, 1.0 } )
    {
        addScene( rows, clt_sceneBrownian, speed, effort );
    }
    addScene( rows, clt_sceneClustered, 1, effort );
    addScene( rows, clt_sceneColumn, 1, effort );
    return rows;
}

} // namespace cullet::papers
