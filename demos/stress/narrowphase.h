// SPDX-License-Identifier: Zlib
/// \file narrowphase.h
/// Stands in for what comes after the broadphase: gives every pair an algorithm of its own, and knows whose each is. A
/// pair that is dropped and made anew shows by having lost it, in a real world its contacts; one that ends without its
/// algorithm being destroyed shows by the count.
#ifndef CLT_STRESS_NARROWPHASE_H
#define CLT_STRESS_NARROWPHASE_H

#include "population.h"

#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"

#include <optional>

namespace cullet::stress
{

/// The configuration is a base so that it is there before the dispatcher.
class Narrowphase : private btDefaultCollisionConfiguration, public btCollisionDispatcher
{
public:
    Narrowphase();

    /// The algorithms that pairs still hold are freed without being destroyed, as with any of Bullet's dispatchers.
    ~Narrowphase() override;

    /// As when the narrowphase meets the pair for the first time.
    void give( const btBroadphasePair& pair, PairKey key );

    /// Whose algorithm it is; none if it is no living one. The algorithm is not read.
    std::optional<PairKey> ownerOf( const btCollisionAlgorithm* algorithm ) const;

    std::size_t livingCount() const
    {
        return m_owners.size();
    }

    /// Empty while nothing was freed that did not live.
    const std::string& contradiction() const
    {
        return m_contradiction;
    }

    /// What a pair cache calls after the algorithm's destructor.
    void freeCollisionAlgorithm( void* memory ) override;

private:
    std::unordered_map<const void*, PairKey> m_owners; ///< of the living algorithms
    std::string m_contradiction;
};

} // namespace cullet::stress

#endif
