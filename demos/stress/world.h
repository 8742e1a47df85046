// SPDX-License-Identifier: Zlib
/// \file world.h
/// The broadphase under test and the application around it: every call an application makes, mirrored in the tester's
/// own copy, and checked at once where the broadphase promises something at once. All members throw a Fault at the
/// first thing that is wrong.
#ifndef CLT_STRESS_WORLD_H
#define CLT_STRESS_WORLD_H

#include "expectation.h"
#include "run.h"
#include "witness.h"

#include "demos/oracle/operation_sequence.h"

#include "plugin/CulletBroadphase.h"

namespace cullet::stress
{

class World : public OperationTarget
{
public:
    /// \param bodies  at most so many will live
    /// \param look    called between changes of different kinds
    World( Subject subject, std::size_t bodies, std::function<void()> look );

    /// Proxies are destroyed as Bullet's world does it.
    ~World() override;

    void beginStep();

    std::size_t count() const override
    {
        return population.size();
    }

    cltAabbD boxOf( std::size_t body ) const override
    {
        return population[body].box;
    }

    void create( const cltAabbD& box, const cltFilter& filter ) override;
    void destroy( std::size_t body ) override;
    void move( std::size_t body, const cltAabbD& box ) override;

    /// Written into the proxy, which nobody is told; filtersEdited must follow when all edits are made.
    void setFilter( std::size_t body, const cltFilter& filter ) override;

    void afterKind() override
    {
        m_look();
    }

    /// Exchanges the cache's filter callback; filtersEdited must follow.
    /// \param refusedThird  of FilterCallback; 3 for no callback
    void installFilter( unsigned refusedThird );

    /// To be called in a step that follows a check, before any box changes.
    void filtersEdited();

    /// The application's own calls of the cache. In a step that follows a check, before any box changes.
    void takeOut( PairKey key );
    void takeOutAllOf( std::size_t body );
    void cleanAllOf( std::size_t body );

    /// calculateOverlappingPairs, several times in a row; all but the first must change nothing.
    void update( int times );

    /// Does nothing while proxies live.
    void resetPool();

    /// Holds the cache against the expectation.
    void check();

    std::uint64_t step = 0;
    Tally tally;
    Subject subject;
    const CulletBroadphase* cullet; ///< the subject, or NULL if it is one of Bullet's
    Population population;
    Expectation expectation;

private:
    btOverlappingPairCache& cache()
    {
        return *subject.broadphase->getOverlappingPairCache();
    }

    void requireAtOnce( const Body& body, const char* call );
    void requireOwnAlgorithms( const std::vector<HeldPair>& held );

    btCollisionObject m_object; ///< all bodies share one of each kind: nobody reads more of them than their kind
    btGhostObject m_ghost;
    std::function<void()> m_look;
    std::unique_ptr<FilterCallback> m_filter; ///< NULL with Bullet's own rule
    Witness m_witness;
    int m_movesSinceUpdate = 0; ///< boxes changed since calculateOverlappingPairs
    int m_checkedAtOnce = 0;    ///< bodies in this step
};

/// Asks so many box and ray queries, and getAabb, and holds the answers against brute force over the boxes as they were
/// last set. Throws a Fault at the first wrong one.
///
/// A query must report every body that it meets, and none that it would not meet if all boxes were larger by
/// gDbvtMargin on each side: Bullet's own broadphase is that generous, and applications lean on it. Half of the queries
/// are made with the margin at 0, which leaves one right answer; it is left as it was set last.
void checkQueries( World& world, const Arena& arena, Random& random, int count );

} // namespace cullet::stress

#endif
