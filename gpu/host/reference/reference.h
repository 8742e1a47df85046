// SPDX-License-Identifier: Zlib
/// \file reference.h
/// The algorithms that a device runs, on the host, from the same steps and cursors (gpu/core): so that tests on a CPU
/// run the very lines that decide there. `wide` is what is fast here. Leaves, order and search structure are made anew
/// in every update; gpu/cuda/cuda_search.cu is the twin of reference.c.
#ifndef CLT_HOST_REFERENCE_H
#define CLT_HOST_REFERENCE_H

#include "gpu/host/host_algorithm.h"
#include "gpu/host/reference/searches.h"

typedef struct cltReference
{
    cltHostAlgorithm base;
    cltHostMeans means;
    cltLeafTable table;
    cltLeafTree tree;   ///< of `lbvh`
    cltGridCells cells; ///< of `grid`
    bool isBuilt;       ///< of what was uploaded last
    bool isCurrent;     ///< of the last committed update
} cltReference;

#endif
