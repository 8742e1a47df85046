// SPDX-License-Identifier: Zlib
/// \file CulletPairExchange.h
/// Writes pairs that began into the places of pairs that ended. If all bodies move, about as many pairs begin in a step
/// as end. The usual removal moves the last pair of the array into the vacant place, and a new pair is then appended.
/// An exchange writes the new pair into the vacant place and moves no other pair, so it touches half the memory.
///
/// Only for a cache without ghost and filter callbacks, because these observe single additions and removals. Call the
/// functions in the order of their declaration; noteEnded and putBegan any number of times.
#ifndef CULLET_PAIR_EXCHANGE_H
#define CULLET_PAIR_EXCHANGE_H

#include "CulletPairArray.h"

class CulletPairExchange
{
public:
    /// \param pairs  the array of `cache`
    CulletPairExchange( CulletPairArray& pairs, btOverlappingPairCache& cache ) : m_pairs( pairs ), m_cache( cache )
    {
    }

    void start();

    /// Cleans the pairs through the dispatcher, which may call any function. The pairs stay in the array.
    void noteEnded( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

    /// Takes out the noted pairs, and reserves capacity for `beganCount` new ones.
    /// \return false if the cache was changed since the start: then nothing is done, and the exchange is over
    bool open( size_t beganCount );

    /// Pairs that are present stay as they are.
    void putBegan( const CulletProxyPair* pairs, int count );

    void finish();

private:
    /// The place of a pair that ended.
    struct Vacancy
    {
        int m_place;
        uint32_t m_hash;
    };

    CulletPairArray& m_pairs;
    btOverlappingPairCache& m_cache;
    btAlignedObjectArray<Vacancy> m_vacancies;
    int m_filledCount = 0;  ///< number of vacancies, from the first on, that hold new pairs
    uint32_t m_version = 0; ///< of the pair array when the exchange started
};

#endif
