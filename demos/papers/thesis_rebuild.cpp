// SPDX-License-Identifier: Zlib
/// \file thesis_rebuild.cpp
/// Section 2.2.2.4: when to rebuild a tree that is refitted in each step. Compares rules of the thesis and of others
/// by the total time of building, refitting and searching over the same thousand steps, on one thread.
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

/// Nanoseconds of a box test, and the extra nanoseconds of a rebuild over a refit, for each body, on the machine of
/// demos/bench/README.md. The rule "balance" multiplies counts by these, so it decides the same on every machine.
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

/// A tree of Karras that is refitted from step to step, with measurements since its last rebuild.
struct AgedTree
{
    Keys keys;
    std::unique_ptr<OnePassTree> built; ///< refers to keys
    int steps = 0;
    double firstExtent = 0;       ///< extent() at the last rebuild
    double firstVolumeRatio = 0;  ///< volumeRatio() at the last rebuild
    std::uint64_t firstTests = 0; ///< box tests of the first search after the last rebuild
    double excessNs = 0;          ///< estimated nanoseconds that all later searches took more than the first, summed

    void rebuild( const std::vector<cltAabb>& boxes )
    {
        built.reset();
        keys = sortedCodesOf( boxes, cltHilbert );
        built = std::make_unique<OnePassTree>( keys );
        built->build( boxes );
        steps = 0;
        firstExtent = extent();
        firstVolumeRatio = volumeRatio();
        excessNs = 0;
    }

    void countSearch( std::uint64_t tests )
    {
        firstTests = steps == 0 ? tests : firstTests;
        excessNs += nsPerTest * std::max( 0.0, double( tests ) - double( firstTests ) );
        ++steps;
    }

    /// The sum of the edge lengths of all inner nodes' boxes.
    double extent() const
    {
        double sum = 0;
        for ( std::uint32_t node = 0; node + 1 < built->tree.leafCount; ++node )
        {
            const cltAabb& box = built->nodes[node].box;
            sum += edge( box, 0 ) + edge( box, 1 ) + edge( box, 2 );
        }
        return sum;
    }

    /// The volume of all inner nodes divided by the volume of their children.
    double volumeRatio() const
    {
        const std::vector<cltNode>& nodes = built->nodes;
        double above = 0, below = 0;
        for ( std::uint32_t node = 0; node + 1 < built->tree.leafCount; ++node )
        {
            const cltNode& left = nodes[nodes[node].first];
            above += volumeOf( nodes[node].box );
            below += volumeOf( left.box ) + volumeOf( nodes[left.rope].box );
        }
        return above / below;
    }
};

struct Rule
{
    const char* name;
    bool ( *shouldRebuild )( const AgedTree& tree );
};

const Rule rules[] = {
    { "never", []( const AgedTree& ) { return false; } },
    { "every step", []( const AgedTree& ) { return true; } },
    { "every 10 steps", []( const AgedTree& tree ) { return tree.steps >= 10; } },
    { "every 100 steps", []( const AgedTree& tree ) { return tree.steps >= 100; } },
    { "volume ratio", []( const AgedTree& tree ) { return tree.volumeRatio() > mostRatio * tree.firstVolumeRatio; } },
    { "growth", []( const AgedTree& tree ) { return tree.extent() > mostGrowth * tree.firstExtent; } },
    { "balance",
      []( const AgedTree& tree ) { return tree.excessNs >= double( tree.keys.size() ) * nsPerRebuiltBody; } },
};

/// A run of one rule over all steps, and its cost.
struct RuleRun
{
    const Rule& rule;
    AgedTree tree = {};
    WalkResult found = {};
    double ms = 0;
    std::uint64_t tests = 0;
    int builtCount = 0;
    bool isRight = true;

    /// Makes a step. Its cost includes evaluating the rule.
    void step( const std::vector<cltAabb>& boxes )
    {
        {
            const compare::Stopwatch stopwatch( ms );
            if ( builtCount > 0 )
            {
                tree.built->build( boxes ); // keeps the leaves in the order of the last rebuild
            }
            if ( builtCount == 0 || rule.shouldRebuild( tree ) )
            {
                tree.rebuild( boxes );
                ++builtCount;
            }
            walkByRopes( *tree.built, found );
        }
        tests += found.tests;
        tree.countSearch( found.tests );
    }

    void addRows( TableBuilder& table, const std::string& size ) const
    {
        const std::string name = rule.name;
        table.add( size, name, "ms", {}, table.isQuick() ? Figure() : ms, isRight );
        table.add( size, name + ": trees built", "", {}, builtCount, isRight );
        table.add( size, name + ": box tests", "million", {}, double( tests ) / 1e6, isRight );
    }
};

void addSceneRows( TableBuilder& table, cltSceneKind kind, double speed )
{
    const std::uint32_t bodies = table.isQuick() ? 500 : bodyCount;
    const int steps = table.isQuick() ? 30 : stepCount;
    const std::string size = fmt::format( "{}, {}, speed {}", cltSceneName( kind ), grouped( bodies ), speed );
    const ScenePointer scene = createScene( { kind, bodies, 100, float( speed ), CLT_SCENE_SEED, 0 } );
    std::vector<RuleRun> runs;
    for ( const Rule& rule : rules )
    {
        runs.push_back( { rule } );
    }
    for ( int step = 0; step < steps; ++step )
    {
        cltScene_Step( scene.get() );
        const std::vector<cltAabb> boxes( scene->boxes, scene->boxes + scene->boxCount );
        std::for_each( runs.begin(), runs.end(), [&]( RuleRun& run ) { run.step( boxes ); } );
        if ( table.isQuick() || step % checkedEvery == checkedEvery - 1 )
        {
            table.detail( fmt::format( "{}, step {}", size, step + 1 ) );
            const PairSet pairs = sweptPairsOf( boxes );
            for ( RuleRun& run : runs )
            {
                run.isRight = run.isRight && run.found.sortedPairs() == pairs;
            }
        }
    }
    std::for_each( runs.begin(), runs.end(), [&]( const RuleRun& run ) { run.addRows( table, size ); } );
}

} // namespace

void measureRebuildRules( TableBuilder& table )
{
    for ( const double speed : { 0.01, 0.1, 1.0 } )
    {
        addSceneRows( table, clt_sceneBrownian, speed );
    }
    addSceneRows( table, clt_sceneClustered, 1 );
    addSceneRows( table, clt_sceneColumn, 1 );
}

} // namespace cullet::papers
