// SPDX-License-Identifier: Zlib
/// \file CulletMoveOrder.h
/// Predicts which proxy moves next, to prefetch it. Mostly the proxies of the previous step move again, in the same
/// order. In a large world they lie far apart in memory, and setAabb would wait for each.
#ifndef CULLET_MOVE_ORDER_H
#define CULLET_MOVE_ORDER_H

#include "CulletProxyPool.h"
#include "pair_cache/CulletPrefetch.h"

class CulletMoveOrder
{
public:
    /// Notes that `proxy` moves, and prefetches the one that moved a little later in the previous step.
    void note( CulletProxy* proxy )
    {
        if ( m_count + AHEAD < m_lastCount )
        {
            culletPrefetch( m_moved[m_count + AHEAD] ); // perhaps destroyed meanwhile: only its address is used
        }
        if ( m_count < m_moved.size() )
        {
            m_moved[m_count++] = proxy;
        }
        else if ( m_count < MOST )
        {
            m_moved.push_back( proxy );
            ++m_count;
        }
    }

    void endStep()
    {
        m_lastCount = m_count;
        m_count = 0;
    }

private:
    /// A read from memory takes as long as about this many calls of setAabb.
    static const int AHEAD = 16;

    /// 1 MiB. If more proxies move, they mostly lie side by side, and the processor prefetches them by itself.
    static const int MOST = 1 << 17;

    btAlignedObjectArray<CulletProxy*> m_moved; ///< of this step, followed by the rest of the previous step
    int m_count = 0;
    int m_lastCount = 0;
};

#endif
