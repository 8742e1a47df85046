// SPDX-License-Identifier: Zlib
/// \file CulletVerifier.h
/// Compares, after every calculateOverlappingPairs, the pair cache of the program with a btDbvtBroadphase that hears of
/// the same boxes and of no filters. Its boxes are fat, so it has every pair that there is and more. Cullet's pairs are
/// right if each of them is among these and its boxes overlap, and if none is missing whose boxes overlap and that
/// the program's filter lets in. Rays and boxes that the program asks for are compared too.
#ifndef CULLET_VERIFIER_H
#define CULLET_VERIFIER_H

#include "CulletPassOn.h"
#include "CulletTwin.h"

#include <atomic>
#include <unordered_map>
#include <utility>
#include <vector>

class CulletVerifier : public CulletPassOn
{
public:
    /// \param number  of the broadphase in its process, for what is said
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

    /// Says, for all broadphases of the process, how much was compared and how much of it was wrong.
    /// \return whether nothing was
    static bool sayVerdict( const CulletBullet& bullet );

    static bool hasComparedNothing();

    /// As if nothing had been compared yet.
    static void forgetCounts();

private:
    typedef std::pair<const btBroadphaseProxy*, const btBroadphaseProxy*> Pair;

    /// How many pairs are wrong, and the first of them.
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
    std::unordered_map<const btBroadphaseProxy*, int> m_changes; ///< the step before which a box was last given
    std::vector<Pair> m_pairs;                                   ///< of this step, sorted
    std::vector<Pair> m_pairsBefore;
};

#endif
