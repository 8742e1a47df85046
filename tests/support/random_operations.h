// SPDX-License-Identifier: Zlib
/// \file random_operations.h
/// Runs the random operation sequences of demos/oracle/operation_sequence.h on a World.
#ifndef CLT_TESTS_RANDOM_OPERATIONS_H
#define CLT_TESTS_RANDOM_OPERATIONS_H

#include "demos/oracle/operation_sequence.h"
#include "tests/support/world.h"

namespace test
{

class WorldTarget : public cullet::OperationTarget
{
public:
    explicit WorldTarget( World& world ) : m_world( world )
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

/// Runs eight updates with many random operations before each: proxies are created, destroyed, moved and given
/// NaNs and other filters. Compares the changes and a box query with the oracle after each update.
/// \param comparesPairList  also compares the list of pairs, at random before and after an update
void runRandomOperations( World& world, uint64_t seed, bool comparesPairList = true );

} // namespace test

#endif
