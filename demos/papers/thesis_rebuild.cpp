// SPDX-License-Identifier: Zlib
/// \file thesis_rebuild.cpp
/// Section 2.2.2.4: when to rebuild a tree that is refitted in each step. Compares rules of the thesis and of others
/// over the same thousand steps by the sum of building, refitting and searching, on one thread.
#include "karras_tree.h"
#include "motion.h"

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

double volumeOf( const cltAabb& box )
{
    return edge( box, 0 ) * edge( box, 1 ) * edge( box, 2 );
}

/// A tree of Karras that is refitted from step to step.
struct RefittedTree
{
    Keys keys;
    std::unique_ptr<OnePassTree> tree; ///< refers to keys

    void rebuild( const std::vector<cltAabb>& boxes )
    {
        tree.reset();
        keys = sortedCodesOf( boxes, cltHilbert );
        tree = std::make_unique<OnePassTree>( keys );
        tree->build( boxes );
    }

    /// The sum of the edges of all inner nodes.
    double extent() const
    {
        double sum = 0;
        for ( std::uint32_t node = 0; node + 1 < tree->tree.leafCount; ++node )
        {
            const cltAabb& box = tree->tree.nodes[node].box;
            sum += edge( box, 0 ) + edge( box, 1 ) + edge( box, 2 );
        }
        return sum;
    }

    /// The volume of all inner nodes over that of their children.
    double volumeRatio() const
    {
        const cltNode* nodes = tree->tree.nodes;
        double above = 0, below = 0;
        for ( std::uint32_t node = 0; node + 1 < tree->tree.leafCount; ++node )
        {
            const cltNode& left = nodes[nodes[node].first];
            above += volumeOf( nodes[node].box );
            below += volumeOf( left.box ) + volumeOf( nodes[left.rope].box );
        }
        return above / below;
    }
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
            walkByRopes( *m_tree.tree, m_found );
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

    void addRows( TableBuilder& table, const std::string& size ) const
    {
        const std::string name = m_rule.name;
        table.add( size, name, "ms", {}, table.isQuick() ? Figure() : m_ms, m_isRight );
        table.add( size, name + ": trees built", "", {}, m_builtCount, m_isRight );
        table.add( size, name + ": box tests", "million", {}, double( m_tests ) / 1e6, m_isRight );
    }

private:
    /// Evaluating the rule is part of its cost.
    void updateTree( const std::vector<cltAabb>& boxes )
    {
        if ( m_builtCount > 0 )
        {
            m_tree.tree->build( boxes ); // keeps the leaves in the order of the last rebuild
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

void addScene( TableBuilder& table, cltSceneKind kind, double speed )
{
    const std::uint32_t bodies = table.isQuick() ? 500 : bodyCount;
    const int steps = table.isQuick() ? 30 : stepCount;
    const std::string size = fmt::format( "{}, {}, speed {}", cltSceneName( kind ), grouped( bodies ), speed );
    const ScenePointer scene = createScene( { kind, bodies, 100, float( speed ), CLT_SCENE_SEED, 0 } );
    std::vector<RuleRun> runs( std::begin( rules ), std::end( rules ) );
    for ( int step = 0; step < steps; ++step )
    {
        cltScene_Step( scene.get() );
        const std::vector<cltAabb> boxes( scene->boxes, scene->boxes + scene->boxCount );
        std::for_each( runs.begin(), runs.end(), [&]( RuleRun& run ) { run.step( boxes ); } );
        if ( table.isQuick() || step % checkedEvery == checkedEvery - 1 )
        {
            table.detail( fmt::format( "{}, step {}", size, step + 1 ) );
            const PairSet pairs = sweptPairsOf( boxes );
            std::for_each( runs.begin(), runs.end(), [&]( RuleRun& run ) { run.check( pairs ); } );
        }
    }
    std::for_each( runs.begin(), runs.end(), [&]( const RuleRun& run ) { run.addRows( table, size ); } );
}

} // namespace

void measureRebuildRules( TableBuilder& table )
{
    for ( const double speed : { 0.01, 0.1, 1.0 } )
    {
        addScene( table, clt_sceneBrownian, speed );
    }
    addScene( table, clt_sceneClustered, 1 );
    addScene( table, clt_sceneColumn, 1 );
}

} // namespace cullet::papers
