// SPDX-License-Identifier: Zlib
/// \file CulletLinearProbing.h
/// What the hash tables of the pair cache share.
#ifndef CULLET_LINEAR_PROBING_H
#define CULLET_LINEAR_PROBING_H

#include "LinearMath/btAlignedObjectArray.h"

/// Takes an entry out of an open-addressed table with linear probing and shifts later ones back instead of leaving a
/// mark behind, so that a table that lives for hours of adds and removes probes as little as a new one (Knuth, The Art
/// of Computer Programming 3, section 6.4, algorithm R).
/// \param home  of an entry; \param empty  what marks a place without one
template <typename Entry, typename Home>
void culletErase( btAlignedObjectArray<Entry>& table, int hole, const Entry& empty, Home home )
{
    const int mask = table.size() - 1;
    for ( int at = ( hole + 1 ) & mask; !( table[at] == empty ); at = ( at + 1 ) & mask )
    {
        // An entry may fill the hole if its home is not between the hole and its place, going around the table.
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
