// SPDX-License-Identifier: Zlib
/// \file life.h
/// A world as a stage for the random lives of demos/oracle/life.h, and short lives of many changes between two updates.
#ifndef CLT_TESTS_LIFE_H
#define CLT_TESTS_LIFE_H

#include "demos/oracle/life.h"
#include "tests/support/world.h"

namespace test
{

class WorldStage : public cullet::Stage
{
public:
    explicit WorldStage( World& world ) : m_world( world )
    {
    }

    size_t count() const override
    {
        return m_proxies.size();
    }

    cltAabbD boxOf( size_t body ) const override
    {
        return m_world.boxOf( m_proxies[body] );
    }

    void create( const cltAabbD& box, const cltFilter& filter ) override
    {
        m_proxies.push_back( m_world.create( box, filter ) );
    }

    void destroy( size_t body ) override
    {
        m_world.destroy( m_proxies[body] );
        m_proxies[body] = m_proxies.back();
        m_proxies.pop_back();
    }

    void move( size_t body, const cltAabbD& box ) override
    {
        m_world.move( m_proxies[body], box );
    }

    void setFilter( size_t body, const cltFilter& filter ) override
    {
        m_world.setFilter( m_proxies[body], filter );
    }

private:
    World& m_world;
    std::vector<cltProxyId> m_proxies;
};

constexpr int lifeUpdates = 8;

/// Leads the world through lifeUpdates updates, each held against the oracle, and the pairs and a box query with it. In
/// between proxies come, go, move, jump, hide behind a NaN and change their filter, and several of these happen to one.
/// `asksPairs`: also between updates, where the pairs are those of the last one.
void live( World& world, uint64_t seed, bool asksPairs = true );

} // namespace test

#endif
