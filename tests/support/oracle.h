// SPDX-License-Identifier: Zlib
/// \file oracle.h
/// What a broadphase must report, computed in the plainest way: every pair of live proxies, compared. Shares no code with
/// the library, so that a mistake there is not repeated here.
#ifndef CLT_TESTS_ORACLE_H
#define CLT_TESTS_ORACLE_H

#include "cullet.h"
#include "tests/support/pairs.h"

#include <map>
#include <set>

namespace test
{

constexpr cltFilter defaultFilter = { 1, -1 };

bool overlaps( const cltAabbD& a, const cltAabbD& b );
bool mayPair( const cltFilter& a, const cltFilter& b );
bool hasNan( const cltAabbD& box );

class Oracle
{
public:
    struct Changes
    {
        Pairs began;
        Pairs ended;
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

    /// Current after the last update, less those of proxies destroyed since; ascending.
    const Pairs& pairs() const
    {
        return m_pairs;
    }

    /// Alive now, by id.
    const std::map<cltProxyId, Proxy>& proxies() const
    {
        return m_proxies;
    }

private:
    Pairs findPairs() const;

    bool m_filterMasks;
    std::map<cltProxyId, Proxy> m_proxies;
    std::set<cltProxyId> m_destroyed; // since the last update
    Pairs m_pairs;
};

} // namespace test

#endif
