// SPDX-License-Identifier: Zlib
/// \file thesis_front.cpp
/// Section 3.3.2 and figure 4.8: a front, the list of node pairs at which the last search stopped. The thesis tests
/// every entry in every step. The library notes at each entry how far boxes may move before it has to be tested again.
/// The thesis' front is in a tree with a fixed order of leaves; the library sorts its leaves again when that pays.
#include "karras_tree.h"
#include "motion.h"

#include "gpu/core/front.h"

#include <fmt/format.h>

namespace cullet::papers
{

namespace
{

/// A front that is updated by the thesis' rule: every entry is tested in every step.
class ThesisFront
{
public:
    // Results of the last step.
    std::vector<cltLeveledPair> front;
    PairSet pairs; ///< unsorted
    std::uint64_t tests = 0;
    double keptPercent = 0;

    explicit ThesisFront( const std::vector<cltAabb>& boxes )
    {
        for ( const std::uint64_t key : sortedCodesOf( boxes, cltHilbert ) )
        {
            m_bodies.push_back( std::uint32_t( key ) );
        }
        m_tree = { cltLevels_Make( std::uint32_t( boxes.size() ) ), nullptr, nullptr };
        m_nodes.resize( cltLevels_NodeCount( &m_tree.levels ) );
        m_tree.nodes = m_nodes.data();
        front = { rootPair() };
    }

    ThesisFront( const ThesisFront& ) = delete; // m_tree points at m_nodes

    void step( const std::vector<cltAabb>& boxes )
    {
        fitLevels( m_tree, boxes, m_bodies.data() );
        const std::vector<cltLeveledPair> last = std::move( front );
        front.clear();
        pairs.clear();
        tests = 0;
        std::uint64_t keptCount = 0;
        for ( cltLeveledPair place : last )
        {
            const cltLeveledPair previous = place;
            cltLeveledPair above;
            switch ( cltFront_TestEntryStep( &m_tree, &place, &above, &tests ) )
            {
            case clt_frontKeep:
                front.push_back( place );
                keptCount += place.a == previous.a && place.b == previous.b;
                break;
            case clt_frontDrop:
                break;
            case clt_frontDescend:
                keptCount += cltLeveledPair_AreLeaves( &place );
                tests += descend( place, front, pairs );
                break;
            }
        }
        keptPercent = 100 * double( keptCount ) / double( last.size() );
    }

    /// Searches the tree of the front from the root.
    /// \param[out] found  unsorted
    /// \return the number of box tests
    std::uint64_t searchFromRoot( PairSet& found ) const
    {
        std::vector<cltLeveledPair> stops;
        found.clear();
        return descend( rootPair(), stops, found );
    }

private:
    cltLeveledPair rootPair() const
    {
        const std::uint32_t root = m_tree.levels.starts[m_tree.levels.top];
        return cltLeveledPair_Make( &m_tree, root, root );
    }

    /// Searches below a node pair that overlaps. Adds the node pairs at which the search stops to `stops`.
    /// \return the number of box tests, not counting the test of `from`
    std::uint64_t descend( const cltLeveledPair& from, std::vector<cltLeveledPair>& stops, PairSet& found ) const
    {
        std::uint64_t testCount = 0;
        std::vector<cltLeveledPair> stack = { from };
        while ( !stack.empty() )
        {
            const cltLeveledPair place = stack.back();
            stack.pop_back();
            const bool isSelf = cltLeveledPair_IsSelf( &place );
            const bool areLeaves = cltLeveledPair_AreLeaves( &place );
            const bool overlaps = cltPairTree_Meets( &m_tree, &place );
            testCount += !isSelf;
            if ( overlaps && areLeaves && !isSelf )
            {
                found.push_back( pairKey( m_bodies[place.a], m_bodies[place.b] ) );
            }
            if ( ( !overlaps || areLeaves ) && !isSelf )
            {
                stops.push_back( place );
            }
            else
            {
                cltLeveledPair below[CLT_MAX_PAIR_CHILDREN];
                stack.insert( stack.end(), below, below + cltPairTree_Children( &m_tree, &place, below ) );
            }
        }
        return testCount - ( cltLeveledPair_IsSelf( &from ) ? 0 : 1 );
    }

    std::vector<std::uint32_t> m_bodies; ///< by leaf
    std::vector<cltLevelNode> m_nodes;
    cltLevelTree m_tree;
};

void addSpeedRows( TableBuilder& table, std::uint32_t bodies, double speed )
{
    const std::string size = fmt::format( "{}, speed {}", grouped( bodies ), speed );
    table.detail( size );
    const std::size_t untimed = table.isQuick() ? 6 : 40; // until front entries are due in different steps
    const std::size_t steps = untimed + ( table.isQuick() ? 6 : 31 );
    const Motion motion( { clt_sceneBrownian, bodies, 100, float( speed ), CLT_SCENE_SEED, 0 }, int( steps ) );
    ThesisFront thesis( motion.steps[0] );
    std::vector<double> rootTests, thesisTests;
    PairSet fromRoot;
    for ( std::size_t step = 1; step <= steps; ++step )
    {
        thesis.step( motion.steps[step] );
        if ( step > untimed )
        {
            rootTests.push_back( double( thesis.searchFromRoot( fromRoot ) ) );
            thesisTests.push_back( double( thesis.tests ) );
        }
    }
    const auto isRight = [&]( PairSet& found )
    {
        std::sort( found.begin(), found.end() );
        return found == motion.pairs();
    };
    const bool isRootRight = isRight( fromRoot ), isRuleRight = isRight( thesis.pairs );
    const auto measure = [&]( const cltResearchDef* research ) {
        return measureUpdates( table, defOf( table, clt_algorithmFrontier, clt_deviceCpu, research ), motion, untimed );
    };
    cltResearchDef keepFront = cltDefaultResearchDef(), byLevel = cltDefaultResearchDef();
    keepFront.keepFront = true;
    byLevel.entryLevel = 0; // from the root and one level at a time, as the thesis counts
    byLevel.depthStep = 1;
    const Updates without = measure( nullptr ), with = measure( &keepFront ), fresh = measure( &byLevel );
    const auto add = [&]( const char* what, const char* unit, Figure value, bool isValueRight ) -> Row&
    { return table.add( size, what, unit, {}, value, isValueRight ); };
    add( "without a front", "ms", without.ms[searchPart], without.isRight ).x = speed;
    add( "with the library's", "ms", with.ms[searchPart], with.isRight ).x = speed;
    add( "box tests from the root", "million", *compare::medianIfAny( rootTests ) / 1e6, isRootRight );
    add( "box tests by the thesis' rule", "million", *compare::medianIfAny( thesisTests ) / 1e6, isRuleRight );
    add( "box tests from the root of a fresh tree", "million", fresh.nodeTests / 1e6, fresh.isRight );
    add( "box tests of the library's", "million", with.nodeTests / 1e6, with.isRight );
    add( "entries by the thesis' rule", "million", double( thesis.front.size() ) / 1e6, isRuleRight );
    add( "of them kept in the last step", "%", thesis.keptPercent, isRuleRight );
    add( "entries of the library's", "million", with.frontSize / 1e6, with.isRight );
}

} // namespace

void measureFront( TableBuilder& table )
{
    for ( const std::uint32_t bodies : table.sizes( { 2000, 20000 } ) )
    {
        for ( const double speed : { 0.01, 0.1, 1.0 } )
        {
            addSpeedRows( table, bodies, speed );
        }
    }
}

} // namespace cullet::papers
