// SPDX-License-Identifier: Zlib
#include "tests/cuda/host_arrays.h"

#include "gpu/host/reference/reference.h"

#include <stdlib.h>

struct HostReference
{
    cltBroadphaseDef def;
    cltMemory memory;
    cltHostResources resources;
    cltHostAlgorithm* algorithm;
};

HostReference* createHostReference( cltAlgorithm algorithm, cltPrecision precision )
{
    HostReference* reference = calloc( 1, sizeof *reference );
    reference->def = cltDefaultBroadphaseDef();
    reference->def.algorithm = algorithm;
    reference->def.precision = precision;
    cltMemory_Init( &reference->memory, &reference->def );
    reference->resources.def = &reference->def;
    reference->resources.memory = &reference->memory;
    cltCreateWorkerPool( &reference->def, &reference->memory, &reference->resources.pool );
    cltCreateReference( &reference->resources, &reference->algorithm );
    return reference;
}

cltStatus buildHostReference( HostReference* reference, const cltUpload* upload, HostArrays* arrays )
{
    const cltSearchInput input = { .slots = { .now = upload->boxes,
                                              .before = upload->before,
                                              .states = upload->states,
                                              .isDouble = reference->def.precision == clt_precisionDouble,
                                              .count = upload->slotCount },
                                   .filters = { upload->filters, upload->filtersBefore } };
    CLT_TRY( reference->algorithm->ops->build( reference->algorithm, upload, &input ) );
    const cltReference* inside = (const cltReference*)reference->algorithm;
    *arrays = ( HostArrays ){ .keys = inside->table.keys.data,
                              .refs = inside->table.refs.data,
                              .now = inside->table.now.data,
                              .before = inside->table.before.data,
                              .leafCount = inside->table.leaves.count,
                              .searchableCount = inside->table.searchableCount,
                              .tree = inside->tree.tree,
                              .cells = inside->cells.cells };
    return clt_ok;
}

void destroyHostReference( HostReference* reference )
{
    reference->algorithm->ops->destroy( reference->algorithm );
    cltDestroyWorkerPool( reference->resources.pool, &reference->memory );
    free( reference );
}
