// SPDX-License-Identifier: Zlib
/// \file thesis_front.cpp
/// Section 3.3.2 and figure 4.8: a front, the list of node pairs at which the last search stopped. The thesis tests
/// every entry in every step. The library notes at each entry how far boxes may move before it has to be tested again.
/// The thesis' front is in a tree with a fixed order of leaves; the library sorts its leaves again when that pays.
#include "karras_tree.h"
#include "measurements.h"
#include "motion.h"
#include "walk_result.h"

#include "cullet_research.h"
#include "demos/report/numbers.h"

#include "gpu/core/front.h"

#include <fmt/format.h>

namespace cullet::papers
{

namespace
{

/// A front that moves by the thesis' rule: every entry is tested in every step.
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
        m_front = { rootPair() };
    }

    ThesisFront( const ThesisFront& ) = delete; // m_trees points at m_tree

    void step( const std::vector<cltAabb>& boxes )
    {
        refit( boxes );
        const std::vector<cltPairPlace> last = std::move( m_front );
        m_front.clear();
        m_pairs.clear();
        m_tests = 0;
        std::uint64_t keptCount = 0;
        for ( cltPairPlace place : last )
        {
            const cltPairPlace previous = place;
            cltPairPlace above;
            switch ( cltFront_MoveStep( &m_trees, &place, &above, &m_tests ) )
            {
            case clt_frontKeep:
                m_front.push_back( place );
                keptCount += place.a == previous.a && place.b == previous.b;
                break;
            case clt_frontDrop:
                break;
            case clt_frontDown:
                keptCount += cltPairPlace_AreLeaves( &place );
                m_tests += descend( place, m_front, m_pairs );
                break;
            }
        }
        m_keptPercent = 100 * double( keptCount ) / double( last.size() );
    }

    /// Searches the same tree from the root.
    /// \param[out] pairs  what the search finds, unsorted
    /// \return box tests
    std::uint64_t searchFromRoot( PairSet& pairs ) const
    {
        pairs.clear();
        std::vector<cltPairPlace> front;
        return descend( rootPair(), front, pairs );
    }

    std::uint64_t tests() const
    {
        return m_tests;
    }

    double keptPercent() const
    {
        return m_keptPercent;
    }

    const PairSet& pairs() const
    {
        return m_pairs;
    }

    std::size_t size() const
    {
        return m_front.size();
    }

private:
    cltPairPlace rootPair() const
    {
        const std::uint32_t root = m_tree.levels.starts[m_tree.levels.top];
        return cltPairPlace_Make( &m_trees, root, root );
    }

    void refit( const std::vector<cltAabb>& boxes )
    {
        for ( std::uint32_t leaf = 0; leaf < m_bodies.size(); ++leaf )
        {
            m_nodes[leaf] = { boxes[m_bodies[leaf]], { openFilter.group, openFilter.mask } };
        }
        for ( std::uint32_t level = 1; level <= m_tree.levels.top; ++level )
        {
            for ( std::uint32_t node = m_tree.levels.starts[level]; node < m_tree.levels.starts[level + 1]; ++node )
            {
                cltLevelTree_JoinStep( &m_tree, level, node );
            }
        }
    }

    /// Searches below a node pair that overlaps. Adds the node pairs at which the search stops to `front`.
    /// \return box tests, without that of `from`
    std::uint64_t descend( const cltPairPlace& from, std::vector<cltPairPlace>& front, PairSet& pairs ) const
    {
        std::uint64_t tests = 0;
        std::vector<cltPairPlace> stack = { from };
        while ( !stack.empty() )
        {
            const cltPairPlace place = stack.back();
            stack.pop_back();
            const bool isSelf = cltPairTree_IsSelf( &m_trees, &place );
            const bool areLeaves = cltPairPlace_AreLeaves( &place );
            const bool overlaps = cltPairTree_Meets( &m_trees, &place );
            tests += !isSelf;
            if ( overlaps && areLeaves && !isSelf )
            {
                pairs.push_back( pairKey( m_bodies[place.a], m_bodies[place.b] ) );
            }
            if ( ( !overlaps || areLeaves ) && !isSelf )
            {
                front.push_back( place );
            }
            else
            {
                cltPairPlace below[CLT_MOST_PAIRS_BELOW];
                stack.insert( stack.end(), below, below + cltPairTree_Below( &m_trees, &place, below ) );
            }
        }
        return tests - ( cltPairTree_IsSelf( &m_trees, &from ) ? 0 : 1 );
    }

    std::vector<std::uint32_t> m_bodies; ///< by leaf
    std::vector<cltLevelNode> m_nodes;
    cltLevelTree m_tree;
    cltPairTree m_trees = { &m_tree, &m_tree };
    std::vector<cltPairPlace> m_front;
    PairSet m_pairs;
    std::uint64_t m_tests = 0;
    double m_keptPercent = 0;
};

cltBroadphaseDef frontierDef( const Effort& effort )
{
    cltBroadphaseDef def = defOf( clt_algorithmFrontier, effort );
    def.device = clt_deviceCpu;
    return def;
}

void addSpeed( std::vector<Row>& rows, std::uint32_t bodies, double speed, const Effort& effort )
{
    const std::string size = fmt::format( "{}, speed {}", compare::grouped( bodies ), speed );
    effort.progress->detail( size );
    const std::size_t untimed = effort.isQuick ? 6 : 40; // until front entries are due in different steps
    const std::size_t steps = untimed + ( effort.isQuick ? 6 : 31 );
    const Motion motion( { clt_sceneBrownian, bodies, 100, float( speed ), CLT_SCENE_SEED, 0 }, int( steps ) );
    ThesisFront thesis( motion.boxes( 0 ) );
    std::vector<double> rootTests, thesisTests;
    WalkResult fromRoot, byRule;
    for ( std::size_t step = 1; step <= steps; ++step )
    {
        thesis.step( motion.boxes( step ) );
        if ( step > untimed )
        {
            rootTests.push_back( double( thesis.searchFromRoot( fromRoot.pairs ) ) );
            thesisTests.push_back( double( thesis.tests() ) );
        }
    }
    byRule.pairs = thesis.pairs();
    const bool isRootRight = fromRoot.sortedPairs() == motion.pairs();
    const bool isRuleRight = byRule.sortedPairs() == motion.pairs();
    cltBroadphaseDef def = frontierDef( effort );
    const Updates without = measureUpdates( def, motion, effort, untimed );
    cltResearchDef research = cltDefaultResearchDef();
    research.keepFront = true;
    def.research = &research;
    const Updates with = measureUpdates( def, motion, effort, untimed );
    research.keepFront = false;
    research.entryLevel = 0; // from the root and one level at a time, as the thesis counts
    research.depthStep = 1;
    const Updates fresh = measureUpdates( def, motion, effort, untimed );
    const auto add = [&]( const char* what, const char* unit, std::optional<double> value, bool isRight )
    { rows.push_back( cpuRow( size, what, unit, {}, value, isRight ) ); };
    add( "without a front", "ms", without.searchMs, without.isRight );
    rows.back().x = speed;
    add( "with the library's", "ms", with.searchMs, with.isRight );
    rows.back().x = speed;
    add( "box tests from the root", "million", *compare::medianIfAny( rootTests ) / 1e6, isRootRight );
    add( "box tests by the thesis' rule", "million", *compare::medianIfAny( thesisTests ) / 1e6, isRuleRight );
    add( "box tests from the root of a fresh tree", "million", fresh.nodeTests / 1e6, fresh.isRight );
    add( "box tests of the library's", "million", with.nodeTests / 1e6, with.isRight );
    add( "entries by the thesis' rule", "million", double( thesis.size() ) / 1e6, isRuleRight );
    add( "of them kept in the last step", "%", thesis.keptPercent(), isRuleRight );
    add( "entries of the library's", "million", with.frontSize / 1e6, with.isRight );
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
