// SPDX-License-Identifier: Zlib
// State of the front that is kept on the device between updates: capacity of the next front, and whether marks are
// still valid.

#include "gpu/cuda/searches.cuh"

/// Initial capacity: a front has some entries per leaf.
static uint64_t TypicalEntries( uint32_t leafCount )
{
    return 4096u + 12u * (uint64_t)leafCount;
}

cltStatus cltDeviceFront_Reserve( cltDeviceFront* front, cltCudaDevice* device, uint64_t count )
{
    cltDeviceCut* next = front->cuts + !front->current;
    CLT_TRY( cltCudaBuffer_Reserve( &next->way, device, 1, sizeof( cltFrontWay ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &next->pairs, device, count, sizeof( cltNodePair ) ) );
    return cltCudaBuffer_Reserve( &next->marks, device, count, sizeof( float ) );
}

cltStatus cltDeviceFront_ReserveNext( cltDeviceFront* front, cltCudaDevice* device, const cltLevels* levels )
{
    const bool isKept = cltDeviceFront_IsOf( front, levels );
    return cltDeviceFront_Reserve(
        front, device, isKept ? front->count + front->count / 8u : TypicalEntries( cltLevels_LeafCount( levels ) ) );
}

cltFrontEntries cltDeviceCut_View( const cltDeviceCut* cut )
{
    const size_t pairs = cut->pairs.bytes / sizeof( cltNodePair );
    const size_t marks = cut->marks.bytes / sizeof( float );
    cltFrontEntries entries;
    entries.pairs = (cltNodePair*)cut->pairs.data;
    entries.marks = (float*)cut->marks.data;
    entries.way = (cltFrontWay*)cut->way.data;
    entries.room = pairs < marks ? pairs : marks;
    return entries;
}

uint64_t cltDeviceFront_Room( const cltDeviceFront* front )
{
    return cltDeviceCut_View( front->cuts + !front->current ).room;
}

bool cltDeviceFront_AreMarksKnown( const cltDeviceFront* front, const cltPairFilters* filters )
{
    return front->isKnown && !front->isNewOrder && !front->filtersWereMixed && filters->now == filters->before;
}

void cltDeviceFront_Keep( cltDeviceFront* front, const cltLevels* levels, const cltPairFilters* filters,
                          const cltPlan* plan )
{
    front->current = !front->current;
    front->count = plan->frontCount;
    front->leafCount = cltLevels_LeafCount( levels );
    cltFrontRent_Pay( &front->rent, front->isNewOrder, front->count, plan->nodeTestCount, front->leafCount );
    front->isNewOrder = false;
    front->isSearched = true;
    front->filtersWereMixed = filters->now != filters->before;
}

void cltDeviceFront_BeginUpdate( cltDeviceFront* front, bool hasLost )
{
    front->isKnown = front->isSearched && !hasLost;
    front->isSearched = false;
}
