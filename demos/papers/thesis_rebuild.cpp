// SPDX-License-Identifier: Zlib
/// \file thesis_rebuild.cpp
/// When to build a tree anew whose boxes are refitted in each step: rules of the thesis and of others, each over the
/// same thousand steps. What is compared is the sum of building, refitting and searching. On one thread.
#include "kept_tree.h"
#include "motion.h"
#include "thesis.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

#include <memory>

namespace cullet::papers
{

using compare::grouped;

namespace
{

constexpr std::uint32_t bodyCount = 4000;
constexpr int stepCount = 1000;
constexpr int checkedEvery = 100;

/// What a box test takes, and what a new tree takes more than a refitted one for each body; measured on the machine of
/// demos/bench/README.md. The rule goes by counts alone, so that it does the same everywhere.
constexpr double nsOfTest = 3;
constexpr double nsOfRebuild = 120;

constexpr double mostGrowth = 1.1;
constexpr double mostRatio = 1.1;

/// Since the tree was built.
struct Age
{
    int steps = 0;
    double extent = 0;           ///< when it was built
    double volumeRatio = 0;      ///< the same
    std::uint64_t testsThen = 0; ///< of the first search
    double rentNs = 0;           ///< what later searches have tested more
};

struct Rule
{
    const char* name;
    bool ( *wantsNew )( const KeptTree& tree, const Age& age, std::size_t bodies );
};

const Rule rules[] = {
    { "never", []( const KeptTree&, const Age&, std::size_t ) { return false; } },
    { "every step", []( const KeptTree&, const Age&, std::size_t ) { return true; } },
    { "every 10 steps", []( const KeptTree&, const Age& age, std::size_t ) { return age.steps >= 10; } },
    { "every 100 steps", []( const KeptTree&, const Age& age, std::size_t ) { return age.steps >= 100; } },
    { "volume ratio", []( const KeptTree& tree, const Age& age, std::size_t )
      { return tree.volumeRatio() > mostRatio * age.volumeRatio; } },
    { "growth",
      []( const KeptTree& tree, const Age& age, std::size_t ) { return tree.extent() > mostGrowth * age.extent; } },
    { "balance", []( const KeptTree&, const Age& age, std::size_t bodies )
      { return age.rentNs >= double( bodies ) * nsOfRebuild; } },
};

/// A rule at work.
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
            arrange( boxes );
            m_tree.walk( m_walked );
        }
        m_tests += m_walked.tests;
        m_age.testsThen = m_age.steps == 0 ? m_walked.tests : m_age.testsThen;
        m_age.rentNs += nsOfTest * std::max( 0.0, double( m_walked.tests ) - double( m_age.testsThen ) );
        ++m_age.steps;
    }

    bool finds( const PairSet& pairs ) const
    {
        return sortedPairs( m_walked ) == pairs;
    }

    void check( const PairSet& pairs )
    {
        m_isRight = m_isRight && finds( pairs );
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
    /// Asking the rule is part of its cost.
    void arrange( const std::vector<cltAabb>& boxes )
    {
        if ( m_builtCount > 0 )
        {
            m_tree.refit( boxes );
        }
        if ( m_builtCount == 0 || m_rule.wantsNew( m_tree, m_age, boxes.size() ) )
        {
            m_tree.rebuild( boxes );
            m_age = { 0, m_tree.extent(), m_tree.volumeRatio(), 0, 0 };
            ++m_builtCount;
        }
    }

    const Rule& m_rule;
    KeptTree m_tree;
    Age m_age;
    Walked m_walked;
    double m_ms = 0;
    std::uint64_t m_tests = 0;
    int m_builtCount = 0;
    bool m_isRight = true;
};

PairSet sweptPairsOf( const std::vector<cltAabb>& boxes )
{
    std::vector<Candidate<cltAabb>> candidates;
    for ( std::uint32_t body = 0; body < boxes.size(); ++body )
    {
        candidates.push_back( { boxes[body], { 1, -1 }, body } );
    }
    return sweptPairs( std::move( candidates ) );
}

void addScene( std::vector<Row>& rows, cltSceneKind kind, double speed, const Effort& effort )
{
    const std::uint32_t bodies = effort.isQuick ? 500 : bodyCount;
    const int steps = effort.isQuick ? 30 : stepCount;
    const std::string size = fmt::format( "{}, {}, speed {}", cltSceneName( kind ), grouped( bodies ), speed );
    const cltSceneDef def = { kind, bodies, 100, float( speed ), CLT_SCENE_SEED, 0 };
    const std::unique_ptr<cltScene, decltype( &cltDestroyScene )> scene( cltCreateScene( &def ), cltDestroyScene );
    if ( !scene )
    {
        throw std::runtime_error( "not enough memory for the scene" );
    }
    std::vector<RuleRun> runs( std::begin( rules ), std::end( rules ) );
    for ( int step = 0; step < steps; ++step )
    {
        cltScene_Step( scene.get() );
        const std::vector<cltAabb> boxes( scene->boxes, scene->boxes + scene->boxCount );
        std::for_each( runs.begin(), runs.end(), [&]( RuleRun& run ) { run.step( boxes ); } );
        if ( effort.isQuick || step % checkedEvery == checkedEvery - 1 )
        {
            effort.progress->detail( fmt::format( "{}, step {}", size, step + 1 ) );
            const PairSet pairs = sweptPairsOf( boxes );
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
