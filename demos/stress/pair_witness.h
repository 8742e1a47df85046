// SPDX-License-Identifier: Zlib
/// \file pair_witness.h
/// The application's ghost callback: follows the pair set by what the cache tells, and notes the first contradiction.
#ifndef CLT_STRESS_PAIR_WITNESS_H
#define CLT_STRESS_PAIR_WITNESS_H

#include "population.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"

#include <unordered_set>

namespace cullet::stress
{

/// Pairs are told by uid, because proxies pair before createProxy has returned them. Made from Bullet's own callback,
/// which tells a broadphase that client objects are collision objects.
class PairWitness : public btGhostPairCallback
{
public:
    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override;
    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                 btDispatcher* dispatcher ) override;

    /// No cache of Bullet's calls this.
    void removeOverlappingPairsContainingProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;

    bool holds( PairKey key ) const
    {
        return m_pairs.count( key ) != 0;
    }

    std::size_t pairCount() const
    {
        return m_pairs.size();
    }

    /// In how many pairs the proxy of that uid is.
    std::size_t degreeOf( std::uint32_t uid ) const;

    /// How often a pair was added or removed so far.
    std::uint64_t changeCount() const
    {
        return m_changeCount;
    }

    /// Empty while nothing contradicts.
    const std::string& contradiction() const
    {
        return m_contradiction;
    }

private:
    void note( bool isRight, PairKey key, int change, const char* claim );

    std::unordered_set<PairKey> m_pairs;
    std::unordered_map<std::uint32_t, std::size_t> m_degrees; ///< of uids that are in a pair
    std::uint64_t m_changeCount = 0;
    std::string m_contradiction;
};

} // namespace cullet::stress

#endif
