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

#include "BulletCollision/CollisionDispatch/btGhostObject.h"

namespace cullet::stress
{

/// What createProxy is told beside the box.
struct Traits
{
    int group;
    int mask;
    Client client;
};

class World
{
public:
    explicit World( Subject subject );

    /// Proxies are destroyed as Bullet's world does it.
    ~World();

    void beginStep( std::uint64_t step );

    Body& create( const Box& box, const Traits& traits );

    /// \param index  in the population
    void destroy( std::size_t index );

    /// setAabb.
    void set( Body& body, const Box& box );

    /// Written into the proxy, which nobody is told; filtersEdited must follow when all edits are made.
    void editFilter( Body& body, int group, int mask );

    /// Exchanges the cache's filter callback; filtersEdited must follow.
    void install( FilterRule rule );

    /// To be called in a step that follows a check, before any box changes.
    void filtersEdited();

    /// The application's own calls of the cache. In a step that follows a check, before any box changes.
    void takeOut( PairKey key );
    void takeOutAllOf( Body& body );
    void cleanAllOf( const Body& body );

    /// calculateOverlappingPairs, several times in a row; all but the first must change nothing.
    void update( int times );

    /// Does nothing while proxies live.
    void resetPool();

    /// Holds the cache against the expectation.
    void check();

    Population& population()
    {
        return m_population;
    }

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

    const Expectation& expectation() const
    {
        return m_expectation;
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
    void cleanPairsOf( btBroadphaseProxy& proxy );
    bool promisesAtOnce( const Body& body ) const;
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
    Population m_population;
    Expectation m_expectation;
    Tally m_tally;
    std::uint64_t m_step = 0;
    std::uint64_t m_lastCheck = 0; ///< a step
    int m_movesSinceUpdate = 0;    ///< boxes changed since calculateOverlappingPairs
    int m_checkedAtOnce = 0;       ///< bodies in this step
};

} // namespace cullet::stress

#endif
