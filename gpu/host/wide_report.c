// SPDX-License-Identifier: Zlib
// From lanes that met to pairs: the part that runs once for each pair found, not once for each test.

#include "gpu/host/wide_kernels.h"

#define LANE_MASK ( CLT_WIDE_WAS - 1u )

/// Narrows down by the filters what the boxes allow.
static void ApplyFilters( const cltWideSearch* search, uint32_t a, uint32_t b, bool* is, bool* was )
{
    *is = *is && cltFilter_Allows( search->filters + a, search->filters + b );
    *was = *was && cltFilter_Allows( search->filtersBefore + a, search->filtersBefore + b );
}

void cltWide_Report( const cltWideSearch* search, const uint32_t* of, const uint32_t* found, uint32_t count,
                     cltPairBlock* keys )
{
    const uint64_t beganBit = cltPairKey_BeganBit( search->slotBits );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t a = cltLeafRef_Slot( search->refs[of[i]] );
        const uint32_t b = cltLeafRef_Slot( search->refs[found[i] & LANE_MASK] );
        bool is = ( found[i] & CLT_WIDE_IS ) != 0;
        bool was = ( found[i] & CLT_WIDE_WAS ) != 0;
        if ( search->exactNow != NULL ) // the lanes hold float boxes around the true ones
        {
            is = is && cltAabbD_Overlaps( search->exactNow + a, search->exactNow + b );
            was = was && cltAabbD_Overlaps( search->exactBefore + a, search->exactBefore + b );
        }
        if ( search->filters != NULL )
        {
            ApplyFilters( search, a, b, &is, &was );
        }
        if ( is != was )
        {
            const uint64_t key = cltPairKey( a, b, search->slotBits );
            cltPairBlock_Add( keys, search->find != clt_widePairs ? key | ( is ? beganBit : 0u ) : key | beganBit );
        }
    }
}
