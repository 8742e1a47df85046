// SPDX-License-Identifier: Zlib
/// \file CulletVerifier.h Compares the program's pair cache with a btDbvtBroadphase after every
/// calculateOverlappingPairs. The btDbvtBroadphase gets the same boxes, but no filters. It enlarges boxes, so its pairs
/// are a superset. Cullet's pairs are right under two conditions. Each pair is in that superset and its boxes overlap.
/// No overlapping pair that the program's filter accepts is missing. Results of ray and box queries are compared too.
#ifndef CULLET_VERIFIER_H
#define CULLET_VERIFIER_H

#include "CulletForwarder.h"
#include "CulletTwin.h"

#include <atomic>
#include <unordered_map>
#include <utility>
#include <vector>

class CulletVerifier : public CulletForwarder
{
public:
    /// \param number  of the broadphase in the process, for messages
    CulletVerifier( btBroadphaseInterface& inner, const CulletBullet& bullet, int number );

    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int group, int mask, btDispatcher* dispatcher ) override;
    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;
    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override;
    void rayTest( const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override;
    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override;
    void calculateOverlappingPairs( btDispatcher* dispatcher ) override;

    /// Prints the numbers of comparisons and errors of all broadphases of the process.
    /// \return whether there was no error
    static bool sayVerdict( const CulletBullet& bullet );

    static bool hasComparedNothing();

    /// Resets the numbers of comparisons and errors.
    static void forgetCounts();

private:
    typedef std::pair<const btBroadphaseProxy*, const btBroadphaseProxy*> Pair;

    /// The number of wrong pairs, and the first of them.
    struct WrongPairs
    {
        int m_count = 0;
        Pair m_first;

        void add( const Pair& pair )
        {
            m_first = m_count++ == 0 ? pair : m_first;
        }
    };

    static Pair pairOf( const btBroadphasePair& pair );
    bool hasPair( const std::vector<Pair>& pairs, const btBroadphasePair& pair ) const;
    bool isExtra( const btBroadphasePair& pair );
    bool isMissing( const btBroadphasePair& pair );
    bool wasChanged( const btBroadphaseProxy* proxy ) const;
    WrongPairs findExtra( const btBroadphasePairArray& pairs );
    WrongPairs findMissing();
    void compare();
    template <typename Callback, typename Ask, typename Meets>
    void compareQuery( Callback& callback, Ask ask, Meets meets );
    int countQuery( bool isWrong );
    void complainOfPairs( const char* what, const WrongPairs& pairs );
    void complain( const char* when, int number, const char* what, int count, int body, int other = 0 );

    const CulletBullet& m_bullet;
    int m_number;
    int m_step = 0;
    std::atomic<int> m_queryCount{ 0 }; ///< queries may come from several threads at once
    std::atomic<bool> m_hasComplained{ false };
    CulletTwin m_twin;
    std::unordered_map<const btBroadphaseProxy*, int> m_changes; ///< the step in which a box was last set
    std::vector<Pair> m_pairs;                                   ///< of this step, sorted
    std::vector<Pair> m_previousPairs;
};

#endif
