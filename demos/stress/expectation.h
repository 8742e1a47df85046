// SPDX-License-Identifier: Zlib
/// \file expectation.h
/// The pairs in the cache, and the pairs that must be there after calculateOverlappingPairs:
///
///     boxes overlap   filter     was a pair          must be
///     no              any        any                 no pair
///     yes             accepts    any                 a pair, or free: see below
///     yes             rejects    yes                 a pair: the filter is asked once, when the overlap begins
///     yes             rejects    no                  no pair
///
/// A free pair may be present or not. A pair is free if the filter rejected it, accepts it since an edit, and neither
/// box was set since: applications edit filters without a call of the broadphase. For broadphases that read only the
/// moved proxy's filter, a pair is also free while one of its bodies has an edited filter and no box set since.
///
/// Overlaps are searched for only when the cache is checked. Filters must not change between two checks; the lists of
/// rejected and of free pairs, updated at every step, then cover the unchecked steps.
#ifndef CLT_STRESS_EXPECTATION_H
#define CLT_STRESS_EXPECTATION_H

#include "population.h"
#include "run.h"

namespace cullet::stress
{

/// Pairs of overlapping bodies by uid, filters ignored. Computed without any of cullet's or Bullet's code.
PairSet findOverlaps( const Population& population );

struct HeldPair
{
    PairKey key;
    const btBroadphasePair* pair;
};

/// The pairs of a pair cache, ascending by key. Throws a Fault for a pair with a destroyed proxy, with its proxies in
/// the wrong order, or held twice.
std::vector<HeldPair> readPairs( btOverlappingPairCache& cache, const Population& population );

class Expectation
{
public:
    Expectation( const Population& population, bool readsAllFilters );

    /// Must be called for a new callback, or for edited groups or masks, after a check and before any other change.
    void filterChanged( const FilterCallback* callback );

    /// Must be called after the application removed the pairs with `isOut( key )`, and after any call of filterChanged.
    template <typename IsOut>
    void pairsTakenOut( IsOut isOut )
    {
        for ( PairSet* pairs : { &m_held, &m_rejected } )
        {
            pairs->erase( std::remove_if( pairs->begin(), pairs->end(), isOut ), pairs->end() );
        }
    }

    /// Must be called after calculateOverlappingPairs in each step.
    void updated( std::uint64_t step );

    /// Throws a Fault unless the pairs are as the table above says.
    void check( const PairSet& overlaps, const PairSet& held ) const;

    /// Stores the pairs that passed the check, as the pairs of the last check.
    void accept( PairSet overlaps, PairSet held, std::uint64_t step );

    /// Whether the cache held the pair at the last check, and the application has not removed it since.
    bool wasHeld( PairKey key ) const;

    /// True if a pair in the cache was also held at the last check and cannot have ended since.
    bool hasLasted( PairKey key, std::uint64_t step ) const;

    /// The pairs for which wasHeld is true.
    const PairSet& heldPairs() const
    {
        return m_held;
    }

    /// Whether the broadphase may notice later that a filter of the pair was edited.
    bool isUnread( PairKey key ) const;

    /// Whether the filter rejected the pair and accepts it since an edit, and the pair overlapped at the last check.
    /// Such a pair is offered by the next calculateOverlappingPairs, not when a box of it changes.
    bool isFree( PairKey key ) const;

    /// The number of free pairs at the last check.
    std::size_t freeCount() const
    {
        return m_free.size();
    }

    const bool readsAllFilters; ///< the broadphase reads edited filters even if the proxy was not set since

private:
    void drop( PairSet& pairs, std::uint64_t Body::*when, std::uint64_t step ) const;
    void listExceptions();

    const Population& m_population;
    const FilterCallback* m_callback = nullptr;
    std::uint64_t m_lastCheck = 0; ///< the step of the last check
    PairSet m_overlaps;            ///< at the last check
    PairSet m_held;
    PairSet m_rejected; ///< pairs in the cache that the filter now rejects
    PairSet m_free;
};

} // namespace cullet::stress

#endif
