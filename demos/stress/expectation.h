// SPDX-License-Identifier: Zlib
/// \file expectation.h
/// Which pairs must be in the cache after calculateOverlappingPairs:
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

#include "filter_rule.h"
#include "held_pairs.h"

namespace cullet::stress
{

/// Two bodies whose boxes overlap, whatever filters say.
struct Overlap
{
    PairKey key;
    const Body* a; ///< the smaller uid
    const Body* b;
};

/// Every one there is, found without any of cullet's or Bullet's code; ascending by key.
std::vector<Overlap> findOverlaps( const Population& population );

class Expectation
{
public:
    /// \param readsForgotten  the broadphase looks at group and mask of proxies that were not set since they were
    ///                        edited
    explicit Expectation( bool readsForgotten );

    /// The rule, groups or masks are others now. To be called after a check, before anything else has changed.
    void filterChanged( FilterRule rule );

    /// The application has taken the pair out of the cache. After filterChanged, if that is called at all.
    void pairTakenOut( PairKey key );

    /// calculateOverlappingPairs has run in this step.
    void updated( const Population& population, std::uint64_t step );

    /// Throws a Fault unless the pairs are as the table above says. Both lists ascend.
    void check( const std::vector<Overlap>& overlaps, FilterRule rule, const std::vector<HeldPair>& held ) const;

    /// Takes what has passed the check as what is there from now on.
    void accept( std::vector<Overlap> overlaps, FilterRule rule, const std::vector<HeldPair>& held );

    /// Whether the cache held it at the last check, and the application has not taken it out since.
    bool wasHeld( PairKey key ) const;

    /// What wasHeld is true of, ascending.
    const PairSet& heldPairs() const
    {
        return m_held;
    }

    /// Free pairs that the last check came by.
    std::size_t freeCount() const
    {
        return m_free.size();
    }

private:
    bool isFree( const Overlap& overlap ) const;
    void requirePresent( const Overlap& overlap, FilterRule rule ) const;
    void requireAbsent( const Overlap& overlap, FilterRule rule ) const;
    void listExceptions( FilterRule rule );

    bool m_readsForgotten;
    std::vector<Overlap> m_overlaps; ///< of the last check; its bodies may be gone by now
    PairSet m_held;
    PairSet m_refused; ///< pairs, though the filter refuses them. Ascending, like all others
    PairSet m_free;
};

} // namespace cullet::stress

#endif
