// SPDX-License-Identifier: Zlib
// Chooses the filters that get a class of their own: filters that reject some body of the world. Bodies that pair with
// all other bodies, mostly moving bodies, stay in one class, because they are searched together.

#include "gpu/host/wide/filters.h"

static bool IsSame( const cltFilter* a, const cltFilter* b )
{
    return a->group == b->group && a->mask == b->mask;
}

static uint32_t IndexOf( const cltFilterClasses* classes, const cltFilter* filter )
{
    uint32_t i = 0;
    while ( i < classes->distinctCount && !IsSame( classes->distinct + i, filter ) )
    {
        ++i;
    }
    return i;
}

static bool RejectsSome( const cltFilterClasses* classes, uint32_t i )
{
    for ( uint32_t k = 0; k < classes->distinctCount; ++k )
    {
        if ( !cltFilter_Allows( classes->distinct + i, classes->distinct + k ) )
        {
            return true;
        }
    }
    return false;
}

cltFilterClasses cltFilterClasses_Make( const cltFilter* filters, uint32_t slotCount )
{
    cltFilterClasses classes = { .filters = filters, .count = 1 };
    uint32_t last = 0; // the filter of the last slot, because neighbouring slots mostly have equal filters
    for ( uint32_t slot = 0; filters != NULL && slot < slotCount; ++slot )
    {
        if ( last < classes.distinctCount && IsSame( classes.distinct + last, filters + slot ) )
        {
            continue;
        }
        last = IndexOf( &classes, filters + slot );
        if ( last == classes.distinctCount && last + 1u < CLT_FILTER_CLASSES )
        {
            classes.distinct[classes.distinctCount++] = filters[slot];
        }
    }
    for ( uint32_t i = 0; i < classes.distinctCount; ++i )
    {
        classes.classes[i] = RejectsSome( &classes, i ) ? classes.count++ : 0u;
    }
    return classes;
}

uint32_t cltFilterClasses_Of( const cltFilterClasses* classes, uint32_t slot )
{
    if ( classes->count == 1u )
    {
        return 0;
    }
    const uint32_t i = IndexOf( classes, classes->filters + slot );
    return i < classes->distinctCount ? classes->classes[i] : 0u;
}
