// SPDX-License-Identifier: Zlib
/// \file thesis_rule.h
/// The thesis' rule for fronts.
#ifndef CLT_PAPERS_THESIS_RULE_H
#define CLT_PAPERS_THESIS_RULE_H

#include "demos/oracle/oracle.h"

#include "gpu/core/front.h"

namespace cullet::papers
{

/// A front in a tree whose leaves keep their order, moved by the rule of section 3.3.2: every entry is looked at in
/// every step.
class ThesisFront
{
public:
    explicit ThesisFront( const std::vector<cltAabb>& boxes );

    ThesisFront( const ThesisFront& ) = delete; // the views point into it

    void step( const cltAabb* boxes );

    /// Box tests of a search from the root of the same tree.
    /// \param[out] pairs  what it finds, in no order
    std::uint64_t testsFromTheRoot( PairSet& pairs ) const;

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
    void fit( const cltAabb* boxes );

    /// Adds where the search stops below a pair that meets. Returns how many boxes it tested.
    std::uint64_t descend( const cltPairPlace& from, std::vector<cltPairPlace>& cut, PairSet& pairs ) const;

    std::vector<std::uint32_t> m_bodies; ///< of the leaves
    std::vector<cltLevelNode> m_nodes;
    cltLevelTree m_tree;
    cltPairTree m_trees = { &m_tree, &m_tree };
    std::vector<cltPairPlace> m_front;
    PairSet m_pairs;
    std::uint64_t m_tests = 0;
    double m_keptPercent = 0;
};

} // namespace cullet::papers

#endif
