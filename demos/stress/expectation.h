// SPDX-License-Identifier: Zlib
/// \file expectation.h
/// Which pairs are in the cache, and which must be there after calculateOverlappingPairs:
///
///     boxes overlap   filter     was a pair before   then it is
///     no              any        any                 no pair
///     yes             lets in    any                 a pair, or free: see below
///     yes             refuses    yes                 a pair: the filter is asked once, when the overlap begins
///     yes             refuses    no                  no pair
///
/// A pair is free if the filter used to refuse it, lets it in now, and neither box has been set again since: no
/// broadphase is told when an application edits a filter. Some look only at what they know of the other proxy; for them
/// a pair is free as long as either has been edited and not set since.
///
/// Overlaps are searched for only when the cache is checked. Between two checks the filter must not change; then the
/// lists of refused pairs and of free ones, looked through at every step, say all about the steps not checked.
#ifndef CLT_STRESS_EXPECTATION_H
#define CLT_STRESS_EXPECTATION_H

#include "population.h"
#include "run.h"

namespace cullet::stress
{

/// Whose boxes overlap, whatever filters say, by uid. Found without any of cullet's or Bullet's code.
PairSet findOverlaps( const Population& population );

struct HeldPair
{
    PairKey key;
    const btBroadphasePair* pair;
};

/// What a pair cache holds, ascending by key. Throws a Fault for a pair with a proxy that does not live, with its
/// proxies in the wrong order, or held twice.
std::vector<HeldPair> readPairs( btOverlappingPairCache& cache, const Population& population );

class Expectation
{
public:
    Expectation( const Population& population, bool readsForgotten );

    /// The callback, groups or masks are others now. To be called after a check, before anything else has changed.
    void filterChanged( const FilterCallback* callback );

    /// The application has taken these pairs out of the cache. After filterChanged, if that is called at all.
    template <typename IsOut>
    void pairsTakenOut( IsOut isOut )
    {
        for ( PairSet* pairs : { &m_held, &m_refused } )
        {
            pairs->erase( std::remove_if( pairs->begin(), pairs->end(), isOut ), pairs->end() );
        }
    }

    /// calculateOverlappingPairs has run in this step.
    void updated( std::uint64_t step );

    /// Throws a Fault unless the pairs are as the table above says.
    void check( const PairSet& overlaps, const PairSet& held ) const;

    /// Takes what has passed the check as what is there from now on.
    void accept( PairSet overlaps, PairSet held, std::uint64_t step );

    /// Whether the cache held it at the last check, and the application has not taken it out since.
    bool wasHeld( PairKey key ) const;

    /// Of a pair that is right to be held: that it was at the last check, too, and cannot have ended since.
    bool hasLasted( PairKey key, std::uint64_t step ) const;

    /// What wasHeld is true of.
    const PairSet& heldPairs() const
    {
        return m_held;
    }

    /// Free pairs that the last check came by.
    std::size_t freeCount() const
    {
        return m_free.size();
    }

    const bool readsForgotten; ///< the broadphase looks at filters of proxies that were not set since the edit

private:
    void drop( PairSet& pairs, std::uint64_t Body::*when, std::uint64_t step ) const;
    void listExceptions();

    const Population& m_population;
    const FilterCallback* m_callback = nullptr;
    std::uint64_t m_lastCheck = 0; ///< a step
    PairSet m_overlaps;            ///< of the last check
    PairSet m_held;
    PairSet m_refused; ///< pairs, though the filter refuses them
    PairSet m_free;
};

} // namespace cullet::stress

#endif
