// SPDX-License-Identifier: Zlib
/// \file world.h
/// The broadphase under test and the application around it. Every call also updates the test's own copy of the bodies.
/// Guarantees of single calls are checked right after the call. All members throw a Fault at the first error.
#ifndef CLT_STRESS_WORLD_H
#define CLT_STRESS_WORLD_H

#include "expectation.h"
#include "pair_observer.h"
#include "run.h"

#include "demos/oracle/operation_sequence.h"

#include "plugin/CulletBroadphase.h"

namespace cullet::stress
{

class World : public OperationTarget
{
public:
    /// \param bodies  largest number of bodies alive at the same time
    /// \param makeQueries    makes queries; called after each kind of change
    World( Subject subject, std::size_t bodies, std::function<void()> makeQueries );

    /// Destroys the proxies as Bullet's world does.
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

    /// Writes into the proxy without a call of the broadphase; filtersEdited must follow after the last edit.
    void setFilter( std::size_t body, const cltFilter& filter ) override;

    void afterKind() override
    {
        m_makeQueries();
    }

    /// Reverts about half of the edits since the last call, as applications do that switch filters off and on.
    /// filtersEdited must follow.
    void revertEdits( Random& random );

    /// Exchanges the cache's filter callback; filtersEdited must follow.
    /// \param rejectedThird  as for FilterCallback; 3: no callback
    void installFilter( unsigned rejectedThird );

    /// Must be called in a step that follows a check, before any box changes.
    void filtersEdited();

    /// Remove pairs from the cache, as an application may do. Must be called in a step that follows a check, before
    /// any box changes.
    void takeOut( PairKey key );
    void takeOutAllOf( std::size_t body );
    void cleanAllOf( std::size_t body );

    /// Calls calculateOverlappingPairs several times in a row. The later calls may change only pairs with a filter that
    /// was edited, and that the first call may have left unread.
    void update( int times );

    /// Does nothing while proxies are alive.
    void resetPool();

    /// Compares the cache with the expectation.
    void check();

    std::uint64_t step = 0;
    Tally tally;
    Subject subject;
    const CulletBroadphase* cullet; ///< the subject's broadphase; NULL if it is one of Bullet's
    Population population;
    Expectation expectation;

private:
    struct Edit
    {
        std::uint32_t uid;
        cltFilter before;
    };

    void edit( Body& body, const cltFilter& filter );

    btOverlappingPairCache& cache()
    {
        return *subject.broadphase->getOverlappingPairCache();
    }

    void requireAtOnce( const Body& body, const char* call );
    void requireOwnAlgorithms( const std::vector<HeldPair>& held );

    btCollisionObject m_object; ///< all bodies share one object of each kind: only its kind is read
    btGhostObject m_ghost;
    std::function<void()> m_makeQueries;
    std::unique_ptr<FilterCallback> m_filter; ///< NULL with Bullet's own rule
    std::vector<Edit> m_edits;                ///< since the last call of revertEdits
    std::uint64_t m_lastSwap = 0;             ///< the last step in which another callback was installed
    PairObserver m_pairObserver;
    int m_movesSinceUpdate = 0; ///< boxes changed since calculateOverlappingPairs
    int m_checkedAtOnce = 0;    ///< bodies with pairs that were checked right after a call in this step
};

/// Makes `count` box queries, ray queries and calls of getAabb, and compares the answers with brute force over the last
/// boxes set. Throws a Fault at the first wrong one.
///
/// A query must report every body that it meets, and only bodies that it meets with boxes enlarged by gDbvtMargin on
/// each side, as Bullet's broadphase does. Half of the queries have margin 0 and so a single right answer. The last
/// margin that was used stays set.
void checkQueries( World& world, const Arena& arena, Random& random, int count );

} // namespace cullet::stress

#endif
