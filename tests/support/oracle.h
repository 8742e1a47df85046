// SPDX-License-Identifier: Zlib
/// \file oracle.h
/// What a broadphase must report: the pairs of the boxes last given, and how they differ from those of the last update.
#ifndef CLT_TESTS_ORACLE_H
#define CLT_TESTS_ORACLE_H

#include "demos/oracle/oracle.h"
#include "tests/support/pairs.h"

#include <map>
#include <set>

namespace test
{

using cullet::hasNan;
using cullet::mayPair;

constexpr cltFilter defaultFilter = { 1, -1 };

inline bool overlaps( const cltAabbD& a, const cltAabbD& b )
{
    return cullet::overlap( a, b );
}

class Oracle
{
public:
    struct Changes
    {
        PairSet began;
        PairSet ended;
    };

    struct Proxy
    {
        cltAabbD box;
        cltFilter filter;
    };

    explicit Oracle( bool filterMasks = true ) : m_filterMasks( filterMasks )
    {
    }

    /// False when the id must not be given out now: it is alive, or was destroyed since the last update.
    bool create( cltProxyId proxy, const cltAabbD& box, const cltFilter& filter );
    void move( cltProxyId proxy, const cltAabbD& box );
    void setFilter( cltProxyId proxy, const cltFilter& filter );

    /// Its pairs leave the current ones at once and are in no later `ended`.
    void destroy( cltProxyId proxy );

    Changes update();

    /// Those of the last update, less those of proxies destroyed since.
    const PairSet& pairs() const
    {
        return m_pairs;
    }

    /// Alive now, by id.
    const std::map<cltProxyId, Proxy>& proxies() const
    {
        return m_proxies;
    }

private:
    PairSet findPairs() const;

    bool m_filterMasks;
    std::map<cltProxyId, Proxy> m_proxies;
    std::set<cltProxyId> m_destroyed; ///< since the last update
    PairSet m_pairs;
};

} // namespace test

#endif
