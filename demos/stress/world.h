// SPDX-License-Identifier: Zlib
/// \file world.h
/// The broadphase under test and the application around it: every call an application makes, mirrored in the tester's
/// own copy, and checked at once where the broadphase promises something at once. All members throw a Fault at the
/// first thing that is wrong.
#ifndef CLT_STRESS_WORLD_H
#define CLT_STRESS_WORLD_H

#include "expectation.h"
#include "narrowphase.h"
#include "pair_witness.h"
#include "subject.h"
#include "tally.h"

#include "demos/oracle/life.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"

namespace cullet::stress
{

class World : public Stage
{
public:
    /// \param look  called between changes of different kinds
    World( Subject subject, std::function<void()> look );

    /// Proxies are destroyed as Bullet's world does it.
    ~World() override;

    void beginStep( std::uint64_t step );

    std::size_t count() const override
    {
        return m_population.size();
    }

    cltAabbD boxOf( std::size_t body ) const override
    {
        return m_population[body].box;
    }

    void create( const cltAabbD& box, const cltFilter& filter ) override;
    void destroy( std::size_t body ) override;
    void move( std::size_t body, const cltAabbD& box ) override;

    /// Written into the proxy, which nobody is told; filtersEdited must follow when all edits are made.
    void setFilter( std::size_t body, const cltFilter& filter ) override;

    void meanwhile() override
    {
        m_look();
    }

    /// Exchanges the cache's filter callback; filtersEdited must follow.
    void install( FilterRule rule );

    /// To be called in a step that follows a check, before any box changes. Returns the bodies edited.
    std::vector<std::size_t> filtersEdited();

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

    const Population& population() const
    {
        return m_population;
    }

    btBroadphaseInterface& broadphase()
    {
        return *m_subject.broadphase;
    }

    const Promises& promises() const
    {
        return m_subject.promises;
    }

    /// Those that the last check found, less those taken out since.
    const PairSet& heldPairs() const
    {
        return m_expectation.heldPairs();
    }

    Tally& tally()
    {
        return m_tally;
    }

private:
    btOverlappingPairCache& cache()
    {
        return *m_subject.broadphase->getOverlappingPairCache();
    }

    void* clientOf( Client client );
    void requireAtOnce( const Body& body, const char* call );
    void requireIdentity( const std::vector<HeldPair>& held );
    bool mayBeNew( PairKey key ) const;
    void requireWitness( const std::vector<HeldPair>& held ) const;
    void requireNoContradiction() const;

    btCollisionObject m_object; ///< all bodies share one of each kind: nobody reads more of them than their kind
    btGhostObject m_ghost;
    Narrowphase m_narrowphase;
    PairWitness m_witness;
    FilterRule m_rule = FilterRule::stock;
    std::unique_ptr<RuleFilter> m_filter; ///< NULL with the stock rule
    Subject m_subject;
    std::function<void()> m_look;
    Population m_population;
    Expectation m_expectation;
    std::vector<std::size_t> m_edited; ///< bodies, by setFilter
    Tally m_tally;
    std::uint64_t m_step = 0;
    std::uint64_t m_lastCheck = 0; ///< a step
    int m_movesSinceUpdate = 0;    ///< boxes changed since calculateOverlappingPairs
    int m_checkedAtOnce = 0;       ///< bodies in this step
};

} // namespace cullet::stress

#endif
