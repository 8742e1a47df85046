// SPDX-License-Identifier: Zlib
/// \file reported_pairs.h
/// The pair set that results from a broadphase's reported changes. Comparing this set with the oracle tests the changes
/// of every update. GetPairs would not: it may search again.
#ifndef CLT_ORACLE_REPORTED_PAIRS_H
#define CLT_ORACLE_REPORTED_PAIRS_H

#include "oracle.h"

#include <cstddef>

namespace cullet
{

/// Keys of pairs of proxies, in the order of `pairs`.
PairSet pairSet( const cltPair* pairs, std::size_t count );

/// For worlds without destroyed proxies and edited filters: their pairs end without being reported.
class ReportedPairs
{
public:
    /// Adds the changes of the next update, each in ascending order.
    /// \return empty, or the contradiction in words: a pair that begins twice, a pair that ends without having begun,
    ///         or a wrong order
    std::string add( const PairSet& began, const PairSet& ended );

    const PairSet& pairs() const
    {
        return m_pairs;
    }

private:
    PairSet m_pairs;
};

} // namespace cullet

#endif
