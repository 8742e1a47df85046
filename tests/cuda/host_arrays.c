// SPDX-License-Identifier: Zlib
#include "tests/cuda/host_arrays.h"

#include "gpu/host/host_backend.h"

HostArrays hostArraysOf( const cltBackend* backend )
{
    const cltHostBackend* host = (const cltHostBackend*)backend;
    return ( HostArrays ){ .keys = host->table.keys.data,
                           .refs = host->table.refs.data,
                           .now = host->table.now.data,
                           .before = host->table.before.data,
                           .leafCount = host->table.leaves.count,
                           .searchableCount = host->table.searchableCount,
                           .cells = host->gridCells.cells,
                           .grid = host->gridCells.grid };
}
