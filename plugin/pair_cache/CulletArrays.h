// SPDX-License-Identifier: Zlib
/// \file CulletArrays.h
/// Helpers for arrays: removing, sorting, comparing, erasing from hash tables, and freeing capacity.
#ifndef CULLET_ARRAYS_H
#define CULLET_ARRAYS_H

#include "LinearMath/btAlignedObjectArray.h"

#include "cullet_bits.h"

#include <algorithm>
#include <stdint.h>

/// Removes the items for which `isUnwanted( item )` holds; the others keep their order.
template <typename Item, typename IsUnwanted>
void culletRemoveIf( btAlignedObjectArray<Item>& array, IsUnwanted isUnwanted )
{
    if ( array.size() > 0 )
    {
        Item* const first = &array[0];
        array.resize( int( std::remove_if( first, first + array.size(), isUnwanted ) - first ) );
    }
}

/// Appends an item. The first one reserves memory for a few: Bullet's arrays grow from 1.
template <typename Item>
void culletAppend( btAlignedObjectArray<Item>& array, const Item& item )
{
    if ( array.capacity() == 0 )
    {
        array.reserve( 8 );
    }
    array.push_back( item );
}

/// Sorts the array, from index `first` on.
template <typename Item>
void culletSort( btAlignedObjectArray<Item>& array, int first = 0 )
{
    if ( array.size() > first + 1 )
    {
        std::sort( &array[first], &array[0] + array.size() );
    }
}

/// Appends to `difference` the items of `array` that are not in `other`. Both arrays are sorted.
template <typename Item>
void culletAppendDifference( const btAlignedObjectArray<Item>& array, const btAlignedObjectArray<Item>& other,
                             btAlignedObjectArray<Item>& difference )
{
    int at = 0;
    for ( int i = 0; i < array.size(); ++i )
    {
        while ( at < other.size() && other[at] < array[i] )
        {
            ++at;
        }
        if ( at == other.size() || array[i] < other[at] )
        {
            difference.push_back( array[i] );
        }
    }
}

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

/// Decides when capacity that a load spike required is freed: after PATIENCE consecutive steps that needed less than a
/// quarter of it. If spikes recur within PATIENCE steps, the capacity is never freed.
class CulletShrinkPolicy
{
public:
    /// Must be called once a step. \return true if the capacity should be shrunk in this step
    bool isDue( int needed, int capacity )
    {
        const bool isQuiet = capacity >= FLOOR && needed < capacity / 4;
        m_quietCount = isQuiet ? m_quietCount + 1 : 0;
        if ( m_quietCount < PATIENCE )
        {
            return false;
        }
        m_quietCount = 0;
        return true;
    }

    /// The capacity to shrink to: 1.5 times the needed one.
    static int capacityFor( int needed )
    {
        return needed + needed / 2;
    }

private:
    /// About four seconds of most applications' steps.
    static const int PATIENCE = 240;

    /// Capacities below this are never freed.
    static const int FLOOR = 1024;

    int m_quietCount = 0;
};

/// Reduces an array's capacity, which Bullet's arrays never do by themselves. \param capacity  at least the array's
/// size
template <typename Item>
void culletShrink( btAlignedObjectArray<Item>& array, int capacity )
{
    btAlignedObjectArray<Item> kept;
    kept.copyFromArray( array );
    array.clear();
    array.reserve( capacity );
    array.copyFromArray( kept );
}

#endif
