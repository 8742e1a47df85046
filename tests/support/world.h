// SPDX-License-Identifier: Zlib
/// \file world.h
/// A broadphase, and beside it the boxes and filters that it was given, from which follows what it must report. Each
/// update compares the two, so that a test only has to make something happen.
#ifndef CLT_TESTS_WORLD_H
#define CLT_TESTS_WORLD_H

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

/// NULL, and a failed expectation, when the def is refused.
BroadphasePtr createBroadphase( const cltBroadphaseDef& def );

/// As they are, the larger id first if it is: then no expected pair is the same.
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

    /// \param broadphase  created from `def`, in whatever way; it may change its device
    World( BroadphasePtr broadphase, const cltBroadphaseDef& def );

    /// Every call succeeds. With this set it may also run out of memory: then this is called, and the call repeated.
    std::function<void()> onOutOfMemory;

    void move( cltProxyId proxy, const cltAabbD& box );
    void setFilter( cltProxyId proxy, const cltFilter& filter );
    Ids createAll( const Boxes& boxes, const cltFilter& filter = defaultFilter );
    void moveAll( const Ids& ids, const Boxes& boxes );

    /// The proxy with id i gets box i, if there is one.
    void moveInOrder( const Boxes& boxes );
    void destroyAll( const Ids& ids );

    cltProxyId create( const cltAabbD& box, const cltFilter& filter = defaultFilter )
    {
        return createAll( { box }, filter ).front();
    }

    void destroy( cltProxyId proxy )
    {
        destroyAll( { proxy } );
    }

    /// Expects exactly the changes and pairs that there must be, in canonical order.
    void update();

    /// The same without asking for the pairs.
    void updateOnly();

    /// The same for updates that may fail: then nothing is taken note of.
    cltStatus tryUpdate();

    /// Expects GetPairs to be the pairs of the last update, less those of proxies destroyed since.
    void expectPairs();

    /// Expects the proxies that there must be, with their boxes bit for bit and their filters.
    void expectProxies() const;

    /// Who overlaps the box, ascending, by the call of the world's precision. From any thread.
    Ids query( const cltAabbD& box ) const;
    void expectQuery( const cltAabbD& box ) const;

    /// Asks about so many random boxes.
    void expectQueries( Random& random, int count ) const;

    cltStats stats() const;

    size_t pairCount() const
    {
        return m_pairs.size();
    }

    /// Alive now, by id.
    const std::map<cltProxyId, Proxy>& proxies() const
    {
        return m_proxies;
    }

    /// The last one given.
    cltAabbD boxOf( cltProxyId proxy ) const
    {
        return m_proxies.at( proxy ).box;
    }

    cltBroadphase* broadphase() const
    {
        return m_broadphase.get();
    }

    /// As the broadphase sees it: rounded to float where that is its precision.
    cltAabbD asGiven( const cltAabbD& box ) const
    {
        return m_isDouble ? box : toDouble( toFloat( box ) );
    }

private:
    void call( const std::function<cltStatus()>& function ) const;
    PairSet findPairs() const;

    BroadphasePtr m_broadphase;
    bool m_isDouble;
    bool m_filterMasks;
    bool m_reportsDestroyed;
    cltDevice m_device = clt_deviceAuto; ///< that must do every update; auto: any
    std::map<cltProxyId, Proxy> m_proxies;
    std::set<cltProxyId> m_destroyed; ///< since the last update
    PairSet m_pairs;
    PairSet m_pairsOfDestroyed; ///< that the next update reports
};

} // namespace test

#endif
