// SPDX-License-Identifier: Zlib
/// \file world.h
/// A broadphase, and copies of the boxes and filters that it was given. Each update compares the reported changes and
/// pairs with those of the oracle, so that a test only has to change something.
#ifndef CLT_TESTS_WORLD_H
#define CLT_TESTS_WORLD_H

#include "cullet_research.h"
#include "tests/support/boxes.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>

namespace test
{

using cullet::PairSet;
using Ids = std::vector<cltProxyId>;

struct BroadphaseDeleter
{
    void operator()( cltBroadphase* broadphase ) const
    {
        cltDestroyBroadphase( broadphase );
    }
};

using BroadphasePtr = std::unique_ptr<cltBroadphase, BroadphaseDeleter>;

/// Returns NULL and fails an expectation if the def is refused.
BroadphasePtr createBroadphase( const cltBroadphaseDef& def );

/// The pairs as keys that keep the order of the two ids: a pair with the larger id first equals no expected pair.
PairSet copyPairs( const cltPair* pairs, size_t count );

class World
{
public:
    struct Proxy
    {
        cltAabbD box;
        cltFilter filter;
    };

    explicit World( const cltBroadphaseDef& def );

    /// \param broadphase  created from `def`; may move to another device
    World( BroadphasePtr broadphase, const cltBroadphaseDef& def );

    /// Called if a call runs out of memory; the call is then repeated. If this is not set, every call must succeed.
    std::function<void()> onOutOfMemory;

    void move( cltProxyId proxy, const cltAabbD& box );
    void setFilters( const Ids& ids, const std::vector<cltFilter>& filters );
    Ids createAll( const Boxes& boxes, const cltFilter& filter = defaultFilter );
    void destroyAll( const Ids& ids );

    /// \param ids  NULL: the proxy with id i gets box i, if there is such a proxy
    void moveAll( size_t count, const cltProxyId* ids, const Boxes& boxes );

    void moveAll( const Ids& ids, const Boxes& boxes )
    {
        moveAll( ids.size(), ids.data(), boxes );
    }

    cltProxyId create( const cltAabbD& box, const cltFilter& filter = defaultFilter )
    {
        return createAll( { box }, filter ).front();
    }

    void setFilter( cltProxyId proxy, const cltFilter& filter )
    {
        setFilters( { proxy }, { filter } );
    }

    void destroy( cltProxyId proxy )
    {
        destroyAll( { proxy } );
    }

    /// Expects exactly the changes and pairs of the oracle, in canonical order.
    void update();

    /// As update, without GetPairs.
    void updateOnly();

    /// As updateOnly, for updates that may fail. A failed update changes no expectation of this world.
    cltStatus tryUpdate();

    /// Expects GetPairs to return the pairs of the last update, without those of proxies destroyed since.
    void expectPairs();

    /// Expects the broadphase to have the living proxies, with their boxes bit for bit and their filters.
    void expectProxies() const;

    /// The proxies that overlap the box, ascending, found by a query of the broadphase. Callable from any thread.
    Ids query( const cltAabbD& box ) const;
    void expectQuery( const cltAabbD& box ) const;

    /// Calls expectQuery for `count` random boxes.
    void expectQueries( Random& random, int count ) const;

    cltStats stats() const;
    cltResearchStats researchStats() const;

    size_t pairCount() const
    {
        return m_pairs.size();
    }

    /// The living proxies, by id.
    const std::map<cltProxyId, Proxy>& proxies() const
    {
        return m_proxies;
    }

    /// The box that was set last.
    cltAabbD boxOf( cltProxyId proxy ) const
    {
        return m_proxies.at( proxy ).box;
    }

    cltBroadphase* broadphase() const
    {
        return m_broadphase.get();
    }

    bool isDouble() const
    {
        return m_isDouble;
    }

    /// Which functions get boxes from now on: those of float, or those of the broadphase's precision.
    void giveFloats( bool giveFloats )
    {
        m_givesDoubles = m_isDouble && !giveFloats;
    }

    /// The box, rounded to float if that is the precision of the functions that get it.
    cltAabbD roundedToPrecision( const cltAabbD& box ) const
    {
        return m_givesDoubles ? box : toDouble( toFloat( box ) );
    }

private:
    void call( const std::function<cltStatus()>& function ) const;
    PairSet findPairs() const;

    BroadphasePtr m_broadphase;
    bool m_isDouble;
    bool m_givesDoubles;
    bool m_filterMasks;
    bool m_reportsDestroyed;
    cltDevice m_device = clt_deviceAuto; ///< every update must run on it; auto: on any device
    std::map<cltProxyId, Proxy> m_proxies;
    std::set<cltProxyId> m_destroyed; ///< since the last update
    PairSet m_pairs;
    PairSet m_pairsOfDestroyed; ///< the next update reports them as ended
};

} // namespace test

#endif
