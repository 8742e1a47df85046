// SPDX-License-Identifier: Zlib
/// \file report.h
/// From lanes that met to keys of pairs.
#ifndef CLT_HOST_WIDE_REPORT_H
#define CLT_HOST_WIDE_REPORT_H

#include "gpu/host/wide/kernels.h"

/// A lane that was found is a number below 2^30, with what the lanes' boxes say became of the pair above.
#define CLT_FOUND_SHIFT 30u

/// Puts what is looked for into `keys`. Lane `of[i]` met `found[i]`.
void cltWide_Report( const cltWideSearch* search, const uint32_t* of, const uint32_t* found, uint32_t count,
                     cltPairBlock* keys );

#endif
