// SPDX-License-Identifier: Zlib
/// \file world.h
/// A broadphase and the oracle, told the same things. Each update compares what the one reports with what the other
/// knows, so that a test only has to make something happen.
#ifndef CLT_TESTS_WORLD_H
#define CLT_TESTS_WORLD_H

#include "tests/support/boxes.h"
#include "tests/support/oracle.h"

#include <memory>
#include <vector>

namespace test
{

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

class World
{
public:
    explicit World( const cltBroadphaseDef& def );

    /// \param broadphase  created from `def`, in whatever way; it may change its device
    World( BroadphasePtr broadphase, const cltBroadphaseDef& def );

    cltProxyId create( const cltAabbD& box, const cltFilter& filter = defaultFilter );
    std::vector<cltProxyId> createAll( const std::vector<cltAabbD>& boxes );
    void move( cltProxyId proxy, const cltAabbD& box );
    void setFilter( cltProxyId proxy, const cltFilter& filter );
    void destroy( cltProxyId proxy );

    /// Expects exactly the changes and pairs that the oracle knows, in canonical order.
    void update();

    /// The same without asking for the pairs.
    void updateOnly();

    /// The same for updates that may fail: then the oracle does not move on either.
    cltStatus tryUpdate();

    /// Expects GetPairs to be the oracle's pairs, without an update.
    void expectPairs();

    cltStats stats() const;

    size_t pairCount() const
    {
        return m_oracle.pairs().size();
    }

    const Oracle& oracle() const
    {
        return m_oracle;
    }

    /// The last one given.
    cltAabbD boxOf( cltProxyId proxy ) const
    {
        return m_oracle.proxies().at( proxy ).box;
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
    BroadphasePtr m_broadphase;
    Oracle m_oracle;
    bool m_isDouble;
    cltDevice m_device = clt_deviceAuto; ///< that must do every update; auto: any
};

} // namespace test

#endif
