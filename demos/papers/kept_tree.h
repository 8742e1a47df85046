// SPDX-License-Identifier: Zlib
/// \file kept_tree.h
/// A tree of Karras that is kept from step to step, and how good it still is.
#ifndef CLT_PAPERS_KEPT_TREE_H
#define CLT_PAPERS_KEPT_TREE_H

#include "karras_walks.h"

#include <memory>

namespace cullet::papers
{

class KeptTree
{
public:
    void rebuild( const std::vector<cltAabb>& boxes );

    /// Its boxes anew, in the order of the last rebuild.
    void refit( const std::vector<cltAabb>& boxes );

    void walk( Walked& walked ) const;

    /// The edges of all nodes together.
    double extent() const;

    /// The volumes of nodes over those of what is right below them.
    double volumeRatio() const;

private:
    std::vector<std::uint64_t> m_keys;
    std::unique_ptr<OnePassTree> m_tree; ///< looks at the keys
};

} // namespace cullet::papers

#endif
