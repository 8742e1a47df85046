// SPDX-License-Identifier: Zlib
/// \file pair_key.h A pair of slots and whether it began or ended, as one number. Results are in ascending order.
///
///     bit   2b        2b-1 .. b   b-1 .. 0        b = slotBits, the width of a slot
///           began     lower slot  higher slot
///
/// Ended pairs come first, then begun pairs; both ascend by lower slot, then higher slot. A sort reads 2b + 1 bits.
#ifndef CLT_CORE_PAIR_KEY_H
#define CLT_CORE_PAIR_KEY_H

#include "bridge/cullet.h"
#include "gpu/core/callable.h"

/// Not the key of any pair: slots have fewer than 30 bits.
#define CLT_NO_KEY UINT64_MAX

CLT_HD uint64_t cltPairKey( uint32_t slotA, uint32_t slotB, uint32_t slotBits )
{
    uint32_t low = slotA < slotB ? slotA : slotB;
    uint32_t high = slotA < slotB ? slotB : slotA;
    return ( (uint64_t)low << slotBits ) | high;
}

CLT_HD uint64_t cltPairKey_BeganBit( uint32_t slotBits )
{
    return (uint64_t)1 << ( 2u * slotBits );
}

/// A key without its higher slot: keys of one group have the same lower slot, and all began or all ended. Groups ascend
/// as keys do.
CLT_HD uint32_t cltPairKey_Group( uint64_t key, uint32_t slotBits )
{
    return (uint32_t)( key >> slotBits );
}

CLT_HD uint32_t cltPairKey_GroupCount( uint32_t slotBits )
{
    return 2u << slotBits;
}

CLT_HD cltPair cltPairKey_Pair( uint64_t key, uint32_t slotBits )
{
    uint64_t mask = ( (uint64_t)1 << slotBits ) - 1u;
    cltPair pair;
    pair.proxyA = (uint32_t)( ( key >> slotBits ) & mask );
    pair.proxyB = (uint32_t)( key & mask );
    return pair;
}

/// The number of ended pairs among `count` keys in canonical order; they come first.
CLT_HD size_t cltPairKeys_EndedCount( const uint64_t* keys, size_t count, uint32_t slotBits )
{
    const uint64_t beganBit = cltPairKey_BeganBit( slotBits );
    size_t low = 0;
    while ( low < count )
    {
        size_t middle = low + ( count - low ) / 2;
        if ( keys[middle] < beganBit )
        {
            low = middle + 1;
        }
        else
        {
            count = middle;
        }
    }
    return low;
}

#endif
