// SPDX-License-Identifier: Zlib
/// \file CulletPairExchange.h
/// Ended for begun. Where everything moves, about as many pairs begin in a step as end. Taken out one by one, each pair
/// that ended would be replaced by the last of the array, whose entry in the index lies elsewhere again; put in one by
/// one, each that began would make the array longer again. Here it takes the place of one that ended, what stays is not
/// touched, and so half the memory is. Only for a cache with neither a ghost nor a filter callback, which see single
/// pairs come and go.
#ifndef CULLET_PAIR_EXCHANGE_H
#define CULLET_PAIR_EXCHANGE_H

#include "CulletPairArray.h"

/// To be called in this order: start, noteEnded, open, putBegan, finish. Only noteEnded calls anyone, the dispatcher.
class CulletPairExchange
{
public:
    /// \param cache  cleans the pairs that ended
    CulletPairExchange( CulletPairArray& pairs, btOverlappingPairCache& cache );

    void start();

    /// Cleans the pairs through the dispatcher; they stay.
    void noteEnded( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

    /// Takes out what ended, and makes room for so many.
    /// \return false if the dispatcher let somebody change the array: then nothing is done, and the exchange is over
    bool open( int beganCount );

    /// Pairs that are there already stay as they are.
    void putBegan( const CulletProxyPair* pairs, int count );

    void finish();

private:
    /// Where a pair was that ended.
    struct Vacancy
    {
        int m_place;
        uint32_t m_hash;
    };

    void noteGroup( const CulletProxyPair* pairs, int count, const uint32_t* hashes, btDispatcher* dispatcher );
    void vacate();

    CulletPairArray& m_pairs;
    btOverlappingPairCache& m_cache;
    btAlignedObjectArray<Vacancy> m_vacancies;
    int m_occupied;     ///< the first of them, which have new pairs
    uint32_t m_version; ///< of the array when it started
};

#endif
