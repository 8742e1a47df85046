// SPDX-License-Identifier: Zlib
/// \file CulletPairExchange.h
/// Replaces pairs that ended by pairs that began. If everything moves, about as many pairs begin in a step as end.
/// Removed one by one, each pair that ended would be replaced by the last of the array, and each pair that began would
/// be appended again. Here it takes the place of one that ended, and pairs that stay are not touched: half the memory
/// is.
///
/// Only for a cache without ghost and filter callbacks, which see single pairs come and go. The functions are called in
/// the order in which they are declared; noteEnded and putBegan any number of times.
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

    /// Cleans the pairs through the dispatcher, which may call anything; they stay.
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
    int m_filledCount = 0;  ///< the first vacancies, which hold new pairs
    uint32_t m_version = 0; ///< of the pairs when the exchange started
};

#endif
