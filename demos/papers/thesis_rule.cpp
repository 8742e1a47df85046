// SPDX-License-Identifier: Zlib
#include "thesis_rule.h"

#include "karras_tree.h"

namespace cullet::papers
{

ThesisFront::ThesisFront( const std::vector<cltAabb>& boxes )
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

void ThesisFront::step( const cltAabb* boxes )
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
            m_tests += descend( place, m_front, m_pairs );
            break;
        }
    }
    m_keptPercent = 100 * double( keptCount ) / double( last.size() );
}

std::uint64_t ThesisFront::testsFromTheRoot( PairSet& pairs ) const
{
    pairs.clear();
    const std::uint32_t root = m_tree.levels.starts[m_tree.levels.top];
    std::vector<cltPairPlace> cut;
    return descend( cltPairPlace_Make( &m_trees, root, root ), cut, pairs );
}

void ThesisFront::fit( const cltAabb* boxes )
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

std::uint64_t ThesisFront::descend( const cltPairPlace& from, std::vector<cltPairPlace>& cut, PairSet& pairs ) const
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
        if ( meets && areLeaves && !isSelf )
        {
            pairs.push_back( pairKey( m_bodies[place.a], m_bodies[place.b] ) );
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

} // namespace cullet::papers
