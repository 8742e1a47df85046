// SPDX-License-Identifier: Zlib
/// \file leaf_table.h
/// All leaves of an update, in the order of the curve, with their boxes beside them: what every search reads.
#ifndef CLT_HOST_LEAF_TABLE_H
#define CLT_HOST_LEAF_TABLE_H

#include "gpu/host/radix_sort.h"
#include "gpu/host/reference/leaf_survey.h"

typedef struct cltLeafTable
{
    cltSurvey survey;
    cltBuffer keys; ///< of the searchable leaves, sorted: curve code above, reference below
    cltBuffer refs;
    cltBuffer now;
    cltBuffer before;
    cltRadixSort sort;

    cltLeaves leaves;         ///< view of the buffers above
    uint32_t searchableCount; ///< leaves in the tree or the grid; those behind them are aside
    uint32_t moverCount;      ///< leaves that are not still
    bool onePerSlot;          ///< every slot that has a box is one leaf, so that the leaves can be renewed
} cltLeafTable;

/// Makes the leaves of all slots. `leaves->filters*`, `filtersChanged` and `slotBits` are set by the caller beforehand.
cltStatus cltLeafTable_Make( cltLeafTable* table, const cltSlots* slots, cltWorkerPool* pool, cltMemory* memory );

/// Gives the leaves their slots' boxes anew and keeps their order, which bodies that move a little leave good for many
/// updates. Needs the slots that the leaves were made of, with none appeared since.
/// \param moverCount  slots whose box or filter changed
/// \return false if that cannot be done: a body jumped or vanished. The leaves are spoiled then and must be made
bool cltLeafTable_Renew( cltLeafTable* table, const cltSlots* slots, uint32_t moverCount, cltWorkerPool* pool );

void cltLeafTable_Release( cltLeafTable* table, cltMemory* memory );

#endif
