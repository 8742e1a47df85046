// SPDX-License-Identifier: Zlib
/// \file CulletLinearProbing.h
/// Erasing from the open-addressed hash tables of the pair cache.
#ifndef CULLET_LINEAR_PROBING_H
#define CULLET_LINEAR_PROBING_H

#include "LinearMath/btAlignedObjectArray.h"

/// Erases an entry of a table with linear probing. Shifts later entries back instead of leaving a tombstone, so after
/// hours of adds and removes a table probes as little as a new one (Knuth, The Art of Computer Programming 3, section
/// 6.4, algorithm R).
/// \param home  the place at which the probes for an entry begin; \param empty  marks a free place
template <typename Entry, typename Home>
void culletErase( btAlignedObjectArray<Entry>& table, int hole, const Entry& empty, Home home )
{
    const int mask = table.size() - 1;
    for ( int at = ( hole + 1 ) & mask; !( table[at] == empty ); at = ( at + 1 ) & mask )
    {
        // The entry may fill the hole if its home is not in (hole, at], modulo the table size.
        const int fromHome = ( at - home( table[at] ) ) & mask;
        const int fromHole = ( at - hole ) & mask;
        if ( fromHome >= fromHole )
        {
            table[hole] = table[at];
            hole = at;
        }
    }
    table[hole] = empty;
}

#endif
