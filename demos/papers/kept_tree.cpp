// SPDX-License-Identifier: Zlib
#include "kept_tree.h"

namespace cullet::papers
{

namespace
{

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

template <typename Visit>
void forEachInner( const cltTree& tree, Visit&& visit )
{
    for ( std::uint32_t node = 0; node + 1 < tree.leafCount; ++node )
    {
        const cltNode& left = tree.nodes[tree.nodes[node].first];
        visit( tree.nodes[node], left, tree.nodes[left.rope] );
    }
}

} // namespace

void KeptTree::rebuild( const std::vector<cltAabb>& boxes )
{
    m_tree.reset();
    m_keys = codesOf( boxes, cltHilbert );
    radixSort( m_keys );
    m_tree = std::make_unique<OnePassTree>( m_keys );
    refit( boxes );
}

void KeptTree::refit( const std::vector<cltAabb>& boxes )
{
    m_tree->build( boxes );
}

void KeptTree::walk( Walked& walked ) const
{
    walkByRopes( *m_tree, walked );
}

double KeptTree::extent() const
{
    double sum = 0;
    forEachInner( m_tree->tree(),
                  [&]( const cltNode& node, const cltNode&, const cltNode& ) { sum += edgesOf( node.box ); } );
    return sum;
}

double KeptTree::volumeRatio() const
{
    double above = 0, below = 0;
    forEachInner( m_tree->tree(),
                  [&]( const cltNode& node, const cltNode& left, const cltNode& right )
                  {
                      above += volumeOf( node.box );
                      below += volumeOf( left.box ) + volumeOf( right.box );
                  } );
    return above / below;
}

} // namespace cullet::papers
