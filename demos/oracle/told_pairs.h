// SPDX-License-Identifier: Zlib
/// \file told_pairs.h
/// What a broadphase's changes come to: who compares this with an oracle holds what it told of each update, where a
/// list of all pairs may have been found anew for whoever asks.
#ifndef CLT_ORACLE_TOLD_PAIRS_H
#define CLT_ORACLE_TOLD_PAIRS_H

#include "oracle.h"

#include <cstddef>

namespace cullet
{

/// Of proxies whose ids are the numbers; in the order in which they are told.
PairSet pairSet( const cltPair* pairs, std::size_t count );

/// Of a world in which nothing is destroyed and no filter edited, whose pairs end without being told.
class ToldPairs
{
public:
    /// Of the next update, each in ascending order.
    /// \return empty, or in words what cannot be, whatever the boxes are: a pair that begins twice or ends without
    ///         having begun, or a wrong order
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
