// SPDX-License-Identifier: Zlib
/// \file filter.h
/// Bullet's group and mask rule.
#ifndef CLT_CORE_FILTER_H
#define CLT_CORE_FILTER_H

#include "bridge/cullet.h"
#include "gpu/core/callable.h"

CLT_HD bool cltFilter_Allows( const cltFilter* a, const cltFilter* b )
{
    return ( a->group & b->mask ) != 0 && ( b->group & a->mask ) != 0;
}

/// A filter that allows whatever either of the two does, and perhaps more.
CLT_HD cltFilter cltFilter_Union( const cltFilter* a, const cltFilter* b )
{
    cltFilter both;
    both.group = a->group | b->group;
    both.mask = a->mask | b->mask;
    return both;
}

#endif
