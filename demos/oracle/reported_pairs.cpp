// SPDX-License-Identifier: Zlib
#include "reported_pairs.h"

#include <algorithm>
#include <iterator>

namespace cullet
{

PairSet pairSet( const cltPair* pairs, std::size_t count )
{
    PairSet set( count );
    std::transform( pairs, pairs + count, set.begin(),
                    []( const cltPair& pair ) { return pairKey( pair.proxyA, pair.proxyB ); } );
    return set;
}

std::string ReportedPairs::add( const PairSet& began, const PairSet& ended )
{
    PairSet all;
    std::merge( m_pairs.begin(), m_pairs.end(), began.begin(), began.end(), std::back_inserter( all ) );
    m_pairs = difference( all, ended );
    const std::string wrong = firstWrongPair( all, {}, false ); // in order, and none twice
    if ( !wrong.empty() )
    {
        return "the previous and the begun pairs: " + wrong;
    }
    return m_pairs.size() + ended.size() == all.size() ? "" : "reports the end of what was no pair, or out of order";
}

} // namespace cullet
