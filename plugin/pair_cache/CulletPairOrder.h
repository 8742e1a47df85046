// SPDX-License-Identifier: Zlib
/// \file CulletPairOrder.h
/// The order in which a merge (CulletPairMerge.h) wrote a pair array: ascending by keys, which are the uids of the
/// pairs. Later, the last pair fills the place of a removed one, and new pairs are appended: these are unsorted. The
/// place of an unsorted pair keeps its key, so the keys stay ascending. Here pair 12 was removed:
///
///     keys     11   12   19   24   29   37
///     pairs    11   37   19   24   29
///
/// The next merge sorts these pairs in. If there are too many, the order is forgotten.
#ifndef CULLET_PAIR_ORDER_H
#define CULLET_PAIR_ORDER_H

#include "CulletArrays.h"

#include <algorithm>

class CulletPairOrder
{
public:
    /// If more pairs are unsorted, the order is forgotten. This many are looked through as fast as the core is queried.
    static const int MOST_UNSORTED = 4096;

    bool isKnown() const
    {
        return m_isKnown;
    }

    /// To be called when a merge begins to write the pairs in order.
    void begin()
    {
        m_isKnown = true;
        m_unsorted.resize( 0 );
    }

    /// A key for each place, if the order is known, and perhaps more behind the last pair. At unsorted places and
    /// behind the last pair these are keys of pairs that were there. A search reads them, but its caller compares the
    /// pair that it finds. NULL without keys.
    uint64_t* getKeys()
    {
        return m_keys.size() > 0 ? &m_keys[0] : 0;
    }

    /// Sets the number of places. \param capacity  that of the pair array \return getKeys
    uint64_t* resize( int count, int capacity )
    {
        m_keys.reserve( capacity );
        m_keys.resizeNoInitialize( count );
        return getKeys();
    }

    int getCapacity() const
    {
        return m_keys.capacity();
    }

    /// Frees memory that is not needed. \param count, capacity  of the pair array
    void giveBack( int count, int capacity )
    {
        m_keys.resize( btMin( m_keys.size(), count ) );
        if ( m_keys.capacity() > 0 && m_keys.size() == 0 )
        {
            m_keys.clear();
        }
        if ( m_keys.capacity() > capacity )
        {
            culletShrink( m_keys, capacity );
        }
    }

    /// The places of unsorted pairs. Some may be listed twice, or lie behind the last pair.
    const btAlignedObjectArray<int>& getUnsorted() const
    {
        return m_unsorted;
    }

    /// A pair was written to `place`, which may be behind the last one.
    void notePut( int place )
    {
        if ( !m_isKnown )
        {
            return;
        }
        if ( m_unsorted.size() == MOST_UNSORTED )
        {
            forget();
            return;
        }
        if ( place == m_keys.size() )
        {
            m_keys.push_back( UINT64_MAX );
        }
        m_unsorted.push_back( place );
    }

    /// \param count  of pairs \return the only place that the pair with this key can have, unless it is unsorted
    int find( uint64_t key, int count ) const
    {
        const uint64_t* const first = count > 0 ? &m_keys[0] : 0;
        return int( std::lower_bound( first, first + count, key ) - first );
    }

private:
    void forget()
    {
        m_isKnown = false;
        m_keys.resize( 0 );
        m_unsorted.resize( 0 );
    }

    bool m_isKnown = false;
    btAlignedObjectArray<uint64_t> m_keys;
    btAlignedObjectArray<int> m_unsorted;
};

#endif
